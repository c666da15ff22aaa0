// The newest tweets of everybody.
import { h } from "../dom.js";
import { t } from "../words.js";
import { timeline } from "../parts/timeline.js";

export const title = () => t("explore");
export const keeps = true;

export function render() {
  const empty = () => h("div", { class: "empty" }, h("h2", {}, t("exploreEmpty")));
  return h("div", { class: "column" }, h("h1", { class: "heading" }, t("explore")),
    timeline({ path: "/v1/explore", empty, label: t("explore") }).element);
}
