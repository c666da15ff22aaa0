// A question that wants an answer before anything else.
import { h, uniqueID } from "../dom.js";
import { t } from "../words.js";

/// Opens a dialogue around `content`, and answers a function that closes it.
export function dialog(title, ...content) {
  const id = uniqueID("dialog");
  const close = () => element.close();
  const cancel = h("button", { type: "button", class: "quiet", onclick: close }, t("cancel"));
  const element = h("dialog", { "aria-labelledby": id }, h("h2", { id }, title), content, cancel);
  element.addEventListener("close", () => element.remove());
  element.addEventListener("click", (event) => event.target === element && close());
  document.body.append(element);
  element.showModal();
  return close;
}

/// Asks whether to do `action`, which cannot be undone.
export function confirmed(title, words, action) {
  return new Promise((resolve) => {
    const yes = h("button", { type: "button", class: "danger", onclick: () => {
      resolve(true);
      close();
    } }, action);
    const close = dialog(title, h("p", {}, words), yes);
    yes.closest("dialog").addEventListener("close", () => resolve(false));
  });
}
