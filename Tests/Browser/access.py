"""For everybody: what axe finds on every screen, the keyboard alone, and targets for fingers."""

from axe_playwright_python.sync_playwright import Axe

from stage import DESK, PASSWORD, PHONE, at, expect

OUTSIDE = [
    "/", "/register", "/login", "/reset", "/reset#token=x", "/remind", "/verify#token=x", "/terms", "/privacy", "/api",
]
INSIDE = ["/home", "/explore", "/u/ada", "/u/grace", "/u/nobody.here", "/u/ada/following", "/settings", "/photo"]


def violations(page):
    result = Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        f"{page.url}: {found['id']} ({found['impact']}): {[node['html'][:150] for node in found['nodes']][:3]}"
        for found in result.response["violations"] if found["impact"] in ("serious", "critical")
    ]


def scene_axe_finds_nothing_serious(stage):
    ada, grace = stage.person("ada", "Ada Lovelace"), stage.person("grace", "Grace Hopper")
    grace.tweet("An actual moth.")
    tweet = ada.tweet("First, tea.")
    ada.follow(grace)
    ada.call("PUT", f"/v1/tweets/{tweet['id']}/like")
    found = []
    for scheme, options in (("light", DESK), ("dark", PHONE)):
        for person, paths in ((None, OUTSIDE), (ada, INSIDE)):
            context = stage.context(person, color_scheme=scheme, **options)
            page = context.new_page()
            for path in paths:
                page.goto(path)
                expect(page.get_by_role("heading", level=1)).to_be_visible()
                expect(page.locator("[aria-busy=true]")).to_have_count(0)
                found += violations(page)
            context.close()
    assert not found, "\n".join(found)


def scene_the_other_pairs_of_colour_and_size(stage):
    found = []
    joan = stage.person("joan")
    joan.tweet("One.")
    for scheme, options in (("light", PHONE), ("dark", DESK)):
        for person, paths in ((None, ["/", "/register"]), (joan, ["/home", "/settings"])):
            context = stage.context(person, color_scheme=scheme, **options)
            page = context.new_page()
            for path in paths:
                page.goto(path)
                expect(page.locator("[aria-busy=true]")).to_have_count(0)
                expect(page.get_by_role("heading", level=1)).to_be_visible()
                if path == "/register":
                    page.get_by_role("button", name="Create account").click()
                found += violations(page)
            if person:
                page.get_by_role("button", name="Delete the account").click()
                found += violations(page)
            context.close()
    assert not found, "\n".join(found)


def scene_all_is_done_by_the_keyboard(stage):
    stage.person("alan")
    page = stage.page("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    keys = page.keyboard
    keys.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    keys.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    keys.press("Tab")
    expect(page.get_by_role("link", name="Create account")).to_be_focused()
    keys.press("Tab")
    keys.press("Enter")
    at(page, "/login")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    keys.press("Tab")
    keys.type("alan")
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Enter")
    at(page, "/home")
    for _ in range(10):
        if page.get_by_label("Write a tweet", exact=True).evaluate("(text) => text === document.activeElement"):
            break
        keys.press("Tab")
    keys.type("By keyboard.")
    keys.press("Tab")
    keys.press("Space")
    expect(page.get_by_role("article")).to_have_count(1)
    for _ in range(3):
        keys.press("Tab")
    like = page.get_by_role("button", name="Like")
    expect(like).to_be_focused()
    outline = like.evaluate("(button) => getComputedStyle(button).outlineWidth")
    assert float(outline.removesuffix("px")) >= 2, "what has the focus is seen"
    keys.press("Space")
    expect(like).to_have_attribute("aria-pressed", "true")
    page.context.close()


SMALL = """() => [...document.querySelectorAll("a[href], button, select, input:not(.hidden), textarea")]
  .filter((one) => one.checkVisibility() && !one.matches(".skip, .prose a, .small a, .author, .name, .face, .heading a"))
  .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])
  .filter(([, box]) => box.height < 43.5 || box.width < 24).map(([html, box]) => `${html} ${box.width}x${box.height}`)"""


def scene_targets_are_large_enough_for_fingers(stage):
    edsger = stage.person("edsger")
    edsger.tweet("One.")
    for person, paths in ((None, ["/", "/register", "/login"]), (edsger, ["/home", "/settings", "/u/edsger"])):
        page = stage.page(paths[0], person, **PHONE)
        for path in paths:
            page.goto(path)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            expect(page.locator("[aria-busy=true]")).to_have_count(0)
            assert page.evaluate(SMALL) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} is too wide"
        page.context.close()
