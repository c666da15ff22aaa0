// Every call to the server goes through here. The session is a cookie that no script can read.
import { language } from "./words.js";

/// Why a call failed: a problem of the server's (RFC 9457), or `offline` or `slow` when no answer came.
export class Problem extends Error {
  constructor(code, { status = 0, errors = [], retryAfterSeconds = null } = {}) {
    super(code);
    Object.assign(this, { code, status, errors, retryAfterSeconds });
  }
}

const timeoutMilliseconds = 20_000;
const listeners = new Set();
let generation = 0;

/// Calls `listener` when the server says that the session is over.
export function whenSignedOut(listener) {
  listeners.add(listener);
}

/// Begins anew: answers to what was asked before say nothing about the session that is there now.
export function forgetSession() {
  generation += 1;
}

/// Sends `body` as JSON and answers what came back, null without a body.
export async function call(method, path, body, { headers = {}, signal } = {}) {
  const asked = generation;
  const options = { method, headers: { ...headers, "Accept-Language": language() }, cache: "no-store" };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const timeout = AbortSignal.timeout(timeoutMilliseconds);
  options.signal = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const answer = await fetch(path, options);
    const text = await answer.text();
    return read(answer.status, answer.headers.get("Retry-After"), text, asked);
  } catch (error) {
    if (error instanceof Problem || error.name === "AbortError") throw error;
    throw new Problem(error.name === "TimeoutError" ? "slow" : "offline");
  }
}

/// Sends a file as it is, and tells how much of it has gone, from 0 to 1.
export function upload(path, file, onProgress) {
  const asked = generation;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", path);
    request.setRequestHeader("Content-Type", file.type || "image/heic");
    request.upload.addEventListener("progress", (event) => onProgress(event.loaded / event.total));
    request.addEventListener("error", () => reject(new Problem("offline")));
    request.addEventListener("load", () => {
      try {
        resolve(read(request.status, request.getResponseHeader("Retry-After"), request.responseText, asked));
      } catch (problem) {
        reject(problem);
      }
    });
    request.send(file);
  });
}

function read(status, retryAfter, text, asked) {
  let value = null;
  try {
    if (text) value = JSON.parse(text);
  } catch {
    throw new Problem("internal_error", { status });
  }
  if (status < 400) return value;
  const code = value?.code ?? "internal_error";
  if (code === "signed_out" && asked === generation) for (const listener of listeners) listener();
  throw new Problem(code, { status, errors: value?.errors, retryAfterSeconds: Number(retryAfter) || null });
}

export const get = (path, options) => call("GET", path, undefined, options);
export const post = (path, body, options) => call("POST", path, body, options);
export const put = (path, body) => call("PUT", path, body);
export const patch = (path, body) => call("PATCH", path, body);
export const remove = (path, body) => call("DELETE", path, body);

/// A path with one value of a person's in it.
export const userPath = (username, rest = "") => `/v1/users/${encodeURIComponent(username)}${rest}`;
