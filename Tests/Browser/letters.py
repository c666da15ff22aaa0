"""What is done by mail. To open a link changes nothing; its button does."""

from stage import PASSWORD, at, expect, heading, log_in, sign_up

STEEL = "an engine of steel"


def scene_an_address_is_confirmed(stage):
    page = stage.page("/register")
    sign_up(page, "ada")
    at(page, "/photo")
    link = stage.letters.link("ada@example.com", "/verify")
    page.goto("/settings")
    email = page.get_by_role("region", name="Email")
    expect(email.get_by_text("is not confirmed yet.")).to_be_visible()
    email.get_by_role("button", name="Mail me a link").click()
    expect(page.get_by_text("A link is on its way to you.")).to_be_visible()
    link = stage.letters.link("ada@example.com", "/verify", count=2)
    other = page.context.new_page()
    asked = []
    other.on("request", lambda request: asked.append(request.method))
    other.goto(link)
    heading(other, "Confirm your email address")
    assert "token" not in other.url and "POST" not in asked
    assert page.request.get("/v1/me").json()["emailVerified"] is False
    other.get_by_role("button", name="Confirm the address").click()
    expect(other.get_by_role("status").filter(has_text="ada@example.com is confirmed.")).to_be_focused()
    expect(email.get_by_text("is confirmed.")).to_be_visible()
    other.goto(link)
    other.get_by_role("button", name="Confirm the address").click()
    expect(other.get_by_role("alert")).to_have_text("This link was used or is too old. Ask for a new one.")
    page.context.close()


def scene_a_forgotten_password_is_replaced(stage):
    stage.person("grace")
    page = stage.page("/login")
    page.get_by_role("link", name="Forgot your password?").click()
    at(page, "/reset")
    page.get_by_label("Email address").fill("grace@example.com")
    page.get_by_role("button", name="Mail me a link").click()
    expect(page.get_by_text("If an account has this address")).to_be_focused()
    page.goto(stage.letters.link("grace@example.com", "/reset"))
    at(page, "/reset")
    page.get_by_label("New password", exact=True).fill("grace")
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_text("Use at least 8 characters.")).to_be_visible()
    page.get_by_label("New password", exact=True).fill(STEEL)
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_text("Your new password holds.")).to_be_focused()
    page.get_by_role("link", name="Log in").click()
    log_in(page, "grace", PASSWORD)
    expect(page.get_by_role("alert")).to_be_visible()
    log_in(page, "grace", STEEL)
    at(page, "/home")
    page.context.close()


def scene_who_is_signed_in_may_set_a_password_too(stage):
    joan = stage.person("joan")
    page = stage.page("/reset", joan)
    page.get_by_label("Email address").fill("joan@example.com")
    page.get_by_role("button", name="Mail me a link").click()
    page.goto(stage.letters.link("joan@example.com", "/reset"))
    page.get_by_label("New password", exact=True).fill(STEEL)
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_text("Your new password holds.")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Log in").click()
    at(page, "/login")
    page.context.close()


def scene_a_username_is_mailed(stage):
    stage.person("forgetful")
    page = stage.page("/login")
    page.get_by_role("link", name="Forgot your username?").click()
    page.get_by_label("Email address").fill("forgetful@example.com")
    page.get_by_role("button", name="Mail me my username").click()
    expect(page.get_by_text("its username is on its way")).to_be_focused()
    for _ in range(100):
        if any(to == "forgetful@example.com" and "#token" not in text for to, text in stage.letters.received):
            break
        page.wait_for_timeout(50)
    else:
        raise AssertionError("no letter came")
    page.context.close()


def scene_an_address_is_changed(stage):
    page = stage.page("/settings#email", stage.person("alan"))
    email = page.get_by_role("region", name="Email")
    expect(email.get_by_role("heading")).to_be_focused()
    email.get_by_label("New email address").fill("turing@example.com")
    email.get_by_label("Password", exact=True).fill(PASSWORD)
    email.get_by_role("button", name="Change the address").click()
    expect(page.get_by_text("A link is on its way to the new address.")).to_be_visible()
    page.goto(stage.letters.link("turing@example.com", "/verify"))
    page.get_by_role("button", name="Confirm the address").click()
    expect(page.get_by_text("turing@example.com is confirmed.")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Go to your feed").click()
    at(page, "/home")
    page.context.close()
