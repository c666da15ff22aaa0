// The step after the sign-up: a face for the new account.
import { h } from "../dom.js";
import { t } from "../words.js";
import { photoChoice } from "../parts/photo-choice.js";

export const title = () => t("profilePhoto");

export function render() {
  const onward = h("a", { class: "button quiet", href: "/home" }, t("skipPhoto"));
  const choice = photoChoice({
    onDone() {
      onward.textContent = t("goHome");
      onward.className = "button primary";
      onward.focus();
    },
  });
  return h("div", { class: "narrow centred" }, h("h1", {}, t("profilePhoto")),
    h("p", { class: "lead" }, t("photoLead")), choice, h("p", {}, onward));
}
