// The choice of a language.
import { h } from "../dom.js";
import { language, languages, setLanguage, t } from "../words.js";

export function languageChoice() {
  const options = Object.entries(languages).map(([code, name]) =>
    h("option", { value: code, lang: code, selected: code === language() }, name));
  const select = h("select", { class: "language", "aria-label": t("language") }, options);
  select.addEventListener("change", () => setLanguage(select.value));
  return select;
}
