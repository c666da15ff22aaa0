// The privacy notice.
import { h } from "../dom.js";
import { t } from "../words.js";

const parts = ["held", "why", "who", "long", "rights", "cookie"];

export const title = () => t("privacy");

export function render() {
  return h("article", { class: "narrow prose" }, h("h1", {}, t("privacy")),
    h("p", { class: "lead" }, t("privacy.lead")),
    parts.map((name) => [h("h2", {}, t(`privacy.${name}`)), h("p", {}, t(`privacy.${name}.more`))]));
}
