"""Whether the time of an answer tells which logins and addresses are known: two distributions, and what sets them apart."""

import http.client
import json
import math
import random
import statistics
import time

from server import Server
from stage import PASSWORD

# Every request comes from one address, and goes to few accounts. Nothing is refused for that here.
UNLIMITED = {name: "0" for name in (
    "LIMIT_LOGIN_ADDRESS", "LIMIT_LOGIN_ACCOUNT_ADDRESS", "LIMIT_LOGIN_ACCOUNT", "LIMIT_MAIL_ADDRESS",
    "LIMIT_MAIL_ACCOUNT")}
# Letters wait in the outbox: a mail server on this machine would take turns with what is measured.
SETTINGS = {**UNLIMITED, "HASH_THREADS": "1", "LOG_FORMAT": "json"}
PAUSE_SECONDS = 0.001
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
# A difference that chance makes once in a thousand times.
DOUBT = 0.001
# What is told apart this much of the time is nothing that somebody who asks over a network can use.
SUPERIORITY_MAX = 0.55


class Answers:
    """The times that two kinds of a request take, in ms, asked in random order over one connection."""

    def __init__(self, name, status, known, unknown):
        """`known()` and `unknown()` answer path and JSON of one request."""
        self.name, self._status, self._kinds = name, status, (known, unknown)
        self.known, self.unknown = [], []

    def take(self, server, count):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.connect()
        order = [0, 1] * count
        random.shuffle(order)
        # The first answers warm connections and caches up.
        for number, kind in enumerate([0, 1] * 20 + order):
            path, body = self._kinds[kind]()
            start = time.perf_counter()
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            taken = (time.perf_counter() - start) * 1e3
            if answer.status != self._status:
                raise RuntimeError(f"{self.name}: {answer.status} instead of {self._status}")
            if number >= 40:
                (self.unknown if kind else self.known).append(taken)
            # What a request leaves to be done afterwards must not fall into the next one.
            time.sleep(PAUSE_SECONDS)
        connection.close()

    def text(self):
        known, unknown = sorted(self.known), sorted(self.unknown)
        superiority, p = mann_whitney(known, unknown)
        low, high = median_difference(known, unknown)
        lines = [f"{self.name}, {len(known):,} known and {len(unknown):,} unknown, in random order"]
        for label, values in (("known", known), ("unknown", unknown)):
            lines.append(f"  {label:8}" + "".join(f"{quantile(values, q):10.3f}" for q in QUANTILES))
        lines += [
            f"  a known one takes longer than an unknown one in {superiority:.1%} of all pairs (no difference: 50 %);",
            f"  chance alone makes as much of a difference with p = {p:.3g} (Mann-Whitney), and the largest gap of the",
            f"  distributions is {kolmogorov_smirnov(known, unknown):.3f} (Kolmogorov-Smirnov; by chance at most "
            f"{1.95 * math.sqrt((len(known) + len(unknown)) / (len(known) * len(unknown))):.3f} in 999 of 1,000);",
            f"  medians differ by {quantile(known, 0.5) - quantile(unknown, 0.5):+.3f} ms "
            f"(99 %: {low:+.3f} to {high:+.3f}).",
            f"  {verdict(superiority, p)}"]
        return "\n".join(lines)


def verdict(superiority, p):
    if p >= DOUBT:
        return "No difference is to be seen."
    if abs(superiority - 0.5) <= SUPERIORITY_MAX - 0.5:
        return "A difference is there, too small to tell one from the other by many tries over a network."
    return "THE TIME TELLS WHICH IS KNOWN."


def quantile(values, share):
    """Of sorted values."""
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def mann_whitney(first, second):
    """How probably a value of the first is greater than one of the second (equal ones count half), and how probable it
    is that chance makes as much of a difference or more, two-sided, by the normal approximation."""
    merged = sorted([(value, 0) for value in first] + [(value, 1) for value in second])
    ranks, ties, start = 0.0, 0.0, 0
    while start < len(merged):
        end = start
        while end < len(merged) and merged[end][0] == merged[start][0]:
            end += 1
        ranks += sum((start + 1 + end) / 2 for _, kind in merged[start:end] if kind == 0)
        ties += (end - start) ** 3 - (end - start)
        start = end
    m, n = len(first), len(second)
    u = ranks - m * (m + 1) / 2
    variance = m * n / 12 * (m + n + 1 - ties / ((m + n) * (m + n - 1)))
    z = (u - m * n / 2) / math.sqrt(variance)
    return u / (m * n), math.erfc(abs(z) / math.sqrt(2))


def kolmogorov_smirnov(first, second):
    """The largest distance between the two cumulative distributions."""
    gap, i, j = 0.0, 0, 0
    while i < len(first) and j < len(second):
        value = min(first[i], second[j])
        while i < len(first) and first[i] == value:
            i += 1
        while j < len(second) and second[j] == value:
            j += 1
        gap = max(gap, abs(i / len(first) - j / len(second)))
    return gap


def median_difference(first, second, rounds=400):
    """Between which bounds the difference of the medians lies, by drawing again from what was measured."""
    draws = sorted(
        statistics.median(random.choices(first, k=len(first))) - statistics.median(random.choices(second, k=len(second)))
        for _ in range(rounds))
    return draws[int(0.005 * rounds)], draws[int(0.995 * rounds) - 1]


def measure(stage, count, progress):
    """The text about log-ins with a wrong password, and about password resets and username reminders."""
    people = [person.username for person in stage.people]
    # As many, and as long.
    strangers = [name.replace("bench", "nobdy") for name in people]

    def login(name):
        return "/v1/login", {"login": name, "password": f"not {PASSWORD}"}

    def letter(path, name):
        return path, {"email": f"{name}@example.org"}

    kinds = [Answers(
        "POST /v1/login, a wrong password", 401, lambda: login(random.choice(people)), lambda: login(random.choice(strangers)))]
    for path in ("/v1/password-reset", "/v1/username-reminder"):
        kinds.append(Answers(
            f"POST {path}", 202, lambda path=path: letter(path, random.choice(people)),
            lambda path=path: letter(path, random.choice(strangers))))
    with Server(stage.binary, stage.database.target, SETTINGS) as server:
        for answers in kinds:
            progress(f"{answers.name}, {count:,} of each kind")
            answers.take(server, count)
    head = "  ms      " + "".join(f"{f'{q:.0%}':>10}" for q in QUANTILES)
    return "\n\n".join(["Whether the time tells who is known:\n\n" + head] + [answers.text() for answers in kinds])
