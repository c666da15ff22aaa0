"""The benchmark's database: filling it, asking it what the server runs, and loading it with pgbench."""

import os
import re
import subprocess

import machine

ASK_SECONDS_MAX = 300
# As the server's connections have it: without, pgbench plans long statements anew each time.
PLANNING = "-c jit=off -c max_parallel_workers_per_gather=0 -c plan_cache_mode=force_generic_plan"

SEED = """
-- Others' rows, so that no index is trivial.
insert into account (id, username, email)
select gen_random_uuid(), 'filler' || n, 'filler' || n || '@example.org' from generate_series(1, {accounts}) as n;
insert into session (id, account_id, token_digest, epoch, ip, expires_at)
select gen_random_uuid(), id, sha256(id::text::bytea), session_epoch, '192.0.2.1', now() + interval '30 days'
from account;
insert into tweet (id, author_id, text, created_at)
select gen_random_uuid(), id, repeat('so it goes ', 10), now() from account, generate_series(1, {tweets});
vacuum analyze;
"""


class Database:
    """A database of its own in a cluster that runs already."""

    def __init__(self, cluster, programs, name="bench"):
        """`cluster` is a connection string of a superuser, `programs` the folder of PostgreSQL's programs."""
        self.cluster, self.programs = cluster, programs
        self.target = cluster
        self.ask(f"create database {name}")
        self.target = re.sub(r"dbname=\S+", f"dbname={name}", cluster)
        self.version = self.ask("show server_version")
        self._postmaster = int(self.ask("select pg_read_file('postmaster.pid')").split()[0])

    def ask(self, sql):
        """What psql prints for `sql`: bare values, one row a line."""
        command = [f"{self.programs}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", self.target, "-f", "-"]
        done = subprocess.run(command, input=sql, capture_output=True, text=True, timeout=ASK_SECONDS_MAX)
        if done.returncode != 0:
            raise RuntimeError(f"psql fails: {done.stderr.strip()}")
        return done.stdout.strip()

    def seed(self, accounts, tweets_each):
        self.ask(SEED.format(accounts=accounts, tweets=tweets_each))

    def cpu_seconds(self):
        """Processor time of the whole cluster."""
        return machine.family_cpu_seconds(self._postmaster)

    def last_statement(self):
        """The statement that somebody else ran last, in its own text: what the server sends cannot drift from it."""
        return self.ask("""
            select query from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and query_start is not null
            order by query_start desc limit 1""")

    def connections(self, statement):
        """How many of the others' connections ran this statement last: over so many does the server spread it."""
        return int(self.ask(f"""
            select count(*) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()
              and query = $statement${statement}$statement$"""))

    def pgbench(self, script, variables, clients, seconds, threads=1):
        """Transactions a second of `script`, prepared, with its variables as parameters.

        Anything that fails ends the benchmark.
        """
        command = [f"{self.programs}/pgbench", "-n", "-M", "prepared", "-c", str(clients), "-j", str(threads)]
        command += ["-T", str(seconds)]
        for name, value in variables.items():
            command += ["-D", f"{name}={value}"]
        path = os.path.join(os.environ["TMPDIR"], "pgbench.sql")
        with open(path, "w") as file:
            file.write(script)
        done = subprocess.run(command + ["-f", path, self.target], capture_output=True, text=True, timeout=seconds + 60,
                              env={**os.environ, "PGOPTIONS": PLANNING})
        rate = re.search(r"tps = ([0-9.]+) \(without", done.stdout)
        if done.returncode != 0 or not rate:
            raise RuntimeError(f"pgbench fails: {done.stderr.strip() or done.stdout.strip()}")
        return float(rate[1])


def script(statement, names):
    """A pgbench script of `statement`, with the variable `names[n]` for its parameter $n."""
    text = re.sub(r"\$(\d+)", lambda match: ":" + names[int(match[1])], statement)
    return f"{text};\n"
