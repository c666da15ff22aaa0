// The forms of the settings.
import { h } from "../dom.js";
import { t } from "../words.js";
import { patch, post, put, remove } from "../api.js";
import { account, changed, ended, session } from "../session.js";
import { emailField, fullNameField, newPasswordField, passwordField, usernameField } from "../parts/fields.js";
import { field, form } from "../parts/form.js";
import { dialog } from "../parts/dialog.js";
import { say } from "../parts/notices.js";
import * as checks from "../parts/checks.js";

export function profile() {
  const who = account();
  return form({
    label: t("settings.profile"), action: t("save"),
    fields: [
      fullNameField(who.fullName), usernameField(() => account()?.username),
      field({ name: "bio", label: t("bio"), value: who.bio, rows: "3", check: checks.prose("bio", 160) }),
    ],
    async send({ fullName, username, bio }) {
      changed(await patch("/v1/me", { fullName: fullName || null, username, bio: bio || null }));
      say(t("saved"));
    },
  }).element;
}

export function email(signal) {
  const state = h("p", { class: "hint" });
  const verify = form({
    label: t("verifyEmail"), action: t("sendLink"), isQuiet: true,
    async send() {
      await post("/v1/email-verification");
      say(t("linkSent"));
    },
  });
  const show = () => {
    const who = account();
    if (!who) return;
    state.replaceChildren(h("strong", {}, who.email), " ", t(who.emailVerified ? "emailVerified" : "emailNotVerified"));
    verify.element.hidden = who.emailVerified;
  };
  session.addEventListener("account", show, { signal });
  show();
  const change = form({
    label: t("settings.email"), action: t("changeEmail"),
    fields: [
      emailField(t("newEmail")), passwordField("password", t("password")),
    ],
    async send(values) {
      await put("/v1/me/email", values);
      change.element.reset();
      say(t("emailChangeSent"));
    },
  });
  return [state, verify.element, change.element];
}

export function password() {
  const fields = [
    passwordField("currentPassword", t("currentPassword")), newPasswordField("newPassword", t("newPassword")),
  ];
  // By this name, which nobody sees, password keepers know whose password it is.
  const name = h("input", { type: "text", class: "hidden", autocomplete: "username", value: account().username,
    tabindex: "-1", "aria-hidden": "true", readonly: true });
  const change = form({
    label: t("settings.password"), action: t("changePassword"), fields, also: [name],
    async send(values) {
      await put("/v1/me/password", values);
      change.element.reset();
      for (const one of fields) one.show(null);
      say(t("passwordChanged"));
    },
  });
  return [h("p", { class: "hint" }, t("passwordEndsOthers")), change.element];
}

/// Deletes the account, once the password has been given.
export function deletion() {
  const open = h("button", { type: "button", class: "danger" }, t("deleteAccount"));
  open.addEventListener("click", () => {
    const { element, button } = form({
      label: t("deleteAccount"), action: t("deleteAccount"), fields: [passwordField("password", t("password"))],
      async send(values) {
        await remove("/v1/me", values);
        close();
        ended();
        say(t("accountDeleted"));
      },
    });
    button.className = "danger";
    const close = dialog(t("deleteAccount"), h("p", {}, t("deleteAccountSure")), element);
  });
  return h("div", { class: "last" }, h("p", { class: "hint" }, t("deleteAccountHint")), open);
}
