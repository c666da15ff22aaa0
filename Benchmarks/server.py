"""Servers under measurement."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

import machine

HERE = os.path.dirname(os.path.abspath(__file__))
READY_SECONDS_MAX = 30
STOP_SECONDS_MAX = 15
SETTLE_SECONDS_MAX = 20

# Every client here comes from one address. So addresses come from a header, and one account may tweet all day: all
# limits are counted as ever, and none is reached.
SETTINGS = {"TRUSTED_PROXIES": "127.0.0.1/32", "LIMIT_TWEETS_ACCOUNT": "1000000/h", "LOG_FORMAT": "json"}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Process:
    """A process that serves HTTP on a port of its own and is ready. What it prints goes to /dev/null: it is written,
    and nobody keeps it."""

    name = "the server"
    ready_path = "/readyz"

    def __init__(self, command, environment, port):
        self.port = port
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "ROOST_TEST_RUN") if name in os.environ}
        start = time.monotonic()
        self._process = subprocess.Popen(
            command, env={**kept, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            self._wait(start + READY_SECONDS_MAX)
        except BaseException:
            self.stop()
            raise
        # From before its process existed to the first whole answer.
        self.ready_seconds = time.monotonic() - start

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def _wait(self, deadline):
        while not self._answers():
            if self._process.poll() is not None:
                raise RuntimeError(f"{self.name} ends with status {self._process.returncode}")
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.name} is not ready after {READY_SECONDS_MAX} s")
            time.sleep(0.0005)

    def _answers(self):
        try:
            return self.request("GET", self.ready_path).status == 200
        except OSError:
            return False

    @property
    def pid(self):
        return self._process.pid

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def request(self, method, path, body=None, headers=None):
        """Sends one request on a connection of its own; the answer has `status` and `value`, its JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            sent = {**({"Content-Type": "application/json"} if body is not None else {}), **(headers or {})}
            connection.request(method, path, json.dumps(body) if body is not None else None, sent)
            answer = connection.getresponse()
            text = answer.read()
            answer.value = json.loads(text) if text else None
            return answer
        finally:
            connection.close()

    def expect(self, status, method, path, body=None, headers=None):
        """The JSON of the answer, which must have this status."""
        answer = self.request(method, path, body, headers)
        if answer.status != status:
            raise RuntimeError(f"{method} {path} answers {answer.status}: {answer.value}")
        return answer.value

    def cpu_seconds(self):
        return machine.cpu_seconds(self.pid)

    def memory_mib(self):
        return machine.memory_mib(self.pid)

    def settle(self):
        """Waits until it works no more on what clients have left behind."""
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        used = self.cpu_seconds()
        while time.monotonic() < deadline:
            time.sleep(0.5)
            before, used = used, self.cpu_seconds()
            if used is None or used - before < 0.02:
                return

    def stop(self):
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


class Server(Process):
    """One run of Roost, as a user would start it."""

    def __init__(self, binary, target, settings=SETTINGS):
        port = free_port()
        super().__init__([binary, "serve"], {**settings, "DATABASE_URL": target, "LISTEN": f"127.0.0.1:{port}"}, port)


class Peer(Process):
    """FastAPI, SQLAlchemy and asyncpg under uvicorn, with a process for each core. See peer/main.py."""

    name = "the peer"
    ready_path = "/healthz"

    def __init__(self, database):
        port = free_port()
        settings = dict(pair.split("=", 1) for pair in database.target.split())
        url = "postgresql+asyncpg:///?" + urllib.parse.urlencode({
            "host": settings["host"], "user": settings["user"], "database": settings["dbname"]})
        command = [
            sys.executable, "-m", "uvicorn", "main:app", "--app-dir", os.path.join(HERE, "peer"), "--host", "127.0.0.1",
            "--port", str(port), "--workers", str(machine.CORES), "--log-level", "warning", "--no-access-log"]
        super().__init__(command, {"PEER_DATABASE_URL": url}, port)

    def cpu_seconds(self):
        return machine.family_cpu_seconds(self.pid)

    def memory_mib(self):
        return {"resident": machine.family_memory_mib(self.pid)}
