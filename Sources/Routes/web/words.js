// What the client says, in the language of the reader.
import english from "./words/english.js";
import korean from "./words/korean.js";

export const languages = { en: "English", ko: "한국어" };

const dictionaries = { en: english, ko: korean };
const listeners = new Set();
let present = chosen() ?? preferred();

function chosen() {
  const code = localStorage.getItem("language");
  return code in languages ? code : null;
}

/// The first of the browser's languages that there is.
function preferred() {
  const codes = navigator.languages.map((tag) => tag.split("-")[0].toLowerCase());
  return codes.find((code) => code in languages) ?? "en";
}

/// `en` or `ko`.
export const language = () => present;

export function setLanguage(code) {
  localStorage.setItem("language", code);
  present = code;
  for (const listener of listeners) listener();
}

export function whenLanguageChanges(listener) {
  listeners.add(listener);
}

addEventListener("storage", (event) => {
  if (event.key === "language" && chosen() && chosen() !== present) setLanguage(chosen());
});

/// The words for `key`, with what `values` holds in place of `{name}`; null when there are none.
export function find(key, values = {}) {
  const words = dictionaries[present][key];
  if (words === undefined) return null;
  if (typeof words === "function") return words(values);
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/// As `find`, for words that must be there.
export const t = (key, values) => find(key, values) ?? key;

/// What went wrong with a call, and what to do.
export function problemWords(problem) {
  const seconds = waiting(problem.retryAfterSeconds);
  return find(`problem.${problem.code}`, { seconds }) ?? t("problem.internal_error");
}

/// What is wrong with one field: `code` is the server's.
export function faultWords(field, code) {
  return find(`fault.${field}.${code}`) ?? find(`fault.${code}`) ?? t("fault.malformed");
}

/// A number of seconds, rounded up to what people say.
function waiting(seconds) {
  const amount = seconds ?? 60;
  if (amount < 60) return unit(amount, "second");
  return amount < 3600 ? unit(Math.ceil(amount / 60), "minute") : unit(Math.ceil(amount / 3600), "hour");
}

const unit = (amount, name) =>
  new Intl.NumberFormat(present, { style: "unit", unit: name, unitDisplay: "long" }).format(amount);

export const number = (amount) =>
  new Intl.NumberFormat(present, { notation: "compact", maximumFractionDigits: 1 }).format(amount);

export const date = (text) => new Intl.DateTimeFormat(present, { dateStyle: "long" }).format(new Date(text));

export const moment = (text) =>
  new Intl.DateTimeFormat(present, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));

/// How long ago a moment was, short: "now", "5 min", "3 hr", then the date.
export function ago(text) {
  const minutes = Math.floor((Date.now() - new Date(text)) / 60_000);
  if (minutes < 1) return t("now");
  const style = { style: "unit", unitDisplay: "short" };
  if (minutes < 60) return new Intl.NumberFormat(present, { ...style, unit: "minute" }).format(minutes);
  if (minutes < 1440) {
    return new Intl.NumberFormat(present, { ...style, unit: "hour" }).format(Math.floor(minutes / 60));
  }
  return new Intl.DateTimeFormat(present, { month: "short", day: "numeric" }).format(new Date(text));
}
