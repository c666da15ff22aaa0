"""The measurements. Each takes its rounds in turn with what it is compared with, so that both meet the same noise."""

import json
import time

import argon2
import database
import machine
import wrk
from report import Line
from server import Server
from stage import PASSWORD, Meter, address

CLIENTS = 64
NOISE_CONNECTIONS = 4
LOGIN_CLIENTS = 16
MODERATE_CLIENTS = 8
NO_TWEET_YET = "ffffffff-ffff-ffff-ffff-ffffffffffff"


class Failed(RuntimeError):
    """Requests failed that must not."""


def checked(answered, what):
    if answered.failed:
        raise Failed(f"{what}: {answered.refused} answers of 400 and above, {answered.broken} without an answer")
    return answered


def metered(stage, what, load, server=None):
    """The answers of `load()`, and what each of them cost `server`, or else the stage's own."""
    meter = Meter(stage, server)
    answered = checked(load(), what)
    return answered, meter.stop(answered.requests)


def metered_pgbench(stage, script, variables, clients, seconds, threads=1):
    meter = Meter(stage)
    rate = stage.database.pgbench(script, variables, clients, seconds, threads)
    return rate, meter.stop(rate * seconds)


def rounds(pace, progress, what, count=None):
    """The numbers of the rounds, each once nobody else works here any more (as far as that is worth waiting for)."""
    count = count or pace.rounds
    for number in range(count):
        progress(f"{what}, round {number + 1} of {count}")
        pace.quiet.wait()
        yield number


def _connections(stage, statement, load):
    """How many connections to PostgreSQL the server uses for this statement under load; pgbench gets as many."""
    checked(load(), "warming up")
    connections = stage.database.connections(statement)
    if connections < 1:
        raise Failed("no connection of the server has run the statement that is to be compared")
    return connections


# Reads --------------------------------------------------------------------------------------------------------------


def read_scripts(stage):
    """For each read its path, the server's own statement as a pgbench script, its variables, and its connections."""
    viewer = stage.people[0]
    me, _ = stage.statement_of(200, "GET", "/v1/me", None, viewer.bearer)
    feed, page = stage.statement_of(200, "GET", "/v1/feed", None, viewer.bearer)
    # One row more than is shown tells whether there is a next page.
    rows_max = len(page["items"]) + 1
    answered = stage.database.ask(
        f"prepare feed as {feed}; execute feed ('{viewer.digest}', '{NO_TWEET_YET}', {rows_max})")
    if len(answered.splitlines()) != rows_max or len(page["items"]) != 20:
        raise Failed("the statement of /v1/feed is not the one this benchmark knows")
    connections = _connections(stage, me, lambda: wrk.run(stage.server, 1, CLIENTS, "/v1/me", viewer.bearer))
    variables = {"digest": viewer.digest, "before": NO_TWEET_YET, "rows": rows_max}
    return [
        ("/v1/me", database.script(me, {1: "digest"}), variables, connections),
        ("/v1/feed", database.script(feed, {1: "digest", 2: "before", 3: "rows"}), variables, connections),
    ]


def reads(stage, pace, progress):
    """`/v1/me` and `/v1/feed` against pgbench with the same statement, `/healthz` as the ceiling of HTTP.

    The aim is held to pgbench twice: as it is by default, with one thread, and with a thread for each core. One thread
    leaves cores idle when it has few connections, so that the first ratio alone would rise by taking fewer; the second
    is against the most that PostgreSQL does on the machine.
    """
    lines = {}
    bearer = stage.people[0].bearer
    scripts = read_scripts(stage)
    for number in rounds(pace, progress, "reads"):
        for path, script, variables, connections in scripts:
            line = lines.setdefault(path, Line(
                f"GET {path}, {CLIENTS} connections", "requests/s",
                f"pgbench, its statement, its {connections} connections", aim_min=0.9))
            answered, cost = metered(
                stage, path, lambda: wrk.run(stage.server, pace.seconds, CLIENTS, path, bearer))
            base, base_cost = metered_pgbench(stage, script, variables, connections, pace.seconds)
            line.add(answered.rate, base, cost, base_cost)
            threads = min(connections, machine.CORES)
            if threads > 1:
                most = lines.setdefault(f"{path} most", Line(
                    f"GET {path}, the same", "requests/s", f"the same pgbench with {threads} threads",
                    aim_min=0.9))
                base, _ = metered_pgbench(stage, script, variables, connections, pace.seconds, threads)
                most.add(answered.rate, base)
        health = lines.setdefault("/healthz", Line(f"GET /healthz, {CLIENTS} connections", "requests/s", "GET /v1/me"))
        answered, cost = metered(
            stage, "/healthz", lambda: wrk.run(stage.server, pace.seconds, CLIENTS, "/healthz"))
        health.add(answered.rate, lines["/v1/me"].ours[-1], cost)
        noise = lines.setdefault("noise", Line("noise: pgbench, select 1", "transactions/s"))
        noise.add(stage.database.pgbench("select 1;\n", {}, NOISE_CONNECTIONS, 1))
    return list(lines.values())


