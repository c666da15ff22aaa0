"""What the document says in words, and its schemas cannot: a number beyond 64 bits makes a body malformed."""

import schemathesis


def is_in_range(value):
    if isinstance(value, dict):
        return all(is_in_range(item) for item in value.values())
    if isinstance(value, list):
        return all(is_in_range(item) for item in value)
    return not isinstance(value, int) or -(2**63) <= value < 2**63


@schemathesis.hook
def filter_body(context, body):
    return is_in_range(body)
