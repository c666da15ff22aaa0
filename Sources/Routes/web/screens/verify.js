// Confirms an email address by the link that was mailed to it.
import { h } from "../dom.js";
import { t } from "../words.js";
import { post } from "../api.js";
import { account, changed } from "../session.js";
import { form } from "../parts/form.js";
import { dropToken, takeToken } from "./mailed.js";

export const title = () => t("verify.title");

export function render() {
  const token = takeToken();
  const element = h("div", { class: "narrow" }, h("h1", {}, t("verify.title")));
  if (!token) {
    element.append(h("p", { class: "lead" }, t("verify.open")));
    return element;
  }
  const { element: asked } = form({
    label: t("verify.title"), action: t("verify.confirm"),
    async send() {
      const user = await post("/v1/email-verification/confirm", { token });
      dropToken();
      if (account()?.id === user.id) changed(user);
      const result = h("p", { class: "lead", role: "status", tabindex: "-1" }, t("verify.done", { email: user.email }));
      element.replaceChildren(element.querySelector("h1"), result,
        h("a", { class: "button primary", href: account() ? "/home" : "/login" }, t(account() ? "goHome" : "logIn")));
      result.focus();
    },
  });
  element.append(h("p", { class: "lead" }, t("verify.lead")), asked);
  return element;
}
