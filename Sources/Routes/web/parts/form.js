// Forms: labelled fields that are checked while one types, and a button that says what is going on.
import { debounced, h, icon, uniqueID } from "../dom.js";
import { faultWords, problemWords, t } from "../words.js";

const checkMilliseconds = 400;

/// One field. `check(value)` answers words that say what is wrong, or null; it may take its time.
export function field({ name, label, hint, check, type = "text", rows, value = "", ...attributes }) {
  const id = uniqueID(name);
  const input = h(rows ? "textarea" : "input", {
    id, name, rows, type: rows ? null : type, "aria-describedby": `${id}-hint ${id}-fault`, ...attributes,
  });
  input.value = value ?? "";
  const fault = h("p", { id: `${id}-fault`, class: "fault", "aria-live": "polite" });
  const box = h("div", { class: "box" }, input, type === "password" ? reveal(input) : null);
  const element = h("div", { class: "field" }, h("label", { for: id }, label), box,
    h("p", { id: `${id}-hint`, class: "hint" }, hint ?? ""), fault);
  let asked = 0;
  let checked = null;
  let refused = null;

  const self = {
    name, element, input,
    get value() { return input.value; },
    /// Shows what is wrong; null when nothing is. `isGood` marks what has been found to be good.
    show(words, isGood = false) {
      fault.textContent = words ?? "";
      element.classList.toggle("bad", Boolean(words));
      element.classList.toggle("good", isGood && !words);
      if (words) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    },
    /// Shows why the server refused the value, which stands until the value changes.
    refuse(words) {
      asked += 1;
      refused = input.value;
      self.show(words);
    },
    /// Whether the value passes, once that is known.
    async check() {
      const mine = ++asked;
      const wanted = input.value;
      if (wanted === refused) return true;
      const words = (await check?.(wanted)) ?? null;
      if (mine !== asked) return checked === null;
      checked = words;
      self.show(words, Boolean(check) && wanted !== "");
      return words === null;
    },
  };
  const later = debounced(checkMilliseconds, () => input.value !== "" && self.check());
  input.addEventListener("input", () => {
    asked += 1;
    refused = null;
    self.show(null);
    later();
  });
  input.addEventListener("blur", () => input.value !== "" && check && self.check());
  return self;
}

/// Shows a password while it is typed, for whoever wants to read it.
function reveal(input) {
  const attributes = { type: "button", class: "reveal", "aria-pressed": "false", "aria-label": t("showPassword") };
  const button = h("button", attributes, icon("eye"));
  button.addEventListener("click", () => {
    const isShown = input.type === "password";
    input.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
  });
  return button;
}

/// A form. `send(values)` makes the call; a problem shows at the fields that it names, or above the button.
export function form({ fields = [], action, send, isQuiet = false, also = [], label }) {
  const trouble = h("p", { class: "trouble", role: "alert" });
  const button = h("button", { class: isQuiet ? "quiet" : "primary" }, action);
  const element = h("form", { novalidate: true, "aria-label": label }, fields.map((one) => one.element), also,
    trouble, button);

  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-busy")) return;
    trouble.textContent = "";
    button.setAttribute("aria-busy", "true");
    try {
      if (await areGood()) await send(Object.fromEntries(fields.map((one) => [one.name, one.value])));
    } catch (problem) {
      explain(problem);
    }
    button.removeAttribute("aria-busy");
  });

  async function areGood() {
    const answers = await Promise.all(fields.map(async (one) => {
      if (one.value === "" && one.input.required) {
        one.show(faultWords(one.name, "missing"));
        return false;
      }
      return one.value === "" || one.check();
    }));
    focusFirst(fields.filter((_, index) => !answers[index]));
    return answers.every(Boolean);
  }

  function explain(problem) {
    const named = (problem.errors ?? []).filter((error) => fields.some((one) => one.name === error.field));
    for (const error of named) {
      fields.find((one) => one.name === error.field).refuse(faultWords(error.field, error.code));
    }
    if (named.length === 0) trouble.textContent = problemWords(problem);
    focusFirst(fields.filter((one) => named.some((error) => error.field === one.name)));
  }

  const focusFirst = (bad) => bad[0]?.input.focus();
  return { element, button, trouble };
}
