"""Every migration, on a database that is in use and not small: who waits for whom, and for how long."""

import os
import pathlib
import subprocess
import tempfile
import time

import rows
from background import Background

FOLDER = pathlib.Path(__file__).parent
ROOT = FOLDER.parents[1]
CLUSTER = dict(word.split("=", 1) for word in os.environ["ROOST_TEST_DATABASE"].split())
TARGET = f"host={CLUSTER['host']} user={CLUSTER['user']} dbname=locks"
LONGEST_SECONDS = 1.0
BACKUP_SECONDS = 3

# What the migration holds that keeps others from reading or writing, and how long the others have been waiting.
LOOK = """
select 'held', relation::regclass, mode, pid, 0 from pg_locks join pg_stat_activity using (pid)
where application_name = 'roost' and granted and locktype = 'relation' and relation >= 16384
  and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
union all
select 'waited', relation::regclass, mode, pid, extract(epoch from clock_timestamp() - waitstart)
from pg_locks join pg_stat_activity using (pid)
where application_name = 'pgbench' and not granted and locktype = 'relation' and waitstart is not null
union all
select 'slow', 0, '', pid, extract(epoch from clock_timestamp() - query_start) from pg_stat_activity
where application_name = 'pgbench' and state = 'active';
"""


def play(accounts):
    sql("postgres", "create database locks")
    files = sorted(path.name for path in (ROOT / "sql").glob("*.sql"))
    print(f"      {'':20}{'s':>7}{'held s':>9}{'waited s':>9}{'slowest s':>10}{'statements':>11}", flush=True)
    worst = []
    for version, name in enumerate(files, 1):
        existing = tables()
        with Traffic(accounts if version > 2 else 0) as traffic, Lookout(existing) as lookout:
            start = time.monotonic()
            backup = Backup(existing)
            migrate(version)
            seconds = time.monotonic() - start
            backup.wait()
        print(
            f"      {name.removesuffix('.sql'):20}{seconds:7.2f}{lookout.held:9.2f}{lookout.waited:9.2f}"
            f"{lookout.slowest:10.2f}{traffic.count:11,}", flush=True)
        if max(lookout.held, lookout.waited) > LONGEST_SECONDS:
            worst.append(f"{name}: {lookout.what}")
        if version >= 2:
            fill(accounts)
    assert not worst, f"locks for more than {LONGEST_SECONDS} s:\n" + "\n".join(worst)
    assert sql("locks", "select count(*) from pg_index where not indisvalid") == "0"
    counted = sql("locks", "select sum(tweet_count) = (select count(*) from tweet where text = 'Hello') from account")
    assert counted == "t", "counts of tweets are wrong"


def migrate(version):
    done = subprocess.run(
        [os.environ["ROOST_TEST_BINARY"], "migrate", "--to", str(version)], env={**os.environ, "DATABASE_URL": TARGET},
        capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def fill(accounts):
    """Rows for the tables that have none yet."""
    for table, text in rows.ROWS.items():
        if table in tables() and sql("locks", f"select exists (select from {table})") == "f":
            start = time.monotonic()
            sql("locks", f"set synchronous_commit = off; {text.format(n=accounts)}; analyze {table}")
            print(f"        {table} has its rows, {time.monotonic() - start:.0f} s", flush=True)
    sql("locks", "checkpoint")


def tables():
    return sql(
        "locks", "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace").split()


def sql(database, text):
    done = subprocess.run(
        ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", TARGET.replace("dbname=locks", f"dbname={database}")],
        input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class Traffic:
    """Four clients that read and write as nodes do."""

    def __init__(self, accounts):
        self.accounts, self.count, self.process = accounts, 0, None

    def __enter__(self):
        if self.accounts:
            self.log = tempfile.TemporaryFile("w+")
            self.process = subprocess.Popen(
                ["pgbench", "-n", "-M", "prepared", "-c", "4", "-j", "1", "-T", "3600", "-D",
                 f"n={self.accounts}", "-f", FOLDER / "traffic.sql", TARGET],
                stdout=subprocess.DEVNULL, stderr=self.log, stdin=subprocess.DEVNULL)
            self.begin = self.transactions()
            time.sleep(1)
        return self

    def __exit__(self, *_):
        if self.process:
            time.sleep(0.5)
            is_there = self.process.poll() is None
            self.process.terminate()
            self.process.wait()
            self.count = self.transactions() - self.begin
            self.log.seek(0)
            said = self.log.read()
            self.log.close()
            assert is_there and "ERROR" not in said and "aborted" not in said, f"clients were refused:\n{said[-2000:]}"

    @staticmethod
    def transactions():
        return int(sql("locks", "select xact_commit from pg_stat_database where datname = 'locks'"))


class Backup:
    """Somebody who has looked at every table, and goes on looking for a while."""

    def __init__(self, tables):
        looks = "; ".join(f"select from {table} limit 1" for table in tables)
        self.process = subprocess.Popen(
            ["psql", "-Xq", "-d", TARGET], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.process.stdin.write(
            f"begin isolation level repeatable read; select 1; {looks}; select pg_sleep({BACKUP_SECONDS}); commit;\n")
        self.process.stdin.close()
        time.sleep(0.5)

    def wait(self):
        assert self.process.wait() == 0


class Lookout(Background):
    """Looks at the locks again and again."""

    def __init__(self, tables):
        self.tables = set(tables)
        self.held = self.waited = self.slowest = 0.0
        self.what = ""
        self.since = {}
        super().__init__(self._run)
        self.psql = subprocess.Popen(
            ["psql", "-XqAt", "-d", TARGET], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def __exit__(self, *everything):
        super().__exit__(*everything)
        self.psql.stdin.close()
        self.psql.wait()

    def _run(self):
        while not self.is_over.wait(0.01):
            self.psql.stdin.write(LOOK + "\\echo end\n")
            self.psql.stdin.flush()
            found = []
            while (line := self.psql.stdout.readline().strip()) != "end":
                assert line, "psql has ended"
                found.append(line.split("|"))
            self._take(found, time.monotonic())

    def _take(self, found, now):
        locks = {}
        for kind, table, mode, pid, seconds in found:
            if kind == "held" and table in self.tables:
                locks[table, mode, pid] = self.since.get((table, mode, pid), now)
                self._note("held", now - locks[table, mode, pid], f"{mode} on {table} is held")
            elif kind == "waited":
                self._note("waited", float(seconds), f"somebody waits for {mode} on {table}")
            elif kind == "slow":
                self.slowest = max(self.slowest, float(seconds))
        self.since = locks

    def _note(self, kind, seconds, what):
        if seconds > getattr(self, kind):
            setattr(self, kind, seconds)
            if seconds > LONGEST_SECONDS:
                self.what = f"{what} for {seconds:.2f} s"