# Writes -------------------------------------------------------------------------------------------------------------


def writes(stage, pace, progress):
    """Tweets against pgbench with the same statement: both wait for the disk."""
    tweet = json.dumps({"text": "Low tide at noon; bring the small nets, the tall boots and something warm to drink."})
    requests = wrk.write_requests("tweets", [
        ("POST", "/v1/tweets", {**person.bearer, "Idempotency-Key": "bench-############"}, tweet)
        for person in stage.people])
    statement, _ = stage.statement_of(201, "POST", "/v1/tweets", json.loads(tweet), stage.people[0].bearer)
    connections = _connections(stage, statement, lambda: wrk.run(stage.server, 1, CLIENTS, replay=requests))
    # pgbench has whole numbers only, so that ids are made of one here.
    statement = statement.replace("$2::uuid", "lpad($2::text, 32, '0')::uuid")
    # Each connection has an account of its own: tweets of one account wait for each other.
    script = "\\set n :n + 1\n\\set id :first + :client_id * 10000000 + :n\n"
    for index in range(connections):
        text = database.script(
            statement, {1: f"digest{index}", 2: "id", 3: "text", 4: "time", 5: "id", 6: "max", 7: "seconds"})
        script += f"\\if :client_id = {index}\n{text}\\endif\n"
    variables = {f"digest{index}": stage.people[index % len(stage.people)].digest for index in range(connections)}
    variables |= {"text": json.loads(tweet)["text"], "time": "2026-11-30T09:15:00Z", "max": 1_000_000, "seconds": 3600}
    line = Line(f"POST /v1/tweets, {CLIENTS} connections", "requests/s",
                f"pgbench, its statement, its {connections} connections")
    for number in rounds(pace, progress, "writes"):
        first = (number + 1) * 1_000_000_000
        answered, cost = metered(stage, "/v1/tweets", lambda: wrk.run(
            stage.server, pace.seconds, CLIENTS, replay=requests, first=first))
        base, base_cost = metered_pgbench(
            stage, script, {**variables, "first": first, "n": 0}, connections, pace.seconds)
        line.add(answered.rate, base, cost, base_cost)
    return [line]


# Passwords ----------------------------------------------------------------------------------------------------------


def login_requests(stage):
    """Every person from an address of its own, with the right password."""
    return wrk.write_requests("logins", [
        ("POST", "/v1/login", {"X-Forwarded-For": address(1_000 + number)},
         json.dumps({"login": person.username, "password": PASSWORD}))
        for number, person in enumerate(stage.people)])


def passwords(stage, pace, progress):
    """Log-ins and sign-ups against what the machine hashes with nothing around it."""
    logins = login_requests(stage)
    # So many addresses that none of them reaches its limit.
    registrations = wrk.write_requests("registrations", [
        ("POST", "/v1/register", {"X-Forwarded-For": address(4_096 + number)},
         json.dumps({"email": "n############@example.org", "username": "n############", "password": PASSWORD}))
        for number in range(4_096)])
    hashing = argon2.Argon2(stage.server)
    stored = stage.stored_hash()
    bare = "bare Argon2id on all cores"
    login = Line(f"POST /v1/login, {LOGIN_CLIENTS} connections", "requests/s", bare, aim_min=0.95)
    register = Line(f"POST /v1/register, {LOGIN_CLIENTS} connections", "requests/s", bare)
    for number in rounds(pace, progress, "passwords"):
        base = hashing.rate(stored, PASSWORD, pace.seconds)
        answered, cost = metered(stage, "/v1/login", lambda: wrk.run(
            stage.server, pace.seconds, LOGIN_CLIENTS, replay=logins))
        login.add(answered.rate, base, cost)
        stage.server.settle()
        answered, cost = metered(stage, "/v1/register", lambda: wrk.run(
            stage.server, pace.seconds, LOGIN_CLIENTS, replay=registrations, first=number * 1_000_000))
        register.add(answered.rate, base, cost)
        stage.server.settle()
    return [login, register]


