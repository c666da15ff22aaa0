"""Plays one story: `python Tests/Browser/run.py feed`. The environment names the database (DATABASE_URL), the server
(ROOST_TEST_BINARY) and the browser (ROOST_TEST_BROWSER)."""

import importlib
import sys
import time

from stage import stage

if __name__ == "__main__":
    story = importlib.import_module(sys.argv[1])
    start = time.monotonic()
    with stage() as there:
        for name, scene in vars(story).items():
            if name.startswith("scene_"):
                scene(there)
                print(f"{time.monotonic() - start:5.1f} s  {name}", flush=True)
