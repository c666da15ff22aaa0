"""Nodes behind HAProxy on one database, perhaps with PgBouncer between.

The configurations are those of docs/scaling.md, with other ports.
"""

import contextlib
import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
NODES = 3
# Ports that are given away, whether anybody listens there yet or not.
TAKEN = set()
# What a client gets when what it talks to dies, or something behind that.
BROKEN = (ConnectionError, http.client.HTTPException, TimeoutError, OSError)


def documented(language):
    """The one block of code in this language that docs/scaling.md shows."""
    blocks = re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs/scaling.md").read_text(), re.S)
    assert len(blocks) == 1, language
    return blocks[0]


def replaced(text, old, new):
    assert text.count(old) == 1, f"{old} stands there {text.count(old)} times"
    return text.replace(old, new)


def free_ports(count, address="127.0.0.1"):
    """Ports that nobody listens on, and that no connection will take: they lie below the range for those."""
    lowest = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    found = []
    for port in range(lowest - 1 - os.getpid() % 5_000, 1_024, -1):
        if port in TAKEN:
            continue
        with contextlib.suppress(OSError), socket.create_server((address, port)):
            found.append(port)
            TAKEN.add(port)
        if len(found) == count:
            return found
    raise AssertionError("no free ports")


def eventually(condition, seconds=30, what="it"):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} does not happen within {seconds} s"
        time.sleep(0.05)


def call(port, method, path, source="127.0.0.1", headers=(), body=None):
    """Status and body of one request on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(source, 0))
    try:
        connection.request(method, path, body, dict(headers))
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


class Stage:
    # Longer than usual: a machine that tests is a busy one.
    answer_milliseconds = 10_000

    def __init__(self, name):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{name}."))
        self.folder.chmod(0o755)
        self.database = f"ha_{name}"
        self.cluster = dict(word.split("=", 1) for word in os.environ["ROOST_TEST_DATABASE"].split())
        self.port, self.pooler_port, *self.node_ports = free_ports(2 + NODES)
        self.processes = {}

    def prepare(self):
        """A database in the cluster that is there; `target` is for Roost, `sql_target` for looking at it."""
        self.target = self.sql_target = self.cluster_target(self.database)
        self.query(self.cluster_target("postgres"), f"create database {self.database}")

    def cluster_target(self, database):
        return f"host={self.cluster['host']} user={self.cluster['user']} dbname={database}"

    def __enter__(self):
        try:
            self.prepare()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind, error, trace):
        for process in self.processes.values():
            process.kill()
        for process in self.processes.values():
            process.wait()
        if error:
            for log in sorted(self.folder.glob("*.log")):
                lines = log.read_text(errors="replace").splitlines()
                notable = [line for line in lines if '"event":"request"' not in line]
                print(f"--- {log.name}", *notable[-15:], sep="\n", flush=True)

    def sql(self, text):
        return self.query(self.sql_target, text)

    @staticmethod
    def query(target, text):
        """The rows, each as a list of texts."""
        done = subprocess.run(
            ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", target, "-c", text],
            capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [line.split("|") for line in done.stdout.splitlines()]

    @property
    def as_user(self):
        """What goes before a command that refuses to run as root. PostgreSQL's folders are this user's alone."""
        user = os.stat(self.cluster["host"])
        as_user = ["setpriv", f"--reuid={user.st_uid}", f"--regid={user.st_gid}", "--clear-groups"]
        return as_user if os.geteuid() == 0 else []

    # Processes -------------------------------------------------------------------------------------------------------

    def start(self, name, command, environment=None, folder=None):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=folder,
                env={**os.environ, **(environment or {})})

    def kill(self, name):
        self.processes[name].send_signal(signal.SIGKILL)
        self.processes[name].wait()

    def start_balancer(self):
        text = replaced(documented("haproxy"), "127.0.0.1:8000", f"127.0.0.1:{self.port}")
        for index, port in enumerate(self.node_ports):
            text = replaced(text, f"127.0.0.1:{8081 + index}", f"127.0.0.1:{port}")
        path = self.folder / "haproxy.cfg"
        path.write_text(text)
        self.start("haproxy", ["haproxy", "-db", "-f", str(path)])

    def start_pooler(self, refuses_options=False):
        """PgBouncer with fewer connections to PostgreSQL than the nodes have to it; it refuses to run as root."""
        text = replaced(
            documented("ini"), "host=127.0.0.1 port=5432 dbname=roost",
            f"host={self.cluster['host']} dbname={self.database} user={self.cluster['user']}")
        text = replaced(text, "listen_port = 6432", f"listen_port = {self.pooler_port}\nunix_socket_dir =")
        text = replaced(text, "default_pool_size = 8", "default_pool_size = 3")
        if refuses_options:
            text = replaced(text, "ignore_startup_parameters = options\n", "")
        path = self.folder / "pgbouncer.ini"
        path.write_text(f"{text}auth_type = any\n")
        self.start("pgbouncer", [*self.as_user, shutil.which("pgbouncer"), str(path)])
        self.target = f"host=127.0.0.1 port={self.pooler_port} user=roost dbname=roost"
        eventually(lambda: "through a pooler" in self.roost("check").stdout, what="a pooler that is noticed")

    def roost(self, *arguments):
        return subprocess.run(
            [os.environ["ROOST_TEST_BINARY"], *arguments], env={**os.environ, "DATABASE_URL": self.target},
            capture_output=True, text=True, check=False)

    def start_node(self, index):
        self.start(
            f"node{index}", [os.environ["ROOST_TEST_BINARY"], "serve"],
            {"LISTEN": f"127.0.0.1:{self.node_ports[index]}", "DATABASE_URL": self.target, "WORKERS": "1",
             "TRUSTED_PROXIES": "127.0.0.1", "LOG_FORMAT": "json",
             "DATABASE_TIMEOUT_MILLISECONDS": str(self.answer_milliseconds),
             "LIMIT_TWEETS_ACCOUNT": "30/h", "LIMIT_REGISTER_ADDRESS": "8/h", "LIMIT_LOGIN_ADDRESS": "12/h",
             "LIMIT_LOGIN_ACCOUNT_ADDRESS": "5/h"})

    def is_ready(self, port):
        with contextlib.suppress(*BROKEN):
            return call(port, "GET", "/readyz")[0] == 200
        return False

    def start_nodes(self):
        for index in range(NODES):
            self.start_node(index)
        for port in [*self.node_ports, self.port]:
            eventually(lambda: self.is_ready(port), what=f"readiness of {port}")

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")
