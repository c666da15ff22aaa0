"""What every story of the web client stands on: a Roost server, a mail server, and a Chromium that is watched.

Whatever the browser's console complains of, a request that leaves the origin, and a script that fails, fails the story.
"""

import contextlib
import email
import email.policy
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from aiosmtpd.controller import Controller
from playwright.sync_api import expect, sync_playwright

PASSWORD = "an engine of brass"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
LIMITS = [
    "LOGIN_ADDRESS", "LOGIN_ACCOUNT_ADDRESS", "LOGIN_ACCOUNT", "REGISTER_ADDRESS", "USERNAMES_ADDRESS", "MAIL_ADDRESS",
    "MAIL_ACCOUNT", "TWEETS_ACCOUNT", "AVATAR_ACCOUNT",
]


class Letters:
    """A mail server that keeps what it is sent."""

    def __init__(self):
        self.received = []
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self.controller.start()

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.received.append((envelope.rcpt_tos[0], message.get_body(("plain",)).get_content()))
        return "250 OK"

    def link(self, address, path, count=1):
        """The newest link to `path` that came to an address, once there are `count` of them."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            texts = [text for to, text in self.received if to == address]
            links = [found.group() for text in texts if (found := re.search(rf"https?://\S+{path}#token=\S+", text))]
            if len(links) >= count:
                return links[-1]
            time.sleep(0.05)
        raise AssertionError(f"no letter with a link to {path} came to {address}")


class Person:
    """Somebody who uses Roost without a browser."""

    def __init__(self, url, username, full_name=None):
        self.url, self.username, self.token = url, username, None
        form = {"email": f"{username}@example.com", "username": username, "password": PASSWORD, "fullName": full_name}
        self.token = self.call("POST", "/v1/register", form)["session"]["token"]

    def call(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def tweet(self, text):
        return self.call("POST", "/v1/tweets", {"text": text})

    def follow(self, other):
        self.call("PUT", f"/v1/users/{other.username}/follow")


class Stage:
    """The server, the browser, and what went wrong in it."""

    def __init__(self, playwright, url, letters):
        self.url, self.letters, self.troubles = url, letters, []
        self.browser = playwright.chromium.launch(
            executable_path=os.environ["ROOST_TEST_BROWSER"], args=["--no-sandbox", "--disable-gpu"])

    def person(self, username, full_name=None):
        return Person(self.url, username, full_name)

    def context(self, person=None, **options):
        """A browser of somebody's own, in which `person` is signed in."""
        context = self.browser.new_context(base_url=self.url, **{"locale": "en-GB", **DESK, **options})
        context.set_default_timeout(10_000)
        if person:
            context.add_cookies([{"name": "roost_session", "value": person.token, "url": self.url, "httpOnly": True}])
        context.on("request", self._watch_request)
        context.on("console", self._watch_console)
        context.on("weberror", lambda error: self.troubles.append(f"script: {error.error}"))
        return context

    def page(self, path="/", person=None, **options):
        page = self.context(person, **options).new_page()
        page.goto(path)
        return page

    def _watch_request(self, request):
        if not request.url.startswith((self.url + "/", "blob:" + self.url, "data:")):
            self.troubles.append(f"asked elsewhere: {request.url}")

    def _watch_console(self, message):
        # That a call was refused, or did not get through, is told to the person; the browser notes it too.
        is_expected = message.text.startswith("Failed to load resource:")
        if message.type in ("error", "warning") and not is_expected:
            self.troubles.append(f"console: {message.text}")


def _serve(letters, log):
    passed = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "ROOST_TEST_RUN", "DATABASE_URL")
    environment = {name: os.environ[name] for name in passed if name in os.environ}
    environment.update({f"LIMIT_{name}": "0" for name in LIMITS})
    environment.update({
        "LISTEN": "127.0.0.1:0", "HASH_THREADS": "1", "LOG_FORMAT": "json",
        "MAIL_URL": f"smtp://127.0.0.1:{letters.port}", "MAIL_FROM": "roost@example.com",
    })
    with open(log, "ab") as output:
        command = [os.environ["ROOST_TEST_BINARY"], "serve"]
        server = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        if found := re.search(r'"event":"serving".*?"address":"([^"]+)"', pathlib.Path(log).read_text()):
            return server, f"http://{found.group(1)}"
        time.sleep(0.05)
    server.kill()
    raise AssertionError(f"the server did not start: {pathlib.Path(log).read_text()}")


@contextlib.contextmanager
def stage():
    """A stage that is taken down again, and on which nothing may have gone wrong."""
    letters = Letters()
    with tempfile.NamedTemporaryFile() as log:
        server, url = _serve(letters, log.name)
        try:
            with sync_playwright() as playwright:
                result = Stage(playwright, url, letters)
                yield result
                result.browser.close()
            assert not result.troubles, "\n".join(result.troubles)
        except BaseException:
            print("the server's last words:", *pathlib.Path(log.name).read_text().splitlines()[-15:], sep="\n")
            raise
        finally:
            server.kill()
            letters.controller.stop()


def sign_up(page, username, full_name="", password=PASSWORD):
    """Fills in the form and sends it."""
    page.get_by_label("Email address").fill(f"{username}@example.com")
    page.get_by_label("Username").fill(username)
    page.get_by_label("Full name").fill(full_name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Create account").click()


def log_in(page, login, password=PASSWORD):
    page.get_by_label("Username or email").fill(login)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Log in").click()


def heading(page, text):
    expect(page.get_by_role("heading", level=1, name=text, exact=True)).to_be_visible()


def at(page, path):
    """Waits until the client shows `path`."""
    page.wait_for_url(lambda url: url.split("://", 1)[1].split("/", 1)[1] == path.removeprefix("/"))
