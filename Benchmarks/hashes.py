"""What a hash costs with each library that the system has, with fresh memory and with memory that is kept."""

import ctypes
import ctypes.util
import mmap
import time
from statistics import median

import report

MEMORY_KIB, PASSES, LANES = 19_456, 2, 1
PASSWORD, SALT, DIGEST_BYTES = b"walrus under 7 lamps", b"sixteen bytes it", 32
HASHES_EACH_TURN = 10
TURNS = 7
HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled"


class Sodium:
    """libsodium, which maps fresh memory for each hash and has no way to be given any."""

    name = "libsodium, fresh memory"

    def __init__(self):
        library = _library("sodium")
        library.sodium_init()
        self._hash = library.crypto_pwhash_argon2id
        self._hash.argtypes = [
            ctypes.c_char_p, ctypes.c_ulonglong, ctypes.c_char_p, ctypes.c_ulonglong, ctypes.c_char_p,
            ctypes.c_ulonglong, ctypes.c_size_t, ctypes.c_int]
        self._digest = ctypes.create_string_buffer(DIGEST_BYTES)

    def digest(self):
        code = self._hash(
            self._digest, DIGEST_BYTES, PASSWORD, len(PASSWORD), SALT, PASSES, MEMORY_KIB << 10, 2)
        return _checked(code, self._digest)


ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t)
FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t)


class Context(ctypes.Structure):
    """`argon2_context` of argon2.h."""

    _fields_ = [
        ("out", ctypes.c_void_p), ("outlen", ctypes.c_uint32), ("pwd", ctypes.c_void_p), ("pwdlen", ctypes.c_uint32),
        ("salt", ctypes.c_void_p), ("saltlen", ctypes.c_uint32), ("secret", ctypes.c_void_p),
        ("secretlen", ctypes.c_uint32), ("ad", ctypes.c_void_p), ("adlen", ctypes.c_uint32),
        ("t_cost", ctypes.c_uint32), ("m_cost", ctypes.c_uint32), ("lanes", ctypes.c_uint32),
        ("threads", ctypes.c_uint32), ("version", ctypes.c_uint32), ("allocate_cbk", ALLOCATE), ("free_cbk", FREE),
        ("flags", ctypes.c_uint32)]


class Reference:
    """libargon2, the reference implementation, with the memory it asks for through its documented hooks."""

    name = "libargon2, fresh memory"

    def __init__(self):
        self._library = _library("argon2")
        self._digest = ctypes.create_string_buffer(DIGEST_BYTES)
        self._kept = [ctypes.create_string_buffer(PASSWORD), ctypes.create_string_buffer(SALT)]
        address = ctypes.addressof
        self._context = Context(
            out=address(self._digest), outlen=DIGEST_BYTES, pwd=address(self._kept[0]), pwdlen=len(PASSWORD),
            salt=address(self._kept[1]), saltlen=len(SALT), t_cost=PASSES, m_cost=MEMORY_KIB, lanes=LANES,
            threads=LANES, version=0x13)

    def digest(self):
        return _checked(self._library.argon2id_ctx(ctypes.byref(self._context)), self._digest)


class ReferenceWithKeptMemory(Reference):
    name = "libargon2, memory kept"
    advice = None

    def __init__(self):
        super().__init__()
        self._memory = mmap.mmap(-1, MEMORY_KIB << 10, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if self.advice is not None:
            self._memory.madvise(self.advice)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))

        def allocate(place, size):
            place[0] = address
            return 0 if size <= MEMORY_KIB << 10 else -1

        self._context.allocate_cbk, self._context.free_cbk = ALLOCATE(allocate), FREE(lambda *_: None)


class ReferenceWithHugePages(ReferenceWithKeptMemory):
    name = "libargon2, memory kept, huge pages"
    advice = getattr(mmap, "MADV_HUGEPAGE", None)


class Botan:
    """Botan 2, which takes memory from malloc and clears it before and after."""

    name = "Botan, fresh memory"

    def __init__(self):
        self._hash = _library("botan-2").botan_pwdhash
        size, text = ctypes.c_size_t, ctypes.c_char_p
        self._hash.argtypes = [text, size, size, size, text, size, text, size, text, size]
        self._digest = ctypes.create_string_buffer(DIGEST_BYTES)

    def digest(self):
        code = self._hash(
            b"Argon2id", MEMORY_KIB, PASSES, LANES, self._digest, DIGEST_BYTES, PASSWORD, len(PASSWORD), SALT,
            len(SALT))
        return _checked(code, self._digest)


class Missing(RuntimeError):
    """The system does not have the library."""


def _library(name):
    path = ctypes.util.find_library(name)
    if not path:
        raise Missing(f"lib{name}")
    return ctypes.CDLL(path)


def _checked(code, digest):
    if code != 0:
        raise RuntimeError(f"a hash fails with {code}")
    return digest.raw


def measure(progress):
    """Processor time of one hash on one thread, the kernel's part with it: what others do on the machine counts
    little. The libraries take turns, and all must give the same digest."""
    found, missing = {}, []
    for library in (Sodium, Reference, ReferenceWithKeptMemory, ReferenceWithHugePages, Botan):
        try:
            found[library()] = []
        except Missing as absent:
            missing.append(str(absent))
    if len({library.digest() for library in found}) != 1:
        raise RuntimeError("the libraries disagree about a digest")
    for turn in range(TURNS):
        progress(f"hashes, turn {turn + 1} of {TURNS}")
        for library, times in found.items():
            start = time.thread_time()
            for _ in range(HASHES_EACH_TURN):
                library.digest()
            times.append((time.thread_time() - start) * 1e3 / HASHES_EACH_TURN)
    base = next(iter(found.values()))
    rows = [
        [library.name, report.spread(times), report.number(median(each / first for each, first in zip(times, base)))]
        for library, times in found.items()]
    lines = [
        "## Hashes", "",
        f"Argon2id, {MEMORY_KIB:,} KiB, {PASSES} passes, one lane; transparent huge pages: {_huge_pages()}.", "",
        report.table(["library", "processor time of a hash, ms", "of libsodium's"], rows)]
    if missing:
        lines += ["", f"Not installed here: {', '.join(sorted(set(missing)))}."]
    return "\n".join(lines)


def _huge_pages():
    try:
        with open(HUGE_PAGES) as file:
            return file.read().split("[")[1].split("]")[0]
    except (OSError, IndexError):
        return "unknown"
