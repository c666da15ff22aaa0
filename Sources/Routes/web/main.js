// Where the client starts: finds out who is signed in, then shows the page that the address names.
import { h } from "./dom.js";
import { load, session } from "./session.js";
import { language, problemWords, t, whenLanguageChanges } from "./words.js";
import { say } from "./parts/notices.js";
import * as live from "./live.js";
import * as router from "./router.js";

const app = document.getElementById("app");

function speak() {
  document.documentElement.lang = language();
}

/// Without an answer to who is signed in there is nothing to show but why.
async function start() {
  try {
    await load();
  } catch (problem) {
    const again = h("button", { class: "primary", onclick: start }, t("tryAgain"));
    app.replaceChildren(h("main", { class: "plain" }, h("h1", {}, "Roost"), h("p", {}, problemWords(problem)), again));
  }
}

session.addEventListener("change", () => {
  live.settle();
  router.begin(app);
});
session.addEventListener("expired", () => say(t("problem.signed_out")));
whenLanguageChanges(() => {
  speak();
  if (router.hasBegun()) router.begin(app);
});
addEventListener("offline", () => say(t("offline")));
addEventListener("online", () => {
  say(t("onlineAgain"));
  live.settle();
});

speak();
start();
