// Which screen an address shows, and the way from one to the next.
import { account } from "./session.js";
import { frame } from "./frame.js";
import * as onboarding from "./screens/onboarding.js";
import * as register from "./screens/register.js";
import * as photo from "./screens/photo.js";
import * as login from "./screens/login.js";
import * as home from "./screens/home.js";
import * as explore from "./screens/explore.js";
import * as profile from "./screens/profile.js";
import * as people from "./screens/people.js";
import * as settings from "./screens/settings.js";
import * as reset from "./screens/reset.js";
import * as remind from "./screens/remind.js";
import * as verify from "./screens/verify.js";
import * as terms from "./screens/terms.js";
import * as privacy from "./screens/privacy.js";

/// Who may see a screen: those who are signed out, those who are signed in, or all.
const routes = [
  ["/", onboarding, "out"], ["/register", register, "out"], ["/login", login, "out"],
  ["/photo", photo, "in"], ["/home", home, "in"], ["/explore", explore, "in"], ["/settings", settings, "in"],
  ["/u/:username", profile, "in"], ["/u/:username/:list", people, "in"],
  ["/reset", reset, "all"], ["/remind", remind, "all"], ["/verify", verify, "all"], ["/terms", terms, "all"],
  ["/privacy", privacy, "all"],
];

/// Screens that were left, by the key of their place in the history, so that "back" finds them as they were.
const left = new Map();
const leftMax = 12;
let shown = null;
let shell = null;
let shellLife = new AbortController();
let isFirst = true;

history.scrollRestoration = "manual";

export const hasBegun = () => shell !== null;

/// Builds everything anew: after a sign-in, a sign-out or a change of language.
export function begin(app) {
  for (const place of left.values()) place.life.abort();
  left.clear();
  shown?.life.abort();
  shellLife.abort();
  shown = null;
  shellLife = new AbortController();
  shell = frame(shellLife.signal);
  app.replaceChildren(shell.element);
  show();
}

/// Goes to an address of the client; `replace` leaves the present one out of the history.
export function go(address, { replace = false } = {}) {
  leave();
  history[replace ? "replaceState" : "pushState"]({ key: crypto.getRandomValues(new Uint32Array(1))[0] }, "", address);
  show();
}

/// What a screen listens to ends with its life: when it is left for good.
function leave() {
  if (!shown) return;
  if (!shown.screen.keeps) return shown.life.abort();
  left.set(shown.key, { ...shown, scroll: scrollY });
  if (left.size <= leftMax) return;
  const [oldest, place] = left.entries().next().value;
  place.life.abort();
  left.delete(oldest);
}

function fits(pattern, path) {
  const expected = pattern.split("/");
  const parts = path.split("/");
  return expected.length === parts.length && expected.every((part, i) => part.startsWith(":") || part === parts[i]);
}

/// One screen of each kind is kept, so that what is listened to stays little.
function forget(path, other) {
  other?.life.abort();
  for (const [key, place] of left) {
    if (place.path !== path) continue;
    place.life.abort();
    left.delete(key);
  }
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function match(path) {
  for (const [pattern, screen, access] of routes) {
    if (!fits(pattern, path)) continue;
    const parts = path.split("/");
    const values = {};
    pattern.split("/").forEach((part, index) => {
      if (part.startsWith(":")) values[part.slice(1)] = decoded(parts[index]);
    });
    return { screen, access, values };
  }
  return { screen: onboarding, access: "out", values: {} };
}

function show() {
  const { screen, access, values } = match(location.pathname);
  if (access === "in" && !account()) {
    if (isFirst) sessionStorage.setItem("next", location.pathname + location.hash);
    isFirst = false;
    return go("/", { replace: true });
  }
  if (access === "out" && account()) {
    const next = sessionStorage.getItem("next");
    sessionStorage.removeItem("next");
    return go(next ?? "/home", { replace: true });
  }
  const key = history.state?.key ?? 0;
  const kept = left.get(key);
  left.delete(key);
  const isBack = kept && kept.screen === screen && kept.path === location.pathname;
  const life = isBack ? kept.life : new AbortController();
  if (!isBack) forget(location.pathname, kept);
  const element = isBack ? kept.element : screen.render(values, life.signal);
  shown = { key, screen, element, life, path: location.pathname };
  document.title = `${screen.title(values)} · Roost`;
  shell.show(element, screen.isWide);
  scrollTo(0, isBack ? kept.scroll : 0);
  if (!isFirst) focusHeading(element);
  isFirst = false;
  if (location.hash && !isBack) screen.reveal?.(location.hash.slice(1));
}

/// A reader of the screen hears where it is now.
function focusHeading(element) {
  const heading = element.querySelector("h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

addEventListener("popstate", () => {
  if (!shell) return;
  // Between two places of one screen nothing is shown anew, but a mailed link may have been pasted over another.
  if (shown?.path === location.pathname && !location.hash.startsWith("#token=")) {
    shown.key = history.state?.key ?? 0;
    return;
  }
  leave();
  show();
});

/// Links to the client's own pages do not load the document again.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
  const address = new URL(link.href);
  const isOwn = address.origin === location.origin && routes.some(([path]) => fits(path, address.pathname));
  if (!isOwn || (address.pathname === location.pathname && address.hash)) return;
  event.preventDefault();
  if (address.pathname === location.pathname) scrollTo({ top: 0, behavior: "smooth" });
  else go(address.pathname + address.hash);
});
