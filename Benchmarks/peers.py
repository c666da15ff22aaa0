"""Roost beside a FastAPI server of the same calls on the same database, from 1 to 1,024 connections."""

import json
from dataclasses import dataclass
from statistics import median

import machine
import measures
import report
import wrk
from server import Peer, Server

CONNECTIONS = (1, 16, 64, 256, 1_024)
WRITE_CONNECTIONS = (64,)
STARTS = 3


@dataclass(frozen=True)
class Call:
    """What is measured: a path to read, or a file of requests to replay."""

    name: str
    connections: tuple
    options: dict


@dataclass
class Round:
    """One server under one load."""

    rate: float
    p50_ms: float
    p99_ms: float
    failed: int
    server_us: float
    postgres_us: float
    memory_mib: float


def measure(stage, pace, progress):
    """The report, in Markdown, and the medians that a plot is made of."""
    with Peer(stage.database) as peer:
        _compare_answers(stage, peer)
        # A node of its own, so that the memory is that of this load alone.
        with Server(stage.binary, stage.database.target) as roost:
            rounds, pgbench = _rounds(stage, {"Roost": roost, "FastAPI": peer}, pace, progress)
    starts = _starts(stage, pace, progress)
    return _text(rounds, pgbench, starts), _series(rounds, pgbench)


def _compare_answers(stage, peer):
    """A peer that answers something else would be no peer."""
    viewer = stage.people[0]
    for path in ("/v1/me", "/v1/feed"):
        ours, theirs = (server.expect(200, "GET", path, None, viewer.bearer) for server in (stage.server, peer))
        if ours != theirs:
            raise measures.Failed(f"{path}: the peer answers {theirs}, Roost {ours}")


def _calls(stage):
    bearer = stage.people[0].bearer
    tweet = json.dumps({"text": "Gale warning until six. The ferry stays in, the bakery opens anyway, bring a torch."})
    # The viewer posts nothing, so that the feed stays as it is.
    tweets = wrk.write_requests("peers-tweets", [
        ("POST", "/v1/tweets", person.bearer, tweet) for person in stage.people[1:]])
    return [
        Call("GET /v1/me", CONNECTIONS, {"path": "/v1/me", "headers": bearer}),
        Call("GET /v1/feed", CONNECTIONS, {"path": "/v1/feed", "headers": bearer}),
        Call("POST /v1/tweets", WRITE_CONNECTIONS, {"replay": tweets}),
        Call("POST /v1/login", WRITE_CONNECTIONS, {"replay": measures.login_requests(stage)}),
    ]


def _rounds(stage, servers, pace, progress):
    """For each call, number of connections and server its rounds; and pgbench's rates for the reads."""
    found, pgbench = {}, {}
    calls = _calls(stage)
    scripts = {path: rest for path, *rest in measures.read_scripts(stage)}
    for number in measures.rounds(pace, progress, "peers", pace.peer_rounds):
        for call in calls:
            for connections in call.connections:
                for name, server in servers.items():
                    found.setdefault((call.name, connections, name), []).append(
                        _load(stage, server, call, connections, pace.peer_seconds))
                    server.settle()
            rest = scripts.get(call.options.get("path"))
            if rest:
                rate, _ = measures.metered_pgbench(stage, *rest, pace.seconds)
                pgbench.setdefault(call.name, []).append(rate)
    return found, pgbench


def _load(stage, server, call, connections, seconds):
    meter = measures.Meter(stage, server)
    answered = wrk.run(server, seconds, connections, **call.options)
    cost = meter.stop(answered.requests)
    if answered.failed and isinstance(server, Server):
        raise measures.Failed(f"{call.name}, {connections} connections: {answered.failed} fail")
    return Round(
        answered.rate, answered.p50_ms, answered.p99_ms, answered.failed, cost.server if cost else 0,
        cost.postgres if cost else 0, server.memory_mib()["resident"])


def _starts(stage, pace, progress):
    """Seconds to the first answer, of each."""
    found = {"Roost": [], "FastAPI": []}
    for number in range(STARTS):
        progress(f"peers, start {number + 1} of {STARTS}")
        pace.quiet.wait()
        with Server(stage.binary, stage.database.target) as server:
            found["Roost"].append(server.ready_seconds)
        with Peer(stage.database) as server:
            found["FastAPI"].append(server.ready_seconds)
    return found


def _middle(rounds, name):
    return median(getattr(each, name) for each in rounds)


def _row(call, connections, name, rounds, base):
    fields = ("rate", "p50_ms", "p99_ms", "server_us", "postgres_us", "memory_mib")
    numbers = [_middle(rounds, field) for field in fields]
    failed = sum(each.failed for each in rounds)
    ratio = ""
    if base and all(each.rate for each in base):
        ratio = report.number(median(ours.rate / theirs.rate for ours, theirs in zip(rounds, base)))
    return [call, f"{connections:,}", name, *map(report.number, numbers), str(failed) if failed else "", ratio]


def _text(rounds, pgbench, starts):
    head = [
        "call", "connections", "server", "requests/s", "p50, ms", "p99, ms", "server, µs", "PostgreSQL, µs",
        "memory, MiB", "failed", "times FastAPI"]
    rows = [
        _row(call, connections, name, found, rounds[call, connections, "FastAPI"] if name == "Roost" else None)
        for (call, connections, name), found in rounds.items()]
    lines = [
        "## Peers", "",
        f"FastAPI with SQLAlchemy and asyncpg under uvicorn (uvloop, httptools), {machine.CORES} processes; Roost with "
        "one thread for requests.", "Medians of the rounds; processor time is that of one request.", "",
        report.table(head, rows), ""]
    for call, rates in pgbench.items():
        best = [max(rounds[call, connections, "Roost"][number].rate for connections in CONNECTIONS)
                for number in range(len(rates))]
        ratio = median(ours / theirs for ours, theirs in zip(best, rates))
        lines.append(
            f"{call}: pgbench, the same statement, as many connections and one thread, "
            f"{report.number(median(rates))}/s; Roost at its best is {ratio:.2f} of it.")
    for name, seconds in starts.items():
        lines.append(f"{name}: {median(seconds) * 1e3:.0f} ms from the start to the first answer.")
    return "\n".join(lines)


def _series(rounds, pgbench):
    """For each call that is read: the points of each server, and pgbench's rate."""
    series = {}
    for (call, connections, name), found in rounds.items():
        if call in pgbench:
            points = series.setdefault(call, {"pgbench": median(pgbench[call]), "servers": {}})["servers"]
            points.setdefault(name, []).append(
                (connections, _middle(found, "rate"), _middle(found, "p99_ms")))
    return series
