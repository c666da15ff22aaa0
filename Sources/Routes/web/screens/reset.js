// A new password: asks for a letter, or takes the link that came with it.
import { h } from "../dom.js";
import { t } from "../words.js";
import { post } from "../api.js";
import { account, ended } from "../session.js";
import { emailField, newPasswordField } from "../parts/fields.js";
import { form } from "../parts/form.js";
import { dropToken, takeToken } from "./mailed.js";

export const title = () => t("reset.title");

export function render() {
  const token = takeToken();
  const element = h("div", { class: "narrow" }, h("h1", {}, t("reset.title")));
  element.append(...(token ? choose(token, element) : request(element)));
  return element;
}

function request(element) {
  const { element: asked } = form({
    label: t("reset.title"), action: t("sendLink"),
    fields: [emailField()],
    async send(values) {
      await post("/v1/password-reset", values);
      done(element, t("reset.sent"));
    },
  });
  return [h("p", { class: "lead" }, t("reset.lead")), asked];
}

function choose(token, element) {
  const { element: chosen } = form({
    label: t("reset.title"), action: t("reset.set"),
    fields: [newPasswordField("newPassword", t("newPassword"))],
    async send(values) {
      await post("/v1/password-reset/confirm", { ...values, token });
      dropToken();
      // Every session has ended, also this browser's, and with it goes the screen as it was.
      if (account()) ended();
      const screen = element.isConnected ? element : document.querySelector(".narrow");
      done(screen, t("reset.done"), h("a", { class: "button primary", href: "/login" }, t("logIn")));
    },
  });
  return [h("p", { class: "lead" }, t("reset.choose")), chosen];
}

function done(element, words, ...more) {
  const result = h("p", { class: "lead", role: "status", tabindex: "-1" }, words);
  element.replaceChildren(element.querySelector("h1"), result, ...more);
  result.focus();
}
