"""Not a story, but pictures for the README: `make screenshots` writes them into docs/images.

`python Tests/Browser/run.py screenshots`, with the environment that run.py wants, and FOLDER for where they go.
"""

import os
import pathlib

from stage import DESK, PASSWORD, PHONE, expect

FOLDER = pathlib.Path(os.environ.get("FOLDER", "."))

PEOPLE = {
    "ada": ("Ada Lovelace", "Numbers, poetry, and a machine that does not exist yet."),
    "sejong": ("세종", "스물여덟 글자로 할 말은 다 합니다."),
    "grace": ("Grace Hopper", "Patient with relays. Collects nanoseconds."),
    "alan": ("Alan Turing", "Can I think? Ask me something."),
}

TWEETS = [
    ("alan", "We can only see a short distance ahead, but we can see plenty there that needs to be done."),
    ("grace", "Found a bug in the relay at last.\nAn actual moth. It is taped into the log now."),
    ("sejong", "오늘 새 글자 스물여덟 자를 만들었다.\n슬기로운 사람은 아침이 가기 전에 깨칠 것이다."),
    ("ada", "The engine might compose elaborate pieces of music of any complexity. First, tea."),
    ("grace", "“We have always done it this way” is the most dangerous sentence there is."),
    ("alan", "Ran to the office again this morning. Eleven miles; the problem was solved at nine."),
]


def scene_the_main_screens(stage):
    people = {name: stage.person(name, full_name) for name, (full_name, _) in PEOPLE.items()}
    for name, person in people.items():
        person.call("PATCH", "/v1/me", {"bio": PEOPLE[name][1]})
        for other in people.values():
            if other is not person:
                person.follow(other)
    for number, (name, text) in enumerate(TWEETS):
        tweet = people[name].tweet(text)
        for liker in [person for place, person in enumerate(people.values()) if (place + number) % 3]:
            liker.call("PUT", f"/v1/tweets/{tweet['id']}/like")
    ada, sejong = people["ada"], people["sejong"]
    phone = {**PHONE, "device_scale_factor": 1.5}
    dark, korean = {**phone, "color_scheme": "dark"}, {**phone, "locale": "ko-KR"}
    shoot(stage, "desktop", DESK, None, ["/"])
    shoot(stage, "desktop", DESK, ada, ["/home", "/u/grace", "/settings"])
    shoot(stage, "phone", phone, ada, ["/home"])
    shoot(stage, "phone-dark", dark, ada, ["/home", "/u/grace", "/settings"])
    shoot(stage, "phone-korean", korean, None, ["/"])
    shoot(stage, "phone-korean", korean, sejong, ["/home"])
    register(stage, "desktop", DESK)
    register(stage, "phone", phone)


def shoot(stage, kind, options, person, paths):
    page = stage.page(paths[0], person, **options)
    for path in paths:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        save(page, path.strip("/").replace("/", "-") or "onboarding", kind)
    page.context.close()


def register(stage, kind, options):
    page = stage.page("/register", **options)
    page.get_by_label("Email address").fill("edsger@example.com")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Full name").fill("Edsger")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    expect(page.get_by_text("This username is taken.")).to_be_visible()
    save(page, "register", kind)
    page.context.close()


def save(page, name, kind):
    page.wait_for_timeout(400)
    page.screenshot(path=FOLDER / f"{name}-{kind}.png")
