"""What every measurement needs: a database with people in it, a server on it, and a meter for what both use."""

import resource
import time
from dataclasses import dataclass

import machine
from server import Server

FILLER_ACCOUNTS = 10_000
FILLER_TWEETS_EACH = 5
PEOPLE = 32
PASSWORD = "walrus under 7 lamps"
# The first person's home feed: more than a page, of ordinary length.
TWEETS = 40
TWEET = "Number {}: the herring gulls are back on the roof, louder than last year and twice as sure of themselves."


@dataclass
class Person:
    username: str
    token: str
    digest: str

    @property
    def bearer(self):
        return {"Authorization": f"Bearer {self.token}"}


class Stage:
    def __init__(self, binary, database):
        """Migrates and fills an empty database with the server's own help, and leaves the server running."""
        self.binary = binary
        self.database = database
        self.server = Server(binary, database.target)
        database.seed(FILLER_ACCOUNTS, FILLER_TWEETS_EACH)
        self.people = [self._register(f"bench{number}", number) for number in range(PEOPLE)]
        for number in range(TWEETS):
            self.server.expect(201, "POST", "/v1/tweets", {"text": TWEET.format(number)}, self.people[0].bearer)
        database.ask("vacuum analyze")

    def _register(self, username, number):
        body = {"email": f"{username}@example.org", "username": username, "password": PASSWORD, "fullName": "B. Ench"}
        answer = self.server.expect(201, "POST", "/v1/register", body, {"X-Forwarded-For": address(number)})
        digest = self.database.ask(f"select token_digest from session where id = '{answer['session']['id']}'")
        return Person(username, answer["session"]["token"], digest)

    def statement_of(self, *request):
        """The text of the statement that the server runs for a request, and the request's answer."""
        answer = self.server.expect(*request)
        return self.database.last_statement(), answer

    def stored_hash(self):
        return self.database.ask(
            "select password_hash from credential join account on account.id = account_id where username = 'bench0'")

    def close(self):
        self.server.stop()


def address(number):
    """One of 65,536 client addresses."""
    return f"198.18.{number >> 8 & 255}.{number & 255}"


@dataclass
class Cost:
    """Processor time for each request, in µs, and shares of all cores; None where the system does not tell."""

    server: float
    postgres: float
    client: float
    busy: float
    others: float
    # The server's processor time as a share of one core.
    server_core: float


class Meter:
    """Runs from its making to `stop`."""

    def __init__(self, stage, server=None):
        """Meters `server`, or else the stage's own, and the stage's PostgreSQL."""
        self._database = stage.database
        self._server = server or stage.server
        self._start = self._read()

    def _read(self):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (
            time.monotonic(), self._server.cpu_seconds(), self._database.cpu_seconds(),
            used.ru_utime + used.ru_stime, machine.busy_seconds())

    def stop(self, requests):
        end = self._read()
        if None in end:
            return None
        wall, server, postgres, client, busy = (after - before for before, after in zip(self._start, end))
        others = max(0.0, busy - server - postgres - client)
        whole = wall * machine.CORES
        each = 1e6 / max(1, requests)
        return Cost(
            server * each, postgres * each, client * each, busy / whole, others / whole, server / wall)
