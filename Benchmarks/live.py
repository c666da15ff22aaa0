"""Live feeds: what many idle streams cost, how soon a tweet arrives, and what LISTEN/NOTIFY would cost its writers."""

import base64
import hashlib
import os
import selectors
import socket
import statistics
import time

from database import Database
from server import SETTINGS, Server

STREAMS_EACH = 10
WATCH_SECONDS = 10
LISTENERS_SECONDS_MAX = 60
PGBENCH_SECONDS = 3
WRITERS = 16
ROUNDS = 3

ACCOUNTS = """
insert into account (id, username, email)
select gen_random_uuid(), 'live' || n, 'live' || n || '@example.org' from generate_series(1, {count}) as n;
"""
SESSIONS = """
insert into session (id, account_id, token_digest, epoch, ip, expires_at)
select gen_random_uuid(), account.id, decode(given.digest, 'hex'), 1, '192.0.2.1', now() + interval '30 days'
from (values {values}) as given (username, digest) join account on account.username = given.username;
"""
# Everybody follows the first.
FOLLOWS = """
insert into follow (id, follower_id, followee_id)
select gen_random_uuid(), follower.id, followee.id from account as follower, account as followee
where followee.username = 'live1' and follower.id <> followee.id;
update account set follower_count = (select count(*) from follow) where username = 'live1';
update account set following_count = 1 where username <> 'live1';
vacuum analyze;
"""
WRITE = """
insert into tweet (id, author_id, text, created_at) values (gen_random_uuid(), :author::uuid, 'so it goes', now());
"""
NOTIFY = """
with written as (
  insert into tweet (id, author_id, text, created_at) values (gen_random_uuid(), :author::uuid, 'so it goes', now())
  returning id)
select pg_notify('tweet', id::text) from written;
"""


class Crowd:
    """Many open streams, read by one thread."""

    def __init__(self, server, tokens):
        self._selector = selectors.DefaultSelector()
        self._open = {}
        for token in tokens:
            stream = socket.create_connection(("127.0.0.1", server.port), timeout=30)
            stream.sendall(
                f"GET /v1/feed/live HTTP/1.1\r\nHost: roost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            text = b""
            while b"retry" not in text:
                piece = stream.recv(4096)
                if not piece or b" 200 " not in (text + piece)[:16]:
                    raise RuntimeError(f"a stream is answered {(text + piece)[:200]}")
                text += piece
            stream.setblocking(False)
            self._selector.register(stream, selectors.EVENT_READ)
            self._open[stream] = True

    def arrivals(self, mark, count, began):
        """How long after `began` each of `count` streams had `mark`, in ms."""
        times, seen = [], set()
        while len(times) < count and time.perf_counter() - began < LISTENERS_SECONDS_MAX:
            for key, _ in self._selector.select(1):
                if mark in key.fileobj.recv(1 << 16) and key.fileobj not in seen:
                    seen.add(key.fileobj)
                    times.append((time.perf_counter() - began) * 1e3)
        if len(times) < count:
            raise RuntimeError(f"{len(times)} of {count} streams heard of a tweet")
        return times

    def close(self):
        for stream in self._open:
            stream.close()


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def tokens(count):
    secrets = [os.urandom(32) for _ in range(count)]
    text = ["roost_" + base64.urlsafe_b64encode(secret).decode().rstrip("=") for secret in secrets]
    return text, [hashlib.sha256(secret).hexdigest() for secret in secrets]


def measure(stage, streams, progress):
    accounts = streams // STREAMS_EACH
    database = Database(stage.database.cluster, stage.database.programs, "live")
    settings = {**SETTINGS, "CONNECTIONS_MAX": str(streams * 3 // 2), "LOG_LEVEL": "warning"}
    with Server(stage.binary, database.target, settings) as server:
        database.ask(ACCOUNTS.format(count=accounts))
        texts, digests = tokens(accounts)
        values = ",".join(f"('live{n + 1}', '{digest}')" for n, digest in enumerate(digests))
        database.ask(SESSIONS.format(values=values))
        database.ask(FOLLOWS)
        author = {"Authorization": f"Bearer {texts[0]}"}
        server.expect(200, "GET", "/v1/feed", None, author)
        progress(f"opens {streams:,} live feeds")
        empty = server.memory_mib()["resident"]
        crowd = Crowd(server, [text for text in texts for _ in range(STREAMS_EACH)])
        open_ = server.memory_mib()["resident"]
        used, postgres = server.cpu_seconds(), database.cpu_seconds()
        time.sleep(WATCH_SECONDS)
        idle = (server.cpu_seconds() - used) / WATCH_SECONDS
        idle_postgres = (database.cpu_seconds() - postgres) / WATCH_SECONDS
        progress("tweets to all of them")
        to_all, last = [], []
        for number in range(10):
            began = time.perf_counter()
            answer = server.expect(201, "POST", "/v1/tweets", {"text": f"Number {number}"}, author)
            times = crowd.arrivals(f"id: {answer['id']}".encode(), streams, began)
            to_all += times
            last.append(max(times))
        crowded = server.memory_mib()["resident"]
        crowd.close()
    lines = [
        f"{streams:,} streams of {accounts:,} accounts, all of which follow one:",
        f"  memory for each idle stream      {(open_ - empty) * 1024 / streams:.1f} KiB "
        f"({empty:.0f} MiB before, {open_:.0f} MiB with all, {crowded:.0f} MiB after ten tweets to all)",
        f"  idle, share of one core          server {idle:.1%}, PostgreSQL {idle_postgres:.1%}",
        f"  from the request to the event    median {quantile(to_all, 0.5):.0f} ms, p99 {quantile(to_all, 0.99):.0f} ms; "
        f"the last of all {statistics.median(last):.0f} ms", "",
        *notifications(database, progress)]
    return "\n".join(lines)


def notifications(database, progress):
    """What writers lose when each commit notifies: its queue is under one lock, held over the commit."""
    author = database.ask("select id from account where username = 'live1'")
    ratios, rates = [], ([], [])
    for number in range(ROUNDS):
        progress(f"writes with and without NOTIFY, round {number + 1} of {ROUNDS}")
        plain = database.pgbench(WRITE, {"author": author}, WRITERS, PGBENCH_SECONDS)
        notified = database.pgbench(NOTIFY, {"author": author}, WRITERS, PGBENCH_SECONDS)
        rates[0].append(plain)
        rates[1].append(notified)
        ratios.append(notified / plain)
    look = database.pgbench(
        "select id from tweet where id > 'ffffffff-ffff-7fff-8000-000000000000' order by id limit 20000;\n", {}, 1,
        PGBENCH_SECONDS)
    return [
        f"{WRITERS} writers of tweets with NOTIFY in each transaction: {statistics.median(rates[1]):,.0f}/s against "
        f"{statistics.median(rates[0]):,.0f}/s without, {statistics.median(ratios):.2f} of it "
        f"({min(ratios):.2f}–{max(ratios):.2f}).",
        f"A look that finds nothing takes {1e6 / look:.0f} µs; five a second are {5 / look:.2%} of one connection."]
