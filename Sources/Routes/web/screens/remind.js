// "What was my username?": it is mailed, never shown.
import { h } from "../dom.js";
import { t } from "../words.js";
import { post } from "../api.js";
import { emailField } from "../parts/fields.js";
import { form } from "../parts/form.js";

export const title = () => t("forgotUsername");

export function render() {
  const element = h("div", { class: "narrow" }, h("h1", {}, t("forgotUsername")),
    h("p", { class: "lead" }, t("remind.lead")));
  const { element: asked } = form({
    label: t("forgotUsername"), action: t("remind.send"),
    fields: [emailField()],
    async send(values) {
      await post("/v1/username-reminder", values);
      const result = h("p", { class: "lead", role: "status", tabindex: "-1" }, t("remind.sent"));
      asked.replaceWith(result, h("a", { class: "button quiet", href: "/login" }, t("logIn")));
      result.focus();
    },
  });
  element.append(asked);
  return element;
}
