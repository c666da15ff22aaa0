"""Loads made by wrk: a fixed number of connections, each sending its next request as soon as it has an answer."""

import os
import re
import subprocess
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclass
class Answered:
    """What came of a load. `refused` counts answers of 400 and above, `broken` what got no answer at all."""

    requests: int
    seconds: float
    refused: int
    broken: int
    p50_ms: float
    p99_ms: float

    @property
    def rate(self):
        return self.requests / self.seconds

    @property
    def failed(self):
        return self.refused + self.broken


class Load:
    """A load under way. `wait` ends with it; a second or so after its time wrk is killed."""

    def __init__(self, server, seconds, connections, path="/", headers=None, replay=None, first=0):
        """Sends `GET path`, or the requests of the file `replay`, whose numbers begin at `first`: see replay.lua."""
        self._seconds = seconds
        command = ["wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "10s"]
        command += ["-s", os.path.join(HERE, "replay.lua")]
        for name, value in (headers or {}).items():
            command += ["-H", f"{name}: {value}"]
        environment = dict(os.environ)
        if replay:
            environment.update(REPLAY=replay, REPLAY_FIRST=str(first))
        self._process = subprocess.Popen(
            command + [server.address + path], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)

    def wait(self):
        try:
            output, _ = self._process.communicate(timeout=self._seconds + 30)
        except BaseException:
            self._process.kill()
            self._process.wait()
            raise
        found = re.search(r"^RESULT (.*)$", output, re.MULTILINE)
        if self._process.returncode != 0 or not found:
            raise RuntimeError(f"wrk fails: {output.strip()}")
        fields = {name: int(value) for name, value in (pair.split("=") for pair in found[1].split())}
        return Answered(
            requests=fields["requests"], seconds=fields["microseconds"] / 1e6, refused=fields["refused"],
            broken=fields["broken"], p50_ms=fields["p50"] / 1e3, p99_ms=fields["p99"] / 1e3)


def run(*arguments, **options):
    return Load(*arguments, **options).wait()


def write_requests(name, requests):
    """Keeps requests in a file for replay.lua: (method, path, headers, body) each. Answers its path."""
    path = os.path.join(os.environ["TMPDIR"], name)
    with open(path, "wb") as file:
        file.write(b"\0".join(_bytes(*request) for request in requests))
    return path


def _bytes(method, path, headers, body):
    head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"] + [f"{name}: {value}" for name, value in headers.items()]
    if body is not None:
        head += ["Content-Type: application/json", f"Content-Length: {len(body.encode())}"]
    return ("\r\n".join(head) + "\r\n\r\n" + (body or "")).encode()
