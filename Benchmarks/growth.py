"""The calls of random accounts in databases of ten thousand to a million of them."""

import base64
import hashlib
import json
import os
import subprocess

import measures
import wrk
from database import Database
from report import Line
from server import Server

CLIENTS = 16
SAMPLE = 4_096
SEED_SECONDS_MAX = 900
# A session for each account, whose token can be told from its username.
SESSIONS = """
insert into session (id, account_id, token_digest, epoch, ip, expires_at)
select gen_random_uuid(), id, sha256(sha256(username::bytea)), session_epoch, '192.0.2.1', now() + interval '30 days'
from account;
vacuum analyze;
"""


def bearer(username):
    token = base64.urlsafe_b64encode(hashlib.sha256(username.encode()).digest()).decode().rstrip("=")
    return {"Authorization": f"Bearer roost_{token}"}


class Town:
    """A database with so many accounts, as many tweets and twice as many follows, and a server on it."""

    def __init__(self, stage, accounts):
        self.database = Database(stage.database.cluster, stage.database.programs, f"growth_{accounts}")
        environment = {**os.environ, "DATABASE_URL": self.database.target}
        subprocess.run([stage.binary, "migrate"], env=environment, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(
            [stage.binary, "seed", "--accounts", str(accounts), "--tweets", str(accounts), "--follows",
             str(2 * accounts), "--likes", "0"],
            env=environment, check=True, stdout=subprocess.DEVNULL, timeout=SEED_SECONDS_MAX)
        self.database.ask(SESSIONS)
        # Not in one piece of the table, and without reading all of it in random order.
        names = self.database.ask(
            f"select username from account tablesample bernoulli ({min(100, 300 * SAMPLE / accounts)}) "
            f"order by random() limit {SAMPLE}").splitlines()
        self.server = Server(stage.binary, self.database.target)
        tweet = json.dumps({"text": "Lamp three is out again. I have written to the harbour office, in verse."})
        self._files = {
            call: wrk.write_requests(f"growth-{accounts}-{number}", [
                (method, path.format(name=other), {**bearer(name), **headers}, body)
                for name, other in zip(names, reversed(names))])
            for number, (call, method, path, headers, body) in enumerate([
                ("GET /v1/me", "GET", "/v1/me", {}, None),
                ("GET /v1/users/{username}", "GET", "/v1/users/{name}", {}, None),
                ("GET /v1/feed", "GET", "/v1/feed", {}, None),
                ("POST /v1/tweets", "POST", "/v1/tweets", {}, tweet),
            ])}

    @property
    def calls(self):
        return list(self._files)

    def load(self, call, seconds):
        return measures.metered(self, call, lambda: wrk.run(
            self.server, seconds, CLIENTS, replay=self._files[call]))

    def close(self):
        self.server.stop()


def growth(stage, pace, progress):
    """Each call in each database, and its p99 against that in the smallest."""
    towns = {}
    try:
        for accounts in pace.growth_accounts:
            progress(f"seeds a database with {accounts:,} accounts")
            towns[accounts] = Town(stage, accounts)
        return _measured(towns, pace, progress)
    finally:
        for town in towns.values():
            town.close()


def _measured(towns, pace, progress):
    lines = {}
    smallest = min(towns)
    for call in towns[smallest].calls:  # brings the pages in that the rounds will want
        for town in towns.values():
            town.load(call, 1)
    for _ in measures.rounds(pace, progress, "growth", pace.growth_rounds):
        for call in towns[smallest].calls:
            base = None
            for accounts, town in sorted(towns.items()):
                answered, cost = town.load(call, pace.feed_seconds)
                base = base or answered
                what = f"{call}, {accounts:,} accounts"
                lines.setdefault((call, accounts, "rate"), Line(what, "requests/s", f"{smallest:,} accounts")).add(
                    answered.rate, base.rate, cost)
                lines.setdefault((call, accounts, "p99"), Line(f"{what}, p99", "ms", f"{smallest:,} accounts")).add(
                    answered.p99_ms, base.p99_ms)
    return [lines[key] for key in sorted(lines, key=lambda key: (towns[smallest].calls.index(key[0]), key[2] == "p99"))]
