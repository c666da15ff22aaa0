"""Three PostgreSQL under Patroni, which keeps its word in etcd, and what can befall one of them.

The configuration is that of docs/scaling.md, with other addresses, ports and folders.
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

from stage import Stage, documented, eventually, free_ports, replaced

MEMBERS = ["one", "two", "three"]
# As whom to look; the passwords are those that the documentation tells to change.
SUPERUSER = "user=postgres password=change-me-too dbname=postgres"
ROOST = "user=roost password=change-me dbname=roost"
ROLE = "create role roost login password 'change-me'"


def setting(name):
    """A number of seconds in the documented configuration."""
    return int(re.search(rf"^ +{name}: (\d+)$", documented("yaml"), re.M)[1])


# The leader's key in etcd runs out, and the others look at it, within so many seconds.
PATRONI_SECONDS = setting("ttl") + setting("loop_wait")


class Member:
    """One PostgreSQL and its Patroni. Their processes are known by the folder that they work in."""

    def __init__(self, stage, name, address, port, api, enter=()):
        self.stage, self.name, self.address, self.port, self.api, self.enter = stage, name, address, port, api, enter
        self.folder = stage.folder / name
        self.folder.mkdir()
        self.complaint = ""

    def configure(self, etcd, network):
        text = documented("yaml")
        for old, new in [
            ("name: one", f"name: {self.name}"), ("hosts: 127.0.0.1:2379", f"hosts: {etcd}"),
            ("data_dir: /var/lib/postgresql/15/one", f"data_dir: {self.folder}/data"),
            ("bin_dir: /usr/lib/postgresql/15/bin", f"bin_dir: {self.folder}/bin\n  pgpass: {self.folder}/pgpass"),
            ("  parameters:", "  parameters:\n    unix_socket_directories: ''"),
        ]:
            text = replaced(text, old, new)
        text = text.replace("127.0.0.1:8008", f"{self.address}:{self.api}")
        text = text.replace("127.0.0.1:5431", f"{self.address}:{self.port}").replace("127.0.0.1/32", network)
        (self.folder / "patroni.yml").write_text(text)
        (self.folder / "bin").symlink_to(pathlib.Path(shutil.which("postgres")).resolve().parent)
        if os.geteuid() == 0:
            owner = os.stat(self.stage.cluster["host"])
            os.chown(self.folder, owner.st_uid, owner.st_gid)

    def start(self):
        command = [*self.enter, *self.stage.as_user, shutil.which("patroni"), "patroni.yml"]
        self.stage.start(f"patroni-{self.name}", command, {"HOME": str(self.folder)}, self.folder)

    def processes(self):
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    place = pathlib.Path(os.readlink(entry / "cwd"))
                    if place == self.folder or self.folder in place.parents:
                        found.append(int(entry.name))
        return found

    def signal(self, number, what=lambda command: True):
        """To all of its processes, those that they start meanwhile too."""
        signalled = set()
        while fresh := set(self.processes()) - signalled:
            for process in fresh:
                with contextlib.suppress(OSError):
                    if what(pathlib.Path(f"/proc/{process}/cmdline").read_text()):
                        os.kill(process, number)
            signalled |= fresh

    def query(self, who, text):
        """The rows, or None when there are none to be had: asked where the member is, so that nothing cuts it off."""
        target = f"host={self.address} port={self.port} {who} connect_timeout=2"
        with contextlib.suppress(subprocess.TimeoutExpired):
            done = subprocess.run(
                [*self.enter, "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", target, "-c", text],
                capture_output=True, text=True, check=False, timeout=5)
            self.complaint = done.stderr
            if done.returncode == 0:
                return done.stdout.splitlines()
        return None

    @property
    def is_primary(self):
        return self.query(SUPERUSER, "select pg_is_in_recovery()") == ["f"]

    @property
    def is_standby(self):
        return self.query(SUPERUSER, "select pg_is_in_recovery()") == ["t"]


class Cluster(Stage):
    """A stage whose database has a primary and two standbys; `first` is the primary at the beginning."""

    address, network = "127.0.0.1", "127.0.0.1/32"
    # As documented: what is measured here is how soon it is back.
    answer_milliseconds = 1_800

    def __init__(self, name):
        super().__init__(name)
        self.members = []

    def prepare(self):
        self.members = self.make_members()
        self.first = self.members[0]
        etcd, peer = (f"{self.address}:{port}" for port in free_ports(2, self.address))
        self.start("etcd", [
            "etcd", "--enable-v2", "--data-dir", str(self.folder / "etcd"), "--log-level", "error",
            "--listen-client-urls", f"http://{etcd}", "--advertise-client-urls", f"http://{etcd}",
            "--listen-peer-urls", f"http://{peer}", "--initial-advertise-peer-urls", f"http://{peer}",
            "--initial-cluster", f"default=http://{peer}"])
        eventually(lambda: is_open(etcd), what="etcd's answer")
        for member in self.members:
            member.configure(etcd, self.network)
        self.first.start()
        eventually(lambda: self.first.is_primary, 60, "a primary")
        for member in self.members[1:]:
            member.start()
        self.await_standbys()
        for statement in ROLE, "create database roost owner roost":
            assert self.first.query(SUPERUSER, statement) is not None, self.first.complaint
        places = ",".join(f"{member.address}:{member.port}" for member in self.members)
        text = documented("sh").strip().removeprefix("DATABASE_URL=").strip("'")
        self.target = replaced(text, "127.0.0.1:5431,127.0.0.1:5432,127.0.0.1:5433", places)
        self.sql_target = f"{self.target}&connect_timeout=2"

    def make_members(self):
        ports = free_ports(2 * len(MEMBERS))
        return [Member(self, name, self.address, *ports[2 * place:][:2]) for place, name in enumerate(MEMBERS)]

    def await_standbys(self):
        """Both others stream, and commits wait for one of them."""
        rows = "select count(*), count(*) filter (where sync_state in ('sync', 'quorum')) from pg_stat_replication"
        def is_whole():
            states = [member.query(SUPERUSER, rows) for member in self.members if member.is_primary]
            return states == [["2|1"]]
        eventually(is_whole, 90, "a cluster with both standbys")

    def primary(self, besides=None):
        """Which member is, when `besides` does not count; None for no other."""
        return next((member for member in self.members if member is not besides and member.is_primary), None)

    def __exit__(self, kind, error, trace):
        super().__exit__(kind, error, trace)
        for member in self.members:
            member.signal(signal.SIGKILL)


class CutCluster(Cluster):
    """Each member in a network namespace of its own, on a bridge with everything else.

    The whole story plays in a namespace too. None of them has a name, so that they go with their last process.
    """

    address, network = "10.77.0.254", "10.77.0.0/24"

    def make_members(self):
        run("ip link set lo up", "ip link add bridge type bridge", f"ip addr add {self.address}/24 dev bridge",
            "ip link set bridge up")
        return [self.make_member(name, number) for number, name in enumerate(MEMBERS, 1)]

    def make_member(self, name, number):
        self.start(f"namespace-{name}", ["unshare", "--net", "sleep", "infinity"])
        process = self.processes[f"namespace-{name}"].pid
        ours = os.readlink("/proc/self/ns/net")
        eventually(lambda: os.readlink(f"/proc/{process}/ns/net") != ours, what="a namespace")
        enter = ["nsenter", f"--net=/proc/{process}/ns/net", "--"]
        inside = " ".join(enter)
        run(f"ip link add {name} type veth peer name eth0 netns {process}", f"ip link set {name} master bridge up",
            f"{inside} ip link set lo up", f"{inside} ip addr add 10.77.0.{number}/24 dev eth0",
            f"{inside} ip link set eth0 up")
        return Member(self, name, f"10.77.0.{number}", 5432, 8008, enter)


def run(*commands):
    for command in commands:
        subprocess.run(command.split(), check=True)


def is_open(place):
    with contextlib.suppress(OSError), socket.create_connection(place.split(":"), timeout=2):
        return True
    return False
