// Tweets as they are written, by Server-Sent Events. Only a tab that is seen listens, since a browser keeps few
// connections to one server. Whenever it begins to listen it says `gap`, so that lists catch up.
import { get } from "./api.js";
import { account } from "./session.js";

/// Tells `tweet` (with the tweet as `detail`) and `gap` when some may have been missed.
export const arrivals = new EventTarget();

const waitMillisecondsMin = 2_000;
const waitMillisecondsMax = 60_000;
let source = null;
let timer = null;
let wait = waitMillisecondsMin;

/// Listens when somebody is signed in and looks, else does not.
export function settle() {
  clearTimeout(timer);
  const isWanted = Boolean(account()) && document.visibilityState === "visible" && navigator.onLine;
  if (isWanted && !source) open();
  if (!isWanted && source) close();
}

function close() {
  source.close();
  source = null;
}

function open() {
  source = new EventSource("/v1/feed/live");
  source.addEventListener("open", () => {
    wait = waitMillisecondsMin;
    arrivals.dispatchEvent(new Event("gap"));
  });
  source.addEventListener("tweet", ({ data }) => {
    arrivals.dispatchEvent(new CustomEvent("tweet", { detail: JSON.parse(data) }));
  });
  source.addEventListener("reload", () => arrivals.dispatchEvent(new Event("gap")));
  source.addEventListener("signed_out", check);
  source.addEventListener("error", () => {
    // A connection that broke comes back by itself; one that was refused does not.
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    check();
    timer = setTimeout(settle, wait);
    wait = Math.min(wait * 2, waitMillisecondsMax);
  });
}

/// Whether the session is over is for the server to say; `api.js` hears it.
function check() {
  get("/v1/me").catch(() => {});
}

document.addEventListener("visibilitychange", settle);
addEventListener("pagehide", settle);
