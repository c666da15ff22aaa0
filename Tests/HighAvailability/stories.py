"""What holds while nodes die, and afterwards."""

import concurrent.futures
import http.client
import json
import threading
import time

from crowd import PASSWORD, Crowd
from stage import BROKEN, NODES, eventually

# Any row is an account by half, or a count that is wrong.
HALVES = """
select 'account without credential', id from account where not exists (select from credential where account_id = id)
union all
select 'account without its letter', id from account
where not exists (select from outbox where outbox.account_id = account.id)
union all
select 'account without its event', id from account
where 1 <> (select count(*) from audit_event where account_id = account.id and kind = 'signed_up')
union all
select 'count of tweets', id from account
where tweet_count <> (select count(*) from tweet where author_id = account.id)
"""


def direct(stage):
    """Nodes on PostgreSQL itself."""
    stage.start_balancer()
    stage.start_nodes()
    with Crowd(stage) as crowd, Reader(stage, crowd) as reader:
        kill_each(stage, rounds=2)
        eventually(lambda: crowd.has_done(30), 90, "that clients go on")
        reader.check()
    settle(stage, crowd)
    limits(stage, crowd)


def pooled(stage):
    """Nodes on PgBouncer, which lends them three connections."""
    stage.start_pooler()
    stage.start_balancer()
    stage.start_nodes()
    assert "database_is_pooled" in stage.log("node0")
    with Crowd(stage) as crowd:
        time.sleep(4)
        assert not crowd.broken, f"nothing was killed yet: {crowd.broken}"
        kill_each(stage, rounds=1)
        stage.kill("pgbouncer")
        time.sleep(1)
        stage.start_pooler(refuses_options=True)
        eventually(lambda: stage.is_ready(stage.port))
        least = max(30, len(crowd.accounts) + 3)
        eventually(lambda: crowd.has_done(least), 90, "that clients go on")
        assert "unsupported startup parameter" in stage.log("pgbouncer")
    settle(stage, crowd)
    limits(stage, crowd)
    prepared = stage.roost("psql", "--", "-XAtc", "select count(*) from pg_prepared_statements")
    assert prepared.stdout.strip() == "0", prepared


def kill_each(stage, rounds):
    for _ in range(rounds):
        for index in range(NODES):
            time.sleep(1)
            stage.kill(f"node{index}")
            time.sleep(1.5)
            stage.start_node(index)
            eventually(lambda: stage.is_ready(stage.node_ports[index]))


def settle(stage, crowd):
    """All that was answered holds, on each node, and nothing is there by half."""
    assert not crowd.wrong, "\n".join(crowd.wrong[:10])
    done = f"{len(crowd.accounts)} sign-ups, {len(crowd.tweets)} tweets, {len(crowd.ended)} sign-outs"
    print(f"      {done}; broken: {crowd.broken}", flush=True)
    assert stage.sql(HALVES) == []

    names = {row[0] for row in stage.sql("select username from account")}
    assert crowd.accounts <= names, f"lost: {crowd.accounts - names}"
    assert names <= {name.ljust(3, "x") for name in crowd.tried} | {"reader"}, "nobody asked for these"

    tweets = dict(stage.sql("select id, idempotency_key from tweet"))
    assert crowd.tweets.items() <= tweets.items(), "tweets are lost"
    for port in stage.node_ports:
        for token, name in crowd.open.items():
            assert crowd.call("GET", "/v1/me", 200, token=token, port=port)["username"] == name
        for token in crowd.ended:
            crowd.call("GET", "/v1/me", 401, token=token, port=port)
    assert not crowd.wrong, f"a session that is signed out is good: {crowd.wrong[:3]}"


