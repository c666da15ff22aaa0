"""Work that goes on beside a story, until its block is left."""

import threading


class Background:
    def __init__(self, work, *each):
        """`work` runs on a thread for each of `each`, which it is given, or on one without any. It looks at `is_over`."""
        self.is_over = threading.Event()
        self._threads = [threading.Thread(target=work, args=(one,)) for one in each] or [threading.Thread(target=work)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self._threads:
            thread.join()
