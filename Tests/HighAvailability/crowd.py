"""Clients that sign up, log in, post, read and sign out, and remember what they were told."""

import itertools
import json
import threading
import time
import uuid

from background import Background
from stage import BROKEN, call

PASSWORD = "an engine of brass"


class Crowd(Background):
    def __init__(self, stage, clients=6):
        self.stage = stage
        self.lock = threading.Lock()
        self.names = itertools.count(1)
        # What was answered, and what was tried without an answer.
        self.tried, self.accounts, self.open, self.ended, self.tweets = set(), set(), {}, set(), {}
        self.broken, self.wrong = {}, []
        # When what was answered began and ended, of writes and of reads.
        self.times = {True: [], False: []}
        super().__init__(self._live, *range(clients))

    def has_done(self, least):
        """Whether so many of each have been answered."""
        return bool(self.wrong) or min(len(self.accounts), len(self.tweets), len(self.ended)) >= least

    def call(self, method, path, expected, source="127.0.0.1", token=None, body=None, key=None, port=None):
        """What was answered, or None when the way there was broken; whatever else is wrong."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        data = None if body is None else json.dumps(body)
        begin = time.monotonic()
        try:
            status, text = call(port or self.stage.port, method, path, source, headers, data)
        except BROKEN as error:
            return self._note(type(error).__name__)
        if status in (502, 503) and is_sane(status, text):
            return self._note(status)
        if status != expected:
            with self.lock:
                self.wrong.append(f"{method} {path}: {status} instead of {expected}: {text[:200]}")
            return None
        with self.lock:
            self.times[method != "GET"].append((begin, time.monotonic()))
        return json.loads(text) if text else {}

    def first_after(self, moment, writes=True):
        """When the first request that began after a moment was answered; None for not yet."""
        with self.lock:
            return min((end for begin, end in self.times[writes] if begin >= moment), default=None)

    def longest_gap(self, writes):
        """The longest time without an answer."""
        with self.lock:
            ends = sorted(end for _, end in self.times[writes])
        return max(later - earlier for earlier, later in itertools.pairwise(ends))

    def _note(self, what):
        with self.lock:
            self.broken[what] = self.broken.get(what, 0) + 1

    def _live(self, number):
        """One life after the other; each has an address of its own."""
        while not self.is_over.is_set():
            with self.lock:
                name = f"p{next(self.names)}"
                self.tried.add(name)
            source = f"127.{number + 1}.{int(name[1:]) >> 8}.{int(name[1:]) & 255}"
            form = {"email": f"{name}@example.com", "username": name.ljust(3, "x"), "password": PASSWORD}
            made = self.call("POST", "/v1/register", 201, source, body=form)
            if made is None:
                self.is_over.wait(0.1)
                continue
            with self.lock:
                self.accounts.add(form["username"])
                self.open[made["session"]["token"]] = form["username"]
            self._spend(source, form["username"], made["session"]["token"])

    def _spend(self, source, name, first):
        for _ in range(2):
            if self.is_over.is_set():
                return
            self._post(source, name, first)
            found = self.call("POST", "/v1/login", 201, source, body={"login": name, "password": PASSWORD})
            if found is None:
                continue
            token = found["session"]["token"]
            with self.lock:
                self.open[token] = name
            self._post(source, name, token)
            seen = self.call("GET", "/v1/me", 200, source, token)
            if seen is not None and seen["username"] != name:
                self.wrong.append(f"{name} is taken for {seen['username']}")
            with self.lock:
                del self.open[token]
            if self.call("POST", "/v1/signout", 204, source, token) is None:
                continue
            with self.lock:
                self.ended.add(token)
            self.call("GET", "/v1/me", 401, source, token)

    def _post(self, source, name, token):
        """One tweet, sent again with its key until somebody answers."""
        key = str(uuid.uuid4())
        for _ in range(20):
            made = self.call("POST", "/v1/tweets", 201, source, token, {"text": f"{name} says {key}"}, key)
            if made is not None:
                with self.lock:
                    if made["id"] in self.tweets:
                        self.wrong.append(f"{made['id']} is the answer to two tweets")
                    self.tweets[made["id"]] = key
                return
            if self.wrong or self.is_over.wait(0.1):
                return


def is_sane(status, text):
    """Whether it is what Roost, or HAProxy in its stead, says when something behind it is away."""
    if text.startswith(b"<html><body><h1>%d " % status):
        return True
    try:
        problem = json.loads(text)
    except ValueError:
        return False
    return problem["status"] == status and problem["code"] in ("database_unavailable", "overloaded")