def limits(stage, crowd):
    """Asked for at once over all nodes: exactly what is allowed, and each address has an allowance of its own."""
    form = {"email": "limit@example.com", "username": "limited", "password": PASSWORD}
    token = crowd.call("POST", "/v1/register", 201, "127.100.0.1", body=form)["session"]["token"]

    def post(number):
        return status(stage, "127.100.0.1", "/v1/tweets", {"text": f"number {number}"}, token)

    def sign_up(source):
        def attempt(number):
            name = f"{source.replace('127.100.0.', 'many')}x{number}"
            form = {"email": f"{name}@example.com", "username": name, "password": PASSWORD}
            return status(stage, source, "/v1/register", form)
        return attempt

    def mistake(source, name):
        def attempt(number):
            form = {"login": name.format(number), "password": f"an engine of tin {number}"}
            return status(stage, source, "/v1/login", form)
        return attempt

    # As LIMIT_TWEETS_ACCOUNT, LIMIT_REGISTER_ADDRESS, LIMIT_LOGIN_ACCOUNT_ADDRESS and LIMIT_LOGIN_ADDRESS say.
    for attempt, answer, allowed in [
        (post, 201, 30), (sign_up("127.100.0.2"), 201, 8), (sign_up("127.100.0.3"), 201, 8),
        (mistake("127.100.0.4", "limited"), 401, 5), (mistake("127.100.0.5", "limited"), 401, 5),
        (mistake("127.100.0.6", "nobody{}"), 401, 12),
    ]:
        with concurrent.futures.ThreadPoolExecutor(9) as pool:
            found = list(pool.map(attempt, range(2 * allowed)))
        assert found.count(answer) == found.count(429) == allowed, found
    right = {"login": "limited", "password": PASSWORD}
    for source, expected in [("127.100.0.4", 429), ("127.100.0.6", 429), ("127.100.0.7", 201)]:
        assert status(stage, source, "/v1/login", right) == expected, source
    assert stage.sql("select count(*) from tweet where text like 'number %'") == [["30"]]


def status(stage, source, path, body, token=None):
    """Over HAProxy, which gives each node its share."""
    connection = http.client.HTTPConnection("127.0.0.1", stage.port, timeout=30, source_address=(source, 0))
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    connection.request("POST", path, json.dumps(body), headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


class Reader:
    """Reads the live feed of somebody who posts, and goes on after the last tweet wherever the connection breaks."""

    def __init__(self, stage, crowd):
        self.stage, self.crowd = stage, crowd
        self.posted, self.read, self.starts, self.last = [], [], 0, None
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self._post), threading.Thread(target=self._listen, daemon=True)]

    def __enter__(self):
        form = {"email": "reader@example.com", "username": "reader", "password": PASSWORD}
        self.token = self.crowd.call("POST", "/v1/register", 201, body=form)["session"]["token"]
        self.threads[1].start()
        eventually(lambda: self.starts == 1)
        self.threads[0].start()
        return self

    def __exit__(self, *_):
        self.is_over.set()

    def check(self):
        self.is_over.set()
        self.threads[0].join()
        eventually(lambda: set(self.posted) <= set(self.read), what="that all tweets come live")
        print(f"      {len(self.posted)} tweets came live, over {self.starts} connections", flush=True)
        assert self.starts > 1, "no connection broke"

    def _post(self):
        for number in range(29):
            key = f"live {number}"
            while not self.is_over.is_set():
                made = self.crowd.call("POST", "/v1/tweets", 201, token=self.token, body={"text": key}, key=key)
                if made:
                    self.posted.append(made["id"])
                    break
            if self.is_over.wait(0.7):
                return

    def _listen(self):
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.stage.port, timeout=30)
                headers = {"Authorization": f"Bearer {self.token}"} | ({"Last-Event-ID": self.last} if self.last else {})
                connection.request("GET", "/v1/feed/live", headers=headers)
                answer = connection.getresponse()
                if answer.status == 200:
                    self.starts += 1
                    self._take(answer)
            except BROKEN:
                pass
            time.sleep(0.2)

    def _take(self, lines):
        place = kind = None
        for line in lines:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "id":
                place = value
            elif name == "event":
                kind = value
            elif name == "data" and kind == "tweet":
                self.read.append(json.loads(value)["id"])
            elif not name and place:
                self.last, place, kind = place, None, None
