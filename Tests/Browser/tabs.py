"""Several tabs of one browser."""

from stage import at, expect, heading, log_in


def scene_a_sign_out_is_seen_on_every_tab(stage):
    context = stage.context(stage.person("ada"))
    # Tabs tell each other, also where no news comes from the server.
    context.route("**/v1/feed/live", lambda route: route.abort())
    pages = [context.new_page() for _ in range(3)]
    for page, path in zip(pages, ("/home", "/settings", "/u/ada")):
        page.goto(path)
    for page in pages:
        expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    pages[1].get_by_role("button", name="Sign out", exact=True).click()
    for page in pages:
        at(page, "/")
        heading(page, "Short notes, good company.")
    pages[0].get_by_role("link", name="Log in").click()
    log_in(pages[0], "ada")
    for page in pages:
        at(page, "/home")
        heading(page, "Home")
    context.close()


def scene_a_session_that_ends_elsewhere_ends_here(stage):
    grace = stage.person("grace")
    context = stage.context(grace)
    pages = [context.new_page() for _ in range(2)]
    for page in pages:
        page.goto("/home")
        heading(page, "Home")
    grace.call("POST", "/v1/signout")
    for page in pages:
        at(page, "/")
    context.close()


def scene_a_log_in_as_somebody_else_shows_nothing_of_the_first(stage):
    joan, alan = stage.person("joan", "Joan"), stage.person("alan", "Alan")
    joan.tweet("A tweet of Joan's.")
    context = stage.context(joan)
    page, other = context.new_page(), context.new_page()
    for one in (page, other):
        one.goto("/home")
        expect(one.get_by_text("A tweet of Joan's.")).to_be_visible()
    page.get_by_label("Write a tweet", exact=True).fill("Joan's draft")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("link", name="Log in").click()
    log_in(page, "alan")
    for one in (page, other):
        at(one, "/home")
        expect(one.locator(".aside .own")).to_contain_text("Alan@alan")
        expect(one.get_by_label("Write a tweet", exact=True)).to_have_value("")
        expect(one.get_by_text("A tweet of Joan's.")).to_have_count(0)
    context.close()
