"""The rate at which this machine checks passwords, with nothing around it: libsodium on bare threads."""

import ctypes
import ctypes.util
import os
import threading
import time

import machine

NICENESS = 5


class Argon2:
    """libsodium, by preference the very file that the server has loaded. Its calls run outside Python's lock."""

    def __init__(self, server):
        path = machine.mapped_library(server.pid, "libsodium.so") or ctypes.util.find_library("sodium")
        if not path:
            raise RuntimeError("libsodium is not found")
        self._library = ctypes.CDLL(path)
        self._library.crypto_pwhash_str_verify.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulonglong]
        if self._library.sodium_init() < 0:
            raise RuntimeError("libsodium does not start")

    def rate(self, stored, password, seconds):
        """Checks a second of `password` against a hash the server has stored, hence of its cost, on every core.

        The threads are as nice as the server's are.
        """
        rates = []
        threads = [
            threading.Thread(target=self._check, args=(stored.encode(), password.encode(), seconds, rates))
            for _ in range(machine.CORES)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if len(rates) != len(threads):
            raise RuntimeError("libsodium finds the right password wrong")
        return sum(rates)

    def _check(self, stored, password, seconds, rates):
        if hasattr(os, "setpriority") and os.path.exists("/proc/self"):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        checks = 0
        start = time.monotonic()
        while time.monotonic() - start < seconds:
            if self._library.crypto_pwhash_str_verify(stored, password, len(password)) != 0:
                return
            checks += 1
        rates.append(checks / (time.monotonic() - start))
