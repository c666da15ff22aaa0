// The fields that several forms have.
import { t } from "../words.js";
import { field } from "./form.js";
import * as checks from "./checks.js";

export const emailField = (label = t("email")) =>
  field({ name: "email", label, type: "email", autocomplete: "email", required: true, check: checks.email });

/// A password that is chosen.
export const newPasswordField = (name, label) =>
  field({
    name, label, hint: t("passwordHint"), type: "password", autocomplete: "new-password", required: true,
    check: checks.password,
  });

/// A password that there is.
export const passwordField = (name, label) =>
  field({ name, label, type: "password", autocomplete: "current-password", required: true });

export const fullNameField = (value) =>
  field({
    name: "fullName", label: t("fullName"), hint: t("optional"), value, autocomplete: "name",
    check: checks.prose("fullName", 50),
  });

/// `own` answers one's present name, which passes.
export const usernameField = (own = () => null) =>
  field({
    name: "username", label: t("username"), hint: t("usernameHint"), value: own(), autocomplete: "username",
    required: true, autocapitalize: "none", spellcheck: "false", maxlength: "30",
    check: (text) => checks.username(text, own()),
  });
