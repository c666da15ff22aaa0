"""The home feed: writing, counting, liking, deleting, what arrives, and what lies further down."""

from stage import PHONE, at, expect, heading

HIDE = """(state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
FAMILY = "👩‍👩‍👧‍👦"


def tweets(page):
    return page.locator(".tweet:not(.skeleton)")


def scene_a_tweet_is_written(stage):
    ada = stage.person("ada", "Ada")
    page = stage.page("/home", ada)
    text = page.get_by_label("Write a tweet", exact=True)
    publish = page.get_by_role("button", name="Publish")
    expect(publish).to_be_disabled()
    text.fill(FAMILY)
    expect(page.get_by_label("279 characters left")).to_have_text("279")
    text.fill("x" * 279 + "é")
    expect(page.get_by_label("0 characters left")).to_have_text("0")
    text.fill("x" * 281)
    expect(page.get_by_label("1 character too many")).to_have_text("-1")
    expect(publish).to_be_disabled()
    text.fill("Hello from the nest.\nAnd a second line.")
    page.reload()
    expect(text).to_have_value("Hello from the nest.\nAnd a second line.")
    text.press("Control+Enter")
    expect(tweets(page).first).to_contain_text("Hello from the nest.\nAnd a second line.")
    expect(text).to_have_value("")
    expect(text).to_be_focused()
    text.fill("<img src=x onerror=alert(1)> & <b>bold</b>")
    publish.click()
    expect(tweets(page).first.locator(".text")).to_have_text("<img src=x onerror=alert(1)> & <b>bold</b>")
    expect(page.locator(".aside .counts")).to_contain_text("2 tweets")
    expect(tweets(page)).to_have_count(2)
    page.context.close()


def scene_a_tweet_is_liked(stage):
    grace = stage.person("grace", "Grace")
    page = stage.page("/home", grace)
    grace.tweet("Found a bug in the relay.")
    page.reload()
    like = tweets(page).first.get_by_role("button", name="Like")
    expect(like).to_have_attribute("aria-pressed", "false")
    like.click()
    expect(like).to_have_attribute("aria-pressed", "true")
    expect(like).to_have_accessible_name("Like, 1 like")
    page.wait_for_timeout(200)
    page.reload()
    expect(like).to_have_attribute("aria-pressed", "true")
    like.click()
    expect(like).to_have_accessible_name("Like, 0 likes")
    page.wait_for_timeout(200)
    assert grace.call("GET", "/v1/feed")["items"][0]["likes"] == 0
    page.route("**/like", lambda route: route.fulfill(status=503, json={"code": "overloaded"}))
    like.click()
    expect(page.get_by_text("The server is busy.")).to_be_visible()
    expect(like).to_have_attribute("aria-pressed", "false")
    page.context.close()


def scene_a_tweet_is_deleted(stage):
    joan = stage.person("joan", "Joan")
    joan.tweet("This stays.")
    joan.tweet("This goes.")
    page = stage.page("/home", joan)
    bin = tweets(page).first.get_by_role("button", name="Delete the tweet")
    bin.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(bin).to_be_focused()
    bin.click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(tweets(page)).to_have_count(1)
    expect(tweets(page).first).to_contain_text("This stays.")
    assert len(joan.call("GET", "/v1/feed")["items"]) == 1
    page.context.close()


def scene_what_is_written_elsewhere_arrives_by_itself(stage):
    writer = stage.person("writer", "Writer")
    for number in range(20):
        writer.tweet(f"Older {number}")
    page = stage.page("/home", writer, **PHONE)
    expect(tweets(page)).to_have_count(20)
    writer.tweet("This just in.")
    expect(tweets(page).first).to_contain_text("This just in.", timeout=5_000)
    expect(tweets(page)).to_have_count(21)
    # A tab that is not seen does not listen, and catches up when it is seen again.
    page.evaluate(HIDE, "hidden")
    writer.tweet("Written while nobody looked.")
    page.wait_for_timeout(1_500)
    expect(tweets(page)).to_have_count(21)
    page.evaluate(HIDE, "visible")
    expect(tweets(page).first).to_contain_text("Written while nobody looked.", timeout=5_000)
    expect(tweets(page)).to_have_count(22)
    page.evaluate("scrollTo(0, 900)")
    seen = tweets(page).nth(8)
    before = seen.bounding_box()["y"]
    writer.tweet("News below the top.")
    writer.tweet("More news.")
    button = page.get_by_role("button", name="2 new tweets")
    expect(button).to_be_visible(timeout=5_000)
    assert abs(seen.bounding_box()["y"] - before) < 1, "what is read does not move"
    button.click()
    expect(tweets(page).first).to_contain_text("More news.")
    expect(tweets(page).nth(1)).to_contain_text("News below the top.")
    expect(tweets(page).first).to_be_focused()
    page.context.close()


def scene_the_feed_goes_on_and_back_finds_the_place(stage):
    writer = stage.person("many", "Many")
    for number in range(65):
        writer.tweet(f"Number {number}")
    page = stage.page("/home", writer)
    expect(tweets(page)).to_have_count(20)
    for _ in range(40):
        page.mouse.wheel(0, 2_000)
        page.wait_for_timeout(50)
        if page.get_by_text("That is all.").count():
            break
    texts = tweets(page).locator(".text").all_inner_texts()
    assert texts == [f"Number {number}" for number in reversed(range(65))], texts
    page.get_by_text("Number 30", exact=True).scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    assert place > 1_000
    tweets(page).filter(has_text="Number 30").get_by_role("link", name="Many").click()
    at(page, "/u/many")
    heading(page, "Many")
    assert page.evaluate("scrollY") == 0
    page.go_back()
    at(page, "/home")
    heading(page, "Home")
    expect(tweets(page)).to_have_count(65)
    assert abs(page.evaluate("scrollY") - place) < 2
    page.go_forward()
    at(page, "/u/many")
    page.context.close()
