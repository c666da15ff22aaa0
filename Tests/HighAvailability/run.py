"""Plays the stories: `python Tests/HighAvailability/run.py [direct] [pooled]`.

The environment names the cluster (ROOST_TEST_DATABASE), the server (ROOST_TEST_BINARY), and a PATH with haproxy,
pgbouncer and psql.
"""

import sys
import time

import stories
from stage import Stage

if __name__ == "__main__":
    names = ["direct", "pooled"]
    if unknown := set(sys.argv[1:]) - set(names):
        sys.exit(f"no such story: {', '.join(unknown)}; there are {', '.join(names)}")
    for name in sys.argv[1:] or names:
        start = time.monotonic()
        with Stage(name) as stage:
            getattr(stories, name)(stage)
        print(f"ok    {name}, {time.monotonic() - start:.0f} s", flush=True)
