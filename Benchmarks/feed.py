"""The home feed of viewers who follow few and many, in a small and in a large database."""

import os
import subprocess

import measures
import wrk
from database import Database, script
from report import Line
from server import Server
from stage import PASSWORD, Person, address

FOLLOWED = (10, 100, 1_000, 10_000)
PAGE = 20
PAGE_SIZES = (1, 20, 100)
CLIENTS = 4
SEED_SECONDS_MAX = 600


class World:
    """A seeded database with a server on it, and the viewers logged in."""

    def __init__(self, stage, pace, tweets):
        self.tweets = tweets
        self.database = Database(stage.database.cluster, stage.database.programs, f"feed_{tweets}")
        environment = {**os.environ, "DATABASE_URL": self.database.target}
        subprocess.run([stage.binary, "migrate"], env=environment, check=True, stdout=subprocess.DEVNULL)
        followed = [number for number in FOLLOWED if number < pace.feed_accounts]
        subprocess.run(
            [stage.binary, "seed", "--accounts", str(pace.feed_accounts), "--tweets", str(tweets),
             "--follows", str(pace.feed_accounts * 5), "--likes", "0", "--viewers", ",".join(map(str, followed)),
             "--password"],
            env=environment, input=PASSWORD + "\n", text=True, check=True, stdout=subprocess.DEVNULL,
            timeout=SEED_SECONDS_MAX)
        self.server = Server(stage.binary, self.database.target)
        self.viewers = {number: self._log_in(f"viewer_{number}") for number in followed}
        self.middle = self.database.ask(f"select id from tweet order by id offset {tweets // 2} limit 1")
        self.database.ask("vacuum analyze")
        self.server.expect(200, "GET", "/v1/feed", None, self.viewers[10].bearer)
        self._statement = self.database.last_statement()

    def _log_in(self, username):
        answer = self.server.expect(
            201, "POST", "/v1/login", {"login": username, "password": PASSWORD}, {"X-Forwarded-For": address(1)})
        digest = self.database.ask(f"select token_digest from session where id = '{answer['session']['id']}'")
        return Person(username, answer["session"]["token"], digest)

    def load(self, followed, before, limit, seconds):
        """What was answered, and the processor time of each answer."""
        path = f"/v1/feed?limit={limit}" + (f"&before={before}" if before else "")
        return measures.metered(self, f"feed of {followed}", lambda: wrk.run(
            self.server, seconds, CLIENTS, path, self.viewers[followed].bearer))

    def pgbench(self, followed, before, limit, seconds):
        """The rate of the same statement, over as many connections as the server has used for it."""
        variables = {
            "digest": self.viewers[followed].digest, "before": before or measures.NO_TWEET_YET, "rows": limit + 1}
        connections = max(1, self.database.connections(self._statement))
        return self.database.pgbench(
            script(self._statement, {1: "digest", 2: "before", 3: "rows"}), variables, connections, seconds)

    def close(self):
        self.server.stop()


def feed(stage, pace, progress):
    """Pages against pgbench with the same statement; the large database against the small one; 1,000 against 10
    followed; and larger pages against the default."""
    worlds = []
    try:
        for tweets in pace.feed_tweets:
            progress(f"seeds a database with {tweets:,} tweets")
            worlds.append(World(stage, pace, tweets))
        return _measured(worlds, pace, progress)
    finally:
        for world in worlds:
            world.close()


def _measured(worlds, pace, progress):
    lines = {}
    small, large = worlds
    names = {tweets: f"{tweets:,} tweets" for tweets in pace.feed_tweets}
    seconds = pace.feed_seconds

    def line(key, *arguments, **options):
        return lines.setdefault(key, Line(*arguments, **options))

    for _ in measures.rounds(pace, progress, "feed", pace.feed_rounds):
        for place in ("first page", "deep page"):
            p99 = {}
            for followed in small.viewers:
                for world in worlds:
                    before = world.middle if place == "deep page" else None
                    what = f"feed, {followed:,} followed, {place}, {names[world.tweets]}"
                    answered, cost = world.load(followed, before, PAGE, seconds)
                    base = world.pgbench(followed, before, PAGE, seconds)
                    line((what, "rate"), what, "requests/s", "pgbench, its statement").add(
                        answered.rate, base, cost)
                    line((what, "p50"), f"{what}, p50", "ms").add(answered.p50_ms)
                    p99[world.tweets, followed] = answered.p99_ms
                line(
                    (place, followed), f"feed, {followed:,} followed, {place}, p99, {names[large.tweets]}", "ms",
                    names[small.tweets], aim_max=1.5).add(p99[large.tweets, followed], p99[small.tweets, followed])
            if 1_000 in small.viewers:
                line(
                    (place, "few"), f"feed, 1,000 followed, {place}, p99, {names[large.tweets]}", "ms", "10 followed",
                    aim_max=5).add(p99[large.tweets, 1_000], p99[large.tweets, 10])
        for limit in PAGE_SIZES:
            followed = max(number for number in large.viewers if number <= 1_000)
            what = f"feed, {followed:,} followed, page of {limit}, {names[large.tweets]}"
            answered, cost = large.load(followed, None, limit, seconds)
            line((what, "size"), what, "requests/s", "pgbench, its statement").add(
                answered.rate, large.pgbench(followed, None, limit, seconds), cost)
    return list(lines.values())