def patience(stage, pace, progress):
    """How much longer `/v1/me` takes while log-ins keep every core busy."""
    logins = login_requests(stage)
    bearer = stage.people[0].bearer
    line = Line(f"p99 of /v1/me, {MODERATE_CLIENTS} connections, while log-ins saturate", "ms",
                "the same without log-ins", aim_max=10)
    beside = Line("log-ins meanwhile", "requests/s")
    for number in rounds(pace, progress, "p99 beside log-ins"):
        quiet = checked(wrk.run(stage.server, pace.seconds, MODERATE_CLIENTS, "/v1/me", bearer), "/v1/me")
        load = wrk.Load(stage.server, pace.seconds + 1, LOGIN_CLIENTS, replay=logins)
        time.sleep(0.5)
        busy = checked(wrk.run(stage.server, pace.seconds, MODERATE_CLIENTS, "/v1/me", bearer), "/v1/me")
        beside.add(checked(load.wait(), "/v1/login").rate)
        line.add(busy.p99_ms, quiet.p99_ms)
        stage.server.settle()
    return [line, beside]


# The process --------------------------------------------------------------------------------------------------------


def memory(stage, pace, progress):
    """Memory of a fresh server at rest, after many requests, and with every core hashing."""
    requests = wrk.write_requests("mixed", [
        ("GET", path, stage.people[0].bearer, None) for path in ("/v1/me", "/v1/feed", "/v1/me", "/v1/sessions")])
    rest = Line("memory at rest, resident", "MiB", aim_most=40)
    private = Line("memory at rest, private to the process", "MiB")
    with Server(stage.binary, stage.database.target) as server:
        server.expect(200, "GET", "/v1/me", None, stage.people[0].bearer)
        time.sleep(1)
        first = server.memory_mib()
        rest.add(first["resident"])
        private.add(first["private"])
        count, warm = 0, None
        deadline = time.monotonic() + pace.memory_seconds_max
        while count < pace.memory_requests and time.monotonic() < deadline:
            progress(f"memory, {count:,} of {pace.memory_requests:,} requests")
            count += checked(wrk.run(server, pace.memory_slice_seconds, CLIENTS, replay=requests), "memory").requests
            server.settle()
            warm = warm or server.memory_mib()
        after = server.memory_mib()
        progress("memory while log-ins saturate")
        checked(wrk.run(server, pace.seconds, CLIENTS, replay=login_requests(stage)), "/v1/login")
        peak = server.memory_mib()["peak"]
        server.settle()
        end = server.memory_mib()
    grown = Line(f"memory grown from the first slice of load to {count:,} requests", "MiB", aim_most=1)
    grown.add(after["resident"] - warm["resident"])
    lines = [rest, private, grown]
    for name, value in (
        ("memory after those requests, resident", after["resident"]),
        (f"memory at peak of those requests, {CLIENTS} connections", after["peak"]),
        ("memory at peak of log-ins", peak), ("memory after the log-ins, resident", end["resident"]),
    ):
        lines.append(Line(name, "MiB"))
        lines[-1].add(value)
    return lines


def start(stage, pace, progress):
    """From the start of the process to the first answer of `/readyz`, on a database that is up and migrated."""
    line = Line("start to the first 200 of /readyz", "ms", aim_most=100)
    for number in range(pace.starts):
        progress(f"start {number + 1} of {pace.starts}")
        pace.quiet.wait()
        with Server(stage.binary, stage.database.target) as server:
            line.add(server.ready_seconds * 1e3)
    return [line]


ALL = {
    "reads": reads, "writes": writes, "passwords": passwords, "patience": patience, "memory": memory, "start": start,
}
