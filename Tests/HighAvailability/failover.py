"""What holds when the primary is lost in one of three ways, while another one takes over, and when it is back."""

import signal
import threading
import time

from background import Background
from cluster import PATRONI_SECONDS, ROOST, SUPERUSER, run
from crowd import Crowd
from stage import eventually
from stories import limits, settle


def killed(cluster):
    """Nothing of it is left but its files."""
    play(cluster, lambda: cluster.first.signal(signal.SIGKILL), cluster.first.start)


def hung(cluster):
    """All its processes stand still, then go on as if no time had passed: PostgreSQL some seconds before Patroni."""
    def wake():
        cluster.first.signal(signal.SIGCONT, lambda command: "patroni" not in command)
        with Tempter(cluster.first) as tempter:
            for _ in range(3):
                time.sleep(1)
                assert cluster.first.is_primary, "Patroni is awake already"
                # Whoever now connects again must not come to the old primary.
                cluster.primary(besides=cluster.first).query(SUPERUSER, CUT_CONNECTIONS)
            cluster.first.signal(signal.SIGCONT)
            eventually(lambda: cluster.first.is_standby, 60, "that the old primary is a standby")
        tempter.check()

    play(cluster, lambda: cluster.first.signal(signal.SIGSTOP), wake)


def cut(cluster):
    """Its cable is drawn: nothing comes to it, nor from it, and nobody is told."""
    def draw():
        run(f"ip link set {cluster.first.name} down")

    def wait():
        with Tempter(cluster.first) as tempter:
            eventually(lambda: not cluster.first.is_primary, PATRONI_SECONDS, "that who is cut off gives up")
            # A node that starts, and commands, find the primary behind a host that does not answer.
            cluster.kill("node0")
            cluster.start_node(0)
            eventually(lambda: cluster.is_ready(cluster.node_ports[0]), what="a node that starts meanwhile")
            for command in "migrate", "check":
                done = cluster.roost(command)
                assert done.returncode == 0 and "current" in done.stdout, done
            time.sleep(2)
        tempter.check()
        run(f"ip link set {cluster.first.name} up")

    play(cluster, draw, wait)


# So long Roost may take to find the server that takes writes: two connections that time out, and HAProxy's next look.
ROOST_SECONDS = 6
# Of Roost's, at the server that is asked.
CUT_CONNECTIONS = """
select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = 'roost' and application_name = 'roost'
"""


def play(cluster, harm, mend):
    old = cluster.first
    cluster.start_balancer()
    cluster.start_nodes()
    old.query(ROOST, "create table temptation (number integer)")
    old.query(ROOST, "create table proof ()")
    with Crowd(cluster) as crowd, Haunting(cluster, crowd):
        eventually(lambda: crowd.has_done(8), 60, "that clients begin")
        assert not crowd.broken, f"nothing has befallen anybody yet: {crowd.broken}"
        harm()
        fault = time.monotonic()
        taken = threading.Thread(target=lambda: setattr(cluster, "taken", takes_writes(cluster, fault)))
        taken.start()
        eventually(lambda: crowd.wrong or crowd.first_after(fault), 3 * PATRONI_SECONDS, "an acknowledged write")
        assert not crowd.wrong, "\n".join(crowd.wrong[:10])
        write = crowd.first_after(fault) - fault
        gaps = crowd.longest_gap(True), crowd.longest_gap(False)
        taken.join()
        new = cluster.primary(besides=old)
        least = len(crowd.accounts) + 3
        eventually(lambda: crowd.has_done(least), 60, "that clients go on")
        mend()
        cluster.await_standbys()
        least = len(crowd.accounts) + 3
        eventually(lambda: crowd.has_done(least), 60, "that clients still go on")
        assert cluster.primary() is new, "who took over is the primary no longer"
    print(f"      another server took writes {cluster.taken:.1f} s after the fault (Patroni's time: {PATRONI_SECONDS} s), "
          f"Roost {write:.1f} s", f"      clients were {gaps[0]:.1f} s without a write, {gaps[1]:.1f} s without a read",
          sep="\n", flush=True)
    settle(cluster, crowd)
    limits(cluster, crowd)
    assert cluster.sql("select count(*) from temptation") == [["0"]]
    assert write < max(cluster.taken, PATRONI_SECONDS) + ROOST_SECONDS, "Roost took too long"


def takes_writes(cluster, fault):
    """How long after the fault another member has committed something, with a standby's word."""
    deadline = fault + 4 * PATRONI_SECONDS
    while time.monotonic() < deadline:
        for member in cluster.members[1:]:
            if member.query(ROOST, "insert into proof default values") is not None:
                return time.monotonic() - fault
        time.sleep(0.1)
    raise AssertionError("no server takes writes")


class Tempter(Background):
    """Writes at a member that another has replaced, as long as it is awake, or wants to."""

    def __init__(self, member):
        self.member, self.tries, self.taken = member, 0, []
        super().__init__(self._write)

    def check(self):
        print(f"      {self.tries} writes tried at the old primary, {len(self.taken)} taken", flush=True)
        assert self.tries > 1 and not self.taken, f"the old primary takes writes: {self.taken}"

    def _write(self):
        while not self.is_over.is_set():
            self.tries += 1
            if self.member.query(ROOST, f"insert into temptation values ({self.tries})") is not None:
                self.taken.append(self.tries)
            self.is_over.wait(0.1)


class Haunting(Background):
    """Asks every node, again and again, for sessions that were signed out."""

    def __init__(self, cluster, crowd):
        self.cluster, self.crowd = cluster, crowd
        super().__init__(self._ask, *cluster.node_ports)

    def _ask(self, port):
        while not self.is_over.is_set():
            with self.crowd.lock:
                tokens = list(self.crowd.ended)
            for token in tokens:
                self.crowd.call("GET", "/v1/me", 401, token=token, port=port)
                if self.is_over.wait(0.03):
                    return
            self.is_over.wait(0.1)
