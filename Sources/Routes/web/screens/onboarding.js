// What a visitor sees first.
import { h, icon } from "../dom.js";
import { t } from "../words.js";
import { avatar } from "../parts/avatar.js";

export const title = () => t("welcome");
export const isWide = true;

export function render() {
  return h("div", { class: "onboarding" },
    h("div", { class: "hero" },
      h("div", {},
        h("h1", {}, t("onboarding.title")),
        h("p", { class: "lead" }, t("onboarding.lead")),
        h("p", { class: "actions" },
          h("a", { class: "button primary", href: "/register" }, t("createAccount")),
          h("a", { class: "button quiet", href: "/login" }, t("logIn")))),
      samples()),
    h("ul", { class: "points" }, ["order", "yours", "over"].map((name) =>
      h("li", {}, h("h2", {}, t(`onboarding.${name}`)), h("p", {}, t(`onboarding.${name}.more`))))));
}

/// What the home feed looks like; an ornament, which screen readers pass over.
function samples() {
  const people = [["ada", "Ada", 12, true], ["sejong", "세종", 48, false], ["grace", "Grace", 7, false]];
  return h("div", { class: "samples", "aria-hidden": "true" }, people.map(([username, fullName, likes, isLiked]) =>
    h("div", { class: "card tweet" }, h("span", { class: "face" }, avatar({ username, fullName })),
      h("div", { class: "body" },
        h("header", {}, h("span", { class: "author" }, h("strong", {}, fullName), " ",
          h("span", { class: "handle" }, `@${username}`))),
        h("p", { class: "text" }, t(`onboarding.sample.${username}`)),
        h("footer", {}, h("span", { class: isLiked ? "like is-on" : "like" }, icon("heart"),
          h("span", {}, String(likes))))))));
}
