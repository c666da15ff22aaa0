// The home feed: one's own tweets and those of whom one follows, newest first, as they are written.
import { h } from "../dom.js";
import { t } from "../words.js";
import { composer } from "../parts/composer.js";
import { timeline } from "../parts/timeline.js";

export const title = () => t("home");
export const keeps = true;

export function render(_, signal) {
  const empty = () => h("div", { class: "empty" }, h("h2", {}, t("homeEmpty")), h("p", {}, t("homeEmptyMore")),
    h("a", { class: "button quiet", href: "/explore" }, t("explore")));
  const tweets = timeline({ path: "/v1/feed", empty, label: t("home"), signal });
  return h("div", { class: "column" }, h("h1", { class: "heading" }, t("home")),
    composer((tweet) => tweets.prepend(tweet)), tweets.element);
}
