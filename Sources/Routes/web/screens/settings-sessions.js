// Where the account is signed in, and the way to end it there.
import { h } from "../dom.js";
import { moment, problemWords, t } from "../words.js";
import { get, remove } from "../api.js";
import { say } from "../parts/notices.js";

export function sessions() {
  const items = h("ul", { class: "sessions", "aria-busy": "true" },
    h("li", { class: "skeleton", "aria-hidden": "true" },
      h("span", { class: "line middle" }), h("span", { class: "line short" })));
  const others = h("button", { type: "button", class: "quiet", hidden: true }, t("endOthers"));
  others.addEventListener("click", () => end("/v1/sessions"));
  fill();
  return [items, h("p", {}, others)];

  async function fill() {
    try {
      const { items: all } = await get("/v1/sessions");
      items.replaceChildren(...all.map(row));
      others.hidden = all.length < 2;
    } catch (problem) {
      items.replaceChildren(h("li", {}, problemWords(problem), " ",
        h("button", { type: "button", class: "quiet", onclick: fill }, t("tryAgain"))));
    }
    items.setAttribute("aria-busy", "false");
  }

  async function end(path) {
    try {
      await remove(path);
      say(t("sessionEnded"));
    } catch (problem) {
      say(problemWords(problem), true);
    }
    await fill();
    items.closest("section")?.querySelector("h2").focus({ preventScroll: true });
  }

  function row(one) {
    const name = device(one.userAgent);
    return h("li", {},
      h("div", {}, h("strong", {}, name), one.current ? h("span", { class: "badge" }, t("thisDevice")) : null,
        h("p", { class: "small" }, one.ip ? `${one.ip} · ` : "", t("lastSeen", { date: moment(one.lastSeenAt) }))),
      one.current ? null : h("button", { type: "button", class: "quiet", "aria-label": t("endSession", { name }),
        onclick: () => end(`/v1/sessions/${one.id}`) }, t("end")));
  }
}

// The first mark that is found counts: every browser says that it is several others too.
const browsers = [
  ["Edg/", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"],
];
const systems = [
  ["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Windows", "Windows"], ["Mac OS X", "Mac"],
  ["Linux", "Linux"],
];

/// A browser and a system by the names that people know them by; else what the device called itself.
function device(userAgent) {
  if (!userAgent) return t("unknownDevice");
  const first = (pairs) => pairs.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = first(browsers);
  const system = first(systems);
  return browser && system ? `${browser} · ${system}` : userAgent.slice(0, 60);
}
