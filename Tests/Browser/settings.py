"""All that can be changed about one's own account."""

import json

from stage import PASSWORD, at, expect, heading, log_in

STEEL = "an engine of steel"


def section(page, name):
    return page.get_by_role("region", name=name, exact=True)


def scene_the_profile_is_changed(stage):
    stage.person("taken")
    page = stage.page("/settings", stage.person("ada"))
    profile = section(page, "Profile")
    profile.get_by_label("Username").fill("taken")
    expect(profile.get_by_text("This username is taken.")).to_be_visible()
    profile.get_by_label("Username").fill("ada.l")
    profile.get_by_label("Full name").fill("Ada Lovelace")
    profile.get_by_label("About you").fill("x" * 161)
    expect(profile.get_by_text("Use at most 160 characters.")).to_be_visible()
    profile.get_by_label("About you").fill("Numbers.\nPoetry.")
    profile.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.locator(".aside .own")).to_contain_text("Ada Lovelace@ada.l")
    page.get_by_role("link", name="Profile").first.click()
    at(page, "/u/ada.l")
    expect(page.get_by_text("Numbers.\nPoetry.")).to_be_visible()
    page.context.close()


def scene_devices_are_signed_out(stage):
    grace = stage.person("grace")
    other = Device(stage, "grace")
    page = stage.page("/settings", grace)
    devices = section(page, "Devices")
    expect(devices.get_by_role("listitem")).to_have_count(2)
    expect(devices.get_by_text("This device")).to_have_count(1)
    devices.get_by_role("button", name="Sign out Firefox · Mac").click()
    expect(devices.get_by_role("listitem")).to_have_count(1)
    assert other.is_out()
    another = Device(stage, "grace")
    page.reload()
    devices.get_by_role("button", name="Sign out all other devices").click()
    expect(devices.get_by_role("listitem")).to_have_count(1)
    assert another.is_out() and page.request.get("/v1/me").status == 200
    page.context.close()


class Device:
    """A browser elsewhere."""

    def __init__(self, stage, username):
        agent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0"
        self.context = stage.context(user_agent=agent)
        page = self.context.new_page()
        page.goto("/login")
        log_in(page, username)
        at(page, "/home")

    def is_out(self):
        page = self.context.pages[0]
        page.reload()
        at(page, "/")
        self.context.close()
        return True


def scene_the_password_is_changed(stage):
    page = stage.page("/settings", stage.person("joan"))
    other = Device(stage, "joan")
    password = section(page, "Password")
    password.get_by_label("Present password").fill("not my password")
    password.get_by_label("New password").fill(STEEL)
    password.get_by_role("button", name="Change the password").click()
    expect(password.get_by_role("alert")).to_have_text("This is not your password.")
    password.get_by_label("Present password").fill(PASSWORD)
    password.get_by_label("New password").fill("joan@example.com")
    password.get_by_role("button", name="Change the password").click()
    expect(password.get_by_text("Choose a password that is not your username or email.")).to_be_visible()
    password.get_by_label("New password").fill(STEEL)
    password.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("Your new password holds.")).to_be_visible()
    expect(password.get_by_label("Present password")).to_have_value("")
    assert other.is_out()
    page.context.close()


def scene_everything_is_taken_along_and_deleted(stage):
    alan = stage.person("alan")
    alan.tweet("To be taken along.")
    page = stage.page("/settings", alan)
    data = section(page, "Your data")
    with page.expect_download() as download:
        data.get_by_role("link", name="Download everything").click()
    assert download.value.suggested_filename == "roost-account.json"
    with open(download.value.path()) as file:
        assert "To be taken along." in json.dumps(json.load(file))
    data.get_by_role("button", name="Delete the account").click()
    dialog = page.get_by_role("dialog", name="Delete the account")
    dialog.get_by_label("Password", exact=True).fill("not my password")
    dialog.get_by_role("button", name="Delete the account").click()
    expect(dialog.get_by_role("alert")).to_have_text("This is not your password.")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name="Delete the account").click()
    at(page, "/")
    heading(page, "Short notes, good company.")
    expect(page.get_by_text("Your account is deleted.")).to_be_visible()
    page.goto("/login")
    log_in(page, "alan")
    expect(page.get_by_role("alert")).to_contain_text("No account has this login")
    page.context.close()
