"""Onboarding, sign-up, log-in, sign-out."""

import re

from stage import PASSWORD, at, expect, heading, log_in, sign_up


def scene_a_visitor_lands_on_onboarding(stage):
    page = stage.page("/")
    heading(page, "Short notes, good company.")
    for path in ("/home", "/explore", "/settings", "/photo", "/u/ada", "/u/ada/followers"):
        page.goto(path)
        at(page, "/")
    for path, title in (
        ("/terms", "Terms"), ("/privacy", "Privacy"), ("/login", "Log in"), ("/reset", "Choose a new password"),
    ):
        page.goto(path)
        heading(page, title)
        assert page.title().startswith(title)
    assert page.request.get("/nothing").status == 404
    page.context.close()


def scene_fields_are_checked_while_one_types(stage):
    stage.person("ada")
    page = stage.page("/")
    page.get_by_role("link", name="Create account").click()
    at(page, "/register")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/v1/usernames/" in request.url else None)
    username = page.get_by_label("Username")
    for typed, words in (
        ("ad", "Use at least 3 characters."), ("Ada", "This username is taken."), ("admin", "This name is kept."),
        ("ada lovelace", "Use letters a–z, digits, dots and underscores."), ("ada.", "Start with a letter or digit"),
    ):
        username.fill("")
        username.press_sequentially(typed, delay=20)
        expect(page.get_by_text(words)).to_be_visible()
        expect(username).to_have_attribute("aria-invalid", "true")
        expect(username).to_have_accessible_description(re.compile(re.escape(words)))
    assert [url.rsplit("/", 1)[1] for url in asked] == ["ada", "admin"], "it asks once typing has paused, no more"
    username.fill("grace")
    expect(page.locator(".field.good", has=page.get_by_label("Username"))).to_be_visible()
    expect(username).not_to_have_attribute("aria-invalid", "true")
    page.get_by_label("Email address").fill("grace@")
    page.get_by_label("Password", exact=True).fill("short")
    expect(page.get_by_text("Write one address")).to_be_visible()
    expect(page.get_by_text("Use at least 8 characters.")).to_be_visible()
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_label("Email address")).to_be_focused()
    page.get_by_label("Email address").fill("ada@example.com")
    page.get_by_label("Password", exact=True).fill("password1")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_text("Many people use this password.")).to_be_visible()
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    taken = page.get_by_text("An account with this address exists.")
    expect(taken).to_be_visible()
    page.get_by_label("Full name").click()
    page.wait_for_timeout(600)
    expect(taken).to_be_visible()
    page.get_by_label("Email address").press("End")
    page.keyboard.type(".org")
    expect(taken).to_have_count(0)
    page.context.close()


def scene_a_newcomer_comes_in_and_goes_out(stage):
    page = stage.page("/register")
    sign_up(page, "Grace.H", "Grace Hopper")
    at(page, "/photo")
    heading(page, "A photo of you")
    page.get_by_role("link", name="Not now").click()
    at(page, "/home")
    expect(page.get_by_text("Quiet here so far")).to_be_visible()
    cookies = page.context.cookies()
    assert [(one["name"], one["httpOnly"], one["sameSite"]) for one in cookies] == [("roost_session", True, "Lax")]
    assert page.evaluate("document.cookie") == "" and "roost_" not in page.evaluate("JSON.stringify(localStorage)")
    page.reload()
    heading(page, "Home")
    for path in ("/", "/login", "/register"):
        page.goto(path)
        at(page, "/home")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    at(page, "/")
    heading(page, "Short notes, good company.")
    page.go_back()
    at(page, "/")
    assert page.request.get("/v1/me").status == 401
    page.context.close()


def scene_a_log_in_says_why_it_fails(stage):
    page = stage.page("/login")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_label("Username or email")).to_be_focused()
    expect(page.get_by_text("Fill this in.")).to_have_count(2)
    log_in(page, "ada", "not her password")
    expect(page.get_by_role("alert")).to_have_text("No account has this login together with this password. Check both.")
    page.route("**/v1/login", lambda route: route.fulfill(
        status=429, headers={"Retry-After": "125"}, json={"code": "too_many_requests"}))
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_have_text("Too many tries. Wait 3 minutes, then try again.")
    page.unroute("**/v1/login")
    page.get_by_role("button", name="Show the password").click()
    expect(page.get_by_label("Password", exact=True)).to_have_attribute("type", "text")
    log_in(page, "ADA@example.com")
    at(page, "/home")
    page.context.close()


def scene_one_gets_where_one_wanted_to_go(stage):
    page = stage.page("/.well-known/change-password")
    at(page, "/")
    page.get_by_role("link", name="Log in").click()
    log_in(page, "ada")
    at(page, "/settings#password")
    expect(page.get_by_role("heading", name="Password")).to_be_in_viewport()
    page.context.close()
