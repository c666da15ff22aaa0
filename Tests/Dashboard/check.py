"""Reads the dashboard into Grafana's own values and writes it out again: what they do not know, or hold otherwise, is a
mistake in it. `check.py FILE` prints what differs."""

import json
import sys

from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard


def differences(given, known, path=""):
    """Where two JSON values part; what only the second one has is Grafana's default."""
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            if key in known:
                yield from differences(value, known[key], f"{path}.{key}")
            else:
                yield f"{path}.{key} is nothing that Grafana knows"
    elif isinstance(given, list) and isinstance(known, list) and len(given) == len(known):
        for index, (one, other) in enumerate(zip(given, known)):
            yield from differences(one, other, f"{path}[{index}]")
    elif given != known or type(given) is not type(known):
        yield f"{path} is {given!r}, and {known!r} to Grafana"


def overlaps(panels):
    """Panels that lie on each other."""
    taken = {}
    for panel in panels:
        place = panel["gridPos"]
        if place["x"] + place["w"] > 24:
            yield f"{panel['title']} is wider than the page"
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                if (x, y) in taken:
                    yield f"{panel['title']} lies on {taken[x, y]}"
                    return
                taken[x, y] = panel["title"]


def main():
    plugins.register_default_plugins()
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    known = json.loads(JSONEncoder().encode(Dashboard.from_json(given)))
    found = [*differences(given, known), *overlaps(given["panels"])]
    ids = [panel["id"] for panel in given["panels"]]
    if len(ids) != len(set(ids)):
        found.append("two panels have one id")
    print(*found, f"{len(ids)} panels", sep="\n")
    sys.exit(1 if found else 0)


main()
