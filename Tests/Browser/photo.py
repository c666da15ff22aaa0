"""The profile photo: a large one from a phone, others that cannot be used, and none."""

import base64

from stage import at, expect, sign_up

# A picture that no compression makes small: 3000 by 2000 pixels, red at the left and blue at the right.
DRAW = """async () => {
  const canvas = new OffscreenCanvas(3000, 2000);
  const context = canvas.getContext("2d");
  const picture = context.createImageData(3000, 2000);
  let seed = 1;
  for (let i = 0; i < picture.data.length; i += 4) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    const isLeft = (i / 4) % 3000 < 1500;
    picture.data[i] = isLeft ? 200 + (seed >> 16) % 56 : (seed >> 10) % 56;
    picture.data[i + 1] = (seed >> 12) % 56;
    picture.data[i + 2] = isLeft ? (seed >> 8) % 56 : 200 + (seed >> 14) % 56;
    picture.data[i + 3] = 255;
  }
  context.putImageData(picture, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 })).arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}"""

# EXIF that says: turn me by 90 degrees to the right, as phones write it that are held upright.
TURNED = bytes.fromhex("ffe1002245786966000049492a000800000001001201030001000000060000000000" + "0000")


def choose(field, name, content, kind="image/jpeg"):
    field.set_input_files({"name": name, "mimeType": kind, "buffer": content})


def phone_photo(page):
    jpeg = base64.b64decode(page.evaluate(DRAW))
    jpeg = jpeg[:2] + TURNED + jpeg[2:]
    return jpeg + bytes(max(0, 4_000_000 - len(jpeg)))


def scene_a_phone_photo_becomes_the_face_of_a_newcomer(stage):
    page = stage.page("/register", viewport={"width": 390, "height": 844})
    sign_up(page, "ada", "Ada")
    at(page, "/photo")
    photo = phone_photo(page)
    assert 4_000_000 <= len(photo) < 10_000_000, len(photo)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    choose(page.get_by_label("Choose a photo"), "IMG_1.jpg", photo)
    expect(page.get_by_alt_text("Preview of the photo you chose")).to_be_visible()
    expect(page.get_by_role("button", name="Use this photo")).to_be_focused()
    assert not [url for url in asked if "/avatar" in url], "nothing is sent before it is wanted"
    page.get_by_role("button", name="Use this photo").click()
    expect(page.get_by_text("Your photo is saved.")).to_be_visible()
    size = page.locator(".preview img").evaluate("""async (image) => {
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    }""")
    assert size == [341, 512], size
    colours = page.locator(".preview img").evaluate("""(image) => {
      const context = new OffscreenCanvas(341, 512).getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      return [[170, 60], [170, 450]].map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)]);
    }""")
    assert colours[0][0] > 150 > colours[0][2] and colours[1][2] > 150 > colours[1][0], f"it stands upright: {colours}"
    page.get_by_role("link", name="Go to your feed").click()
    at(page, "/home")
    expect(page.locator(".composer .avatar img")).to_be_visible()
    page.context.close()


def scene_what_cannot_be_used_is_refused_in_words(stage):
    page = stage.page("/photo", stage.person("grace"))
    choice = page.get_by_label("Choose a photo")
    choose(choice, "big.jpg", bytes(10 * 1024 * 1024 + 1))
    expect(page.get_by_text("A photo may have 10 MB at most.")).to_be_visible()
    expect(page.get_by_role("button", name="Use this photo")).to_be_hidden()
    choose(choice, "letter.txt", b"Dear Ada, " * 100, "text/plain")
    expect(page.get_by_text("This browser cannot show this file")).to_be_visible()
    page.get_by_role("button", name="Use this photo").click()
    expect(page.get_by_text("Choose a JPEG, PNG, WebP, GIF or HEIC picture.")).to_be_visible()
    choose(choice, "broken.jpg", b"\xff\xd8\xff\xe0" + bytes(1000))
    page.get_by_role("button", name="Use this photo").click()
    expect(page.get_by_text("This picture is damaged or too large.")).to_be_visible()
    page.get_by_role("link", name="Not now").click()
    at(page, "/home")
    page.context.close()


def scene_a_photo_can_be_taken_away(stage):
    page = stage.page("/settings", stage.person("joan"))
    section = page.get_by_role("region", name="Photo")
    expect(section.get_by_role("button", name="Remove the photo")).to_be_hidden()
    small = DRAW.replace("3000", "300").replace("2000", "200").replace("1500", "150")
    choose(section.get_by_label("Choose a photo"), "a.jpg", base64.b64decode(page.evaluate(small)))
    section.get_by_role("button", name="Use this photo").click()
    expect(page.locator(".aside .avatar img")).to_be_visible()
    section.get_by_role("button", name="Remove the photo").click()
    expect(section.get_by_text("Your photo is gone.")).to_be_visible()
    expect(page.locator(".aside .avatar img")).to_have_count(0)
    page.context.close()
