"""Nodes of two versions on one database, while clients use them."""

import os
import signal

from crowd import Crowd
from stage import NODES, Stage, eventually
from stories import settle

OLD, NEW = os.environ.get("ROOST_OLD_BINARY"), os.environ["ROOST_TEST_BINARY"]


def play():
    with Stage("rolling") as stage:
        os.environ["ROOST_TEST_BINARY"] = OLD
        stage.start_balancer()
        stage.start_nodes()
        before = versions(stage)
        with Crowd(stage) as crowd:
            more(crowd, "old nodes alone")
            replace(stage, 0, NEW)
            after = versions(stage)
            assert after[:len(before)] == before and len(after) > len(before), f"{before} becomes {after}"
            more(crowd, f"a new node has brought the schema from version {before[-1]} to {after[-1]}")
            replace(stage, 1, NEW)
            replace(stage, 2, NEW)
            more(crowd, "new nodes alone")
            replace(stage, 0, OLD)
            assert '"event":"schema_is_newer"' in stage.log("node0")
            more(crowd, "an old node is back beside new ones")
            replace(stage, 1, OLD)
            replace(stage, 2, OLD)
            more(crowd, "old nodes alone, on the new schema")
            assert versions(stage) == after
            # No node went before its requests were done, so nobody has noticed anything.
            assert not crowd.broken, f"clients saw {crowd.broken}"
        settle(stage, crowd)
        os.environ["ROOST_TEST_BINARY"] = NEW
        assert "the schema is current" in stage.roost("migrate").stdout


def versions(stage):
    return [int(row[0]) for row in stage.sql("select version from schema_migration order by version")]


def replace(stage, index, binary):
    """As a rolling upgrade does: the node is asked to end, and one of the other version takes its place."""
    process = stage.processes[f"node{index}"]
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 0
    os.environ["ROOST_TEST_BINARY"] = binary
    stage.start_node(index)
    eventually(lambda: stage.is_ready(stage.node_ports[index]), what=f"readiness of node {index}")


def more(crowd, what):
    """Waits until clients have done more of everything, on all nodes."""
    least = min(len(crowd.accounts), len(crowd.tweets), len(crowd.ended)) + 4 * NODES
    eventually(lambda: crowd.has_done(least), 120, "that clients go on")
    assert not crowd.wrong, "\n".join(crowd.wrong[:10])
    print(f"      {what}: {len(crowd.accounts)} sign-ups, {len(crowd.tweets)} tweets", flush=True)
