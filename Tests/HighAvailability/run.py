"""Plays the stories: `python Tests/HighAvailability/run.py [direct] [pooled] [killed] [hung] [cut]`.

The environment names the cluster (ROOST_TEST_DATABASE), the server (ROOST_TEST_BINARY), and a PATH with haproxy,
pgbouncer, etcd, patroni, psql and PostgreSQL's server.
"""

import os
import subprocess
import sys
import time

import failover
import stories
from cluster import Cluster, CutCluster
from stage import Stage

STORIES = {
    "direct": (Stage, stories.direct), "pooled": (Stage, stories.pooled),
    "killed": (Cluster, failover.killed), "hung": (Cluster, failover.hung), "cut": (CutCluster, failover.cut),
}
# Says to the program that it plays in a network namespace of its own.
INSIDE = "ROOST_TEST_IN_NAMESPACE"


def play(name):
    start = time.monotonic()
    kind, story = STORIES[name]
    with kind(name) as stage:
        story(stage)
    print(f"ok    {name}, {time.monotonic() - start:.0f} s", flush=True)


def play_in_namespace(name):
    """Once more this program, where it can do what it likes to the network; it must be root to be let."""
    if os.geteuid() or subprocess.run(["unshare", "--net", "true"], check=False, capture_output=True).returncode:
        print(f"skip  {name}: network namespaces are for root, on a system that allows them", flush=True)
        return
    done = subprocess.run(
        ["unshare", "--net", sys.executable, __file__, name], check=False, env={**os.environ, INSIDE: "yes"})
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - set(STORIES):
        sys.exit(f"no such story: {', '.join(unknown)}; there are {', '.join(STORIES)}")
    for story in sys.argv[1:] or STORIES:
        if STORIES[story][0] is CutCluster and INSIDE not in os.environ:
            play_in_namespace(story)
        else:
            play(story)
