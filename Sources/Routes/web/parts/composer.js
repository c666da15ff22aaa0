// Where a tweet is written. What is typed stays until it has been published, also when the page is loaded anew.
import { h, uniqueID } from "../dom.js";
import { find, language, problemWords, t } from "../words.js";
import { post } from "../api.js";
import { account, counted } from "../session.js";
import { avatar } from "./avatar.js";
import { graphemes, isTooLong } from "./checks.js";

const max = 280;
const nearlyFull = 20;

/// `onTweet` is given what was published.
export function composer(onTweet) {
  const id = uniqueID("text");
  const text = h("textarea", {
    id, rows: "2", placeholder: t("whatIsNew"), "aria-describedby": `${id}-left ${id}-trouble`, dir: "auto",
    lang: language(),
  });
  const left = h("span", { id: `${id}-left`, class: "left" });
  const spoken = h("span", { class: "hidden", role: "status" });
  const trouble = h("p", { id: `${id}-trouble`, class: "trouble", role: "alert" });
  const button = h("button", { class: "primary" }, t("publish"));
  const element = h("form", { class: "composer" },
    avatar(account()),
    h("div", { class: "body" }, h("label", { for: id, class: "hidden" }, t("writeTweet")), text, trouble,
      h("div", { class: "actions" }, left, spoken, button)));
  let key = newKey();

  text.value = sessionStorage.getItem("draft") ?? "";
  text.addEventListener("input", () => {
    key = newKey();
    trouble.textContent = "";
    sessionStorage.setItem("draft", text.value);
    measure();
  });
  text.addEventListener("keydown", (event) => {
    const isSend = event.key === "Enter" && (event.metaKey || event.ctrlKey);
    if (isSend && !event.isComposing) element.requestSubmit();
  });

  function measure() {
    const count = graphemes(text.value.trim());
    const isFull = isTooLong(text.value.trim(), max);
    left.textContent = String(Math.min(max - count, isFull ? -1 : max));
    left.classList.toggle("low", max - count <= nearlyFull);
    left.classList.toggle("over", isFull);
    left.setAttribute("aria-label", t("charactersLeft", { n: max - count }));
    spoken.textContent = max - count <= nearlyFull ? t("charactersLeft", { n: max - count }) : "";
    button.setAttribute("aria-disabled", String(count === 0 || isFull));
  }

  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true" || button.getAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    const sent = text.value;
    try {
      // The key makes a repeat safe: a tweet whose answer was lost is not published twice.
      const tweet = await post("/v1/tweets", { text: sent }, { headers: { "Idempotency-Key": key } });
      if (text.value === sent) text.value = "";
      sessionStorage.setItem("draft", text.value);
      key = newKey();
      counted("tweets", 1);
      onTweet(tweet);
    } catch (problem) {
      trouble.textContent = find(`fault.text.${problem.errors?.[0]?.code}`) ?? problemWords(problem);
    }
    button.removeAttribute("aria-busy");
    measure();
    text.focus();
  });

  measure();
  return element;
}

function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
