// Logs in, by email address or username.
import { h } from "../dom.js";
import { t } from "../words.js";
import { post } from "../api.js";
import { signedIn } from "../session.js";
import { passwordField } from "../parts/fields.js";
import { field, form } from "../parts/form.js";

export const title = () => t("logIn");

export function render() {
  const fields = [
    field({
      name: "login", label: t("usernameOrEmail"), autocomplete: "username", autocapitalize: "none", spellcheck: "false",
      required: true,
    }),
    passwordField("password", t("password")),
  ];
  const { element } = form({
    fields, action: t("logIn"), label: t("logIn"),
    async send(values) {
      const { user } = await post("/v1/login", { ...values, cookie: true });
      signedIn(user);
    },
  });
  return h("div", { class: "narrow" }, h("h1", {}, t("logIn")), element,
    h("p", { class: "other" }, h("a", { href: "/reset" }, t("forgotPassword")), " · ",
      h("a", { href: "/remind" }, t("forgotUsername"))),
    h("p", { class: "other" }, t("noAccount"), " ", h("a", { href: "/register" }, t("createAccount"))));
}
