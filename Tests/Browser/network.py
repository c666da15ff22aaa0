"""No network, and a slow one."""

from stage import PHONE, at, expect, heading

# How far what is seen moves by itself (Layout Instability, CLS): 0.1 is what browsers' makers call good.
WATCH_SHIFTS = """
  [window.shifted, window.hasWaited] = [0, false];
  new MutationObserver(() => (window.hasWaited ||= Boolean(document.querySelector(".skeleton"))))
    .observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
"""


def scene_offline_nothing_is_lost(stage):
    ada = stage.person("ada", "Ada")
    page = stage.page("/home", ada)
    heading(page, "Home")
    text = page.get_by_label("Write a tweet", exact=True)
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible()
    text.fill("Written in a tunnel.")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("alert").filter(has_text="The server cannot be reached.")).to_be_visible()
    expect(text).to_have_value("Written in a tunnel.")
    page.get_by_role("link", name="Explore").first.click()
    at(page, "/explore")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Nobody has written yet")).to_be_visible()
    page.get_by_role("link", name="Home").first.click()
    expect(text).to_have_value("Written in a tunnel.")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("article")).to_have_count(1)
    page.context.close()


def scene_an_answer_that_is_lost_does_not_publish_twice(stage):
    grace = stage.person("grace")
    page = stage.page("/home", grace)

    def lose(route):
        route.fetch()
        route.abort()

    page.route("**/v1/tweets", lose, times=1)
    page.get_by_label("Write a tweet", exact=True).fill("Once only.")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("alert").filter(has_text="The server cannot be reached.")).to_be_visible()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_label("Write a tweet", exact=True)).to_have_value("")
    page.reload()
    expect(page.get_by_role("article")).to_have_count(1)
    assert len(grace.call("GET", "/v1/feed")["items"]) == 1
    page.context.close()


def scene_a_start_without_the_server_offers_to_try_again(stage):
    page = stage.context(stage.person("joan")).new_page()
    page.route("**/v1/me", lambda route: route.abort(), times=1)
    page.goto("/home")
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    heading(page, "Home")
    page.context.close()


def scene_a_slow_server_moves_nothing(stage):
    alan = stage.person("alan", "Alan")
    for number in range(12):
        alan.tweet(f"Number {number}")
    for options in (PHONE, {}):
        context = stage.context(alan, **options)
        context.add_init_script(WATCH_SHIFTS)
        page = context.new_page()
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": 150, "downloadThroughput": 120_000, "uploadThroughput": 60_000})
        page.goto("/home")
        expect(page.get_by_role("article")).to_have_count(12)
        expect(page.locator(".skeleton")).to_have_count(0)
        assert page.evaluate("hasWaited"), "shapes stood for what had not come"
        assert page.evaluate("shifted") < 0.05, page.evaluate("shifted")
        page.goto("/u/alan")
        expect(page.get_by_role("article")).to_have_count(12)
        assert page.evaluate("shifted") < 0.1, page.evaluate("shifted")
        context.close()
