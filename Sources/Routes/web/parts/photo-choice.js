// The choice of a profile photo: a preview first, then the upload, and how far it is.
import { h, icon, uniqueID } from "../dom.js";
import { problemWords, t } from "../words.js";
import { remove, upload } from "../api.js";
import { account, changed } from "../session.js";
import { avatar } from "./avatar.js";

const bytesMax = 10 * 1024 * 1024;
const types = "image/jpeg,image/png,image/webp,image/gif,image/heic,image/heif,.heic,.heif";

/// `onDone` is called when the photo is there; `hasRemoval` offers to take the present one away.
export function photoChoice({ onDone, hasRemoval = false }) {
  const id = uniqueID("photo");
  const preview = h("div", { class: "preview" }, avatar(account(), "huge"));
  const input = h("input", { id, type: "file", accept: types, class: "hidden" });
  const choose = h("label", { for: id, class: "button quiet" }, icon("photo"), t("choosePhoto"));
  const progress = h("progress", { max: "1", value: "0", "aria-label": t("uploading"), hidden: true });
  const words = h("p", { class: "words", role: "status" });
  const use = h("button", { type: "button", class: "primary", hidden: true }, t("usePhoto"));
  const drop = h("button", { type: "button", class: "quiet", hidden: true }, t("removePhoto"));
  const element = h("div", { class: "photo" }, preview, words, progress,
    h("div", { class: "actions" }, input, choose, use, hasRemoval ? drop : null));
  let file = null;
  let address = null;

  const showPresent = () => {
    preview.replaceChildren(avatar(account(), "huge"));
    drop.hidden = !account().profileImageURL;
  };

  function tell(text, isBad = false) {
    words.textContent = text;
    words.classList.toggle("bad", isBad);
  }

  function take(chosen) {
    if (!chosen) return;
    if (chosen.size > bytesMax) return tell(t("photoTooLarge"), true);
    file = chosen;
    URL.revokeObjectURL(address);
    address = URL.createObjectURL(file);
    const picture = h("img", { class: "avatar huge", src: address, alt: t("photoPreview") });
    // Not every browser shows HEIC; the server reads it.
    picture.addEventListener("error", () => {
      picture.remove();
      tell(t("noPreview"));
    });
    preview.replaceChildren(picture);
    tell("");
    use.hidden = false;
    use.focus();
  }

  input.addEventListener("change", () => take(input.files[0]));
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
  use.addEventListener("click", async () => {
    if (use.getAttribute("aria-busy")) return;
    use.setAttribute("aria-busy", "true");
    progress.hidden = false;
    tell(t("uploading"));
    try {
      changed(await upload("/v1/me/avatar", file, (part) => (progress.value = part)));
      use.hidden = true;
      showPresent();
      tell(t("photoSaved"));
      onDone?.();
    } catch (problem) {
      tell(problemWords(problem), true);
    }
    progress.hidden = true;
    use.removeAttribute("aria-busy");
  });
  drop.addEventListener("click", async () => {
    try {
      await remove("/v1/me/avatar");
      changed({ ...account(), profileImageURL: null });
      showPresent();
      tell(t("photoRemoved"));
    } catch (problem) {
      tell(problemWords(problem), true);
    }
  });
  showPresent();
  return element;
}
