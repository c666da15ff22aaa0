"""Plays the stories: `python Tests/Upgrade/run.py --accounts 1000000 locks rolling`.

The environment names the cluster (ROOST_TEST_DATABASE), the server (ROOST_TEST_BINARY), for `rolling` an older one
(ROOST_OLD_BINARY), and a PATH with psql, pgbench and haproxy.
"""

import argparse
import pathlib
import sys
import time

# The clients, the nodes and the balancer are those of the other stories.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "HighAvailability"))

import locks  # noqa: E402
import rolling  # noqa: E402

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--accounts", type=int, required=True)
    parser.add_argument("stories", nargs="+", choices=["locks", "rolling"])
    arguments = parser.parse_args()
    for name in arguments.stories:
        start = time.monotonic()
        print(f"      {name}", flush=True)
        if name == "locks":
            locks.play(arguments.accounts)
        else:
            rolling.play()
        print(f"ok    {name}, {time.monotonic() - start:.0f} s", flush=True)
