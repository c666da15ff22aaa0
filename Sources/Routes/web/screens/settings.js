// All that can be changed about one's own account, section by section.
import { h } from "../dom.js";
import { problemWords, t } from "../words.js";
import { signOut } from "../session.js";
import { languageChoice } from "../parts/language.js";
import { say } from "../parts/notices.js";
import { photoChoice } from "../parts/photo-choice.js";
import { deletion, email, password, profile } from "./settings-forms.js";
import { sessions } from "./settings-sessions.js";

export const title = () => t("settings");

const names = ["profile", "photo", "email", "password", "sessions", "language", "data"];

export function render(_, signal) {
  const contents = {
    profile, photo: () => photoChoice({ hasRemoval: true }), email: () => email(signal), password, sessions,
    language: languageChoice, data,
  };
  const links = names.map((name) =>
    h("a", { href: `/settings#${name}`, onclick: () => reveal(name) }, t(`settings.${name}`)));
  return h("div", { class: "column settings" }, h("h1", { class: "heading" }, t("settings")),
    h("nav", { class: "chips", "aria-label": t("sections") }, links),
    names.map((name) => h("section", { id: name, class: "section", "aria-labelledby": `${name}-title` },
      h("h2", { id: `${name}-title`, tabindex: "-1" }, t(`settings.${name}`)), contents[name]())));
}

/// Brings a section into view; the address may name one.
export function reveal(name) {
  const section = names.includes(name) ? document.getElementById(name) : null;
  section?.scrollIntoView();
  section?.querySelector("h2").focus({ preventScroll: true });
}

function data() {
  const leave = h("button", { type: "button", class: "quiet" }, t("signOut"));
  leave.addEventListener("click", async () => {
    leave.setAttribute("aria-busy", "true");
    try {
      await signOut();
    } catch (problem) {
      say(problemWords(problem), true);
    }
    leave.removeAttribute("aria-busy");
  });
  const file = h("a", { class: "button quiet", href: "/v1/me/export", download: true },
    t("export"));
  return [
    h("p", { class: "hint" }, t("exportHint")), h("p", { class: "actions" }, file, leave), deletion(),
  ];
}
