// The terms of use.
import { h } from "../dom.js";
import { t } from "../words.js";

const parts = ["account", "content", "conduct", "service", "end"];

export const title = () => t("terms");

export function render() {
  return h("article", { class: "narrow prose" }, h("h1", {}, t("terms")),
    h("p", { class: "lead" }, t("terms.lead")),
    parts.map((name) => [h("h2", {}, t(`terms.${name}`)), h("p", {}, t(`terms.${name}.more`))]));
}
