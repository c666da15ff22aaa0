"""Korean: its words, and the way it is typed."""

from stage import at, expect, heading

COMPARE = """async (main) => {
  const read = async (name) => (await import(new URL(`words/${name}.js`, main))).default;
  const [english, korean] = [await read("english"), await read("korean")];
  const places = (words) => typeof words === "function" ? "function" : (words.match(/\\{\\w+\\}/g) ?? []).sort().join();
  return [...new Set([...Object.keys(english), ...Object.keys(korean)])].filter((key) =>
    !(key in english) || !(key in korean) || english[key] === "" || korean[key] === ""
      || ([english, korean].every((words) => typeof words[key] === "string")
        && places(english[key]) !== places(korean[key])));
}"""


def scene_the_browser_speaks_korean(stage):
    page = stage.page("/", locale="ko-KR")
    heading(page, "짧은 글, 좋은 사람들.")
    assert page.evaluate("document.documentElement.lang") == "ko"
    page.get_by_role("link", name="로그인").click()
    page.get_by_label("사용자 이름 또는 이메일").fill("nobody")
    page.get_by_label("비밀번호", exact=True).fill("nothing at all")
    page.get_by_role("button", name="로그인").click()
    expect(page.get_by_role("alert")).to_have_text("사용자 이름이나 이메일, 또는 비밀번호가 맞지 않습니다.")
    main = page.locator("script[type=module]").get_attribute("src")
    assert page.evaluate(COMPARE, stage.url + main) == []
    page.context.close()


def scene_the_language_is_chosen_and_kept_on_every_tab(stage):
    page = stage.page("/")
    other = page.context.new_page()
    other.goto("/terms")
    page.get_by_label("Language").select_option("ko")
    heading(page, "짧은 글, 좋은 사람들.")
    heading(other, "이용약관")
    page.reload()
    heading(page, "짧은 글, 좋은 사람들.")
    page.get_by_label("언어").select_option("en")
    heading(page, "Short notes, good company.")
    page.context.close()


def scene_hangul_is_typed_letter_by_letter(stage):
    page = stage.page("/home", stage.person("sejong", "세종"), locale="ko-KR")
    text = page.get_by_label("트윗 쓰기", exact=True)
    text.click()
    keyboard = page.context.new_cdp_session(page)

    def compose(syllable):
        keyboard.send("Input.imeSetComposition", {"text": syllable, "selectionStart": 1, "selectionEnd": 1})

    for syllable in ("ㅎ", "하", "한"):
        compose(syllable)
    expect(page.locator(".left")).to_have_text("279")
    keyboard.send("Input.insertText", {"text": "한"})
    for syllable in ("ㄱ", "그", "글"):
        compose(syllable)
    expect(text).to_have_value("한글")
    expect(page.locator(".left")).to_have_text("278")
    text.evaluate("""(area) => area.dispatchEvent(new KeyboardEvent("keydown",
      { key: "Enter", ctrlKey: true, isComposing: true, bubbles: true }))""")
    page.wait_for_timeout(200)
    expect(page.get_by_role("article")).to_have_count(0)
    keyboard.send("Input.insertText", {"text": "글"})
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("article").locator(".text")).to_have_text("한글")
    # Decomposed into its letters it is as long for a reader.
    text.fill("\u1112\u1161\u11ab\u1100\u1173\u11af" * 10)
    expect(page.locator(".left")).to_have_text("260")
    text.fill("가" * 280)
    expect(page.locator(".left")).to_have_text("0")
    page.get_by_role("button", name="올리기").click()
    expect(page.get_by_role("article")).to_have_count(2)
    page.context.close()


def scene_a_name_may_be_korean(stage):
    page = stage.page("/register", locale="ko-KR")
    page.get_by_label("이메일 주소").fill("hong@example.com")
    page.get_by_label("사용자 이름").fill("홍길동")
    expect(page.get_by_text("영문자, 숫자, 점, 밑줄만 사용하세요.")).to_be_visible()
    page.get_by_label("사용자 이름").fill("hong")
    page.get_by_label("이름", exact=True).fill("홍길동")
    page.get_by_label("비밀번호", exact=True).fill("아주 긴 비밀번호")
    page.get_by_role("button", name="계정 만들기").click()
    at(page, "/photo")
    page.goto("/u/hong")
    heading(page, "홍길동")
    page.context.close()
