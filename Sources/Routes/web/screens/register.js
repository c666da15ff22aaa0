// Makes an account: each field is checked while one types.
import { h } from "../dom.js";
import { t } from "../words.js";
import { post } from "../api.js";
import { signedIn } from "../session.js";
import { emailField, fullNameField, newPasswordField, usernameField } from "../parts/fields.js";
import { form } from "../parts/form.js";

export const title = () => t("createAccount");

export function render() {
  const fields = [
    emailField(), usernameField(), fullNameField(), newPasswordField("password", t("password")),
  ];
  const agreement = h("p", { class: "small" }, t("agreement"), " ", h("a", { href: "/terms" }, t("terms")), " · ",
    h("a", { href: "/privacy" }, t("privacy")));
  const { element } = form({
    fields, action: t("createAccount"), label: t("createAccount"), also: [agreement],
    async send({ fullName, ...values }) {
      const { user } = await post("/v1/register", { ...values, fullName: fullName || null, cookie: true });
      sessionStorage.setItem("next", "/photo");
      signedIn(user);
    },
  });
  return h("div", { class: "narrow" }, h("h1", {}, t("createAccount")), element,
    h("p", { class: "other" }, t("haveAccount"), " ", h("a", { href: "/login" }, t("logIn"))));
}
