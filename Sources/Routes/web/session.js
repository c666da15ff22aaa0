// Who is signed in, in all tabs of this browser alike.
import { forgetSession, get, post, Problem, whenSignedOut } from "./api.js";

/// Tells `change` when somebody signs in or out, `account` when the account has other values, and `expired` when the
/// server has ended the session.
export const session = new EventTarget();

const channel = new BroadcastChannel("roost");
let present;

/// The signed-in account; null when nobody is, undefined while that is not known.
export const account = () => present;

function become(next) {
  const before = present;
  present = next;
  const isSame = Boolean(before) === Boolean(next) && before?.id === next?.id && before !== undefined;
  session.dispatchEvent(new Event(isSame ? "account" : "change"));
}

/// Asks the server who is signed in. Throws what the call throws, unless it says that nobody is.
export async function load() {
  try {
    become(await get("/v1/me"));
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.code !== "signed_out") throw problem;
    become(null);
  }
}

/// After a log-in or a sign-up.
export function signedIn(user) {
  forgetSession();
  become(user);
  channel.postMessage("signedIn");
}

/// After the account has changed.
export function changed(user) {
  become(user);
  channel.postMessage("changed");
}

/// A few more or fewer of what the account counts: `tweets`, `following`.
export function counted(name, difference) {
  if (present) become({ ...present, [name]: Math.max(0, present[name] + difference) });
}

/// Tells the server, then signs out here and in the other tabs. When the server cannot be told, throws, and the session
/// goes on: a cookie that is out of reach of scripts cannot be dropped without it.
export async function signOut() {
  await post("/v1/signout");
  ended();
}

/// The session is over, whoever ended it.
export function ended() {
  forgetSession();
  sessionStorage.clear();
  become(null);
  channel.postMessage("signedOut");
}

whenSignedOut(() => {
  if (!present) return;
  ended();
  session.dispatchEvent(new Event("expired"));
});

channel.addEventListener("message", ({ data }) => {
  if (data === "signedOut") {
    forgetSession();
    sessionStorage.clear();
    if (present !== null) become(null);
  } else {
    load().catch(() => {});
  }
});
