// What the server would say to a value, as far as it can be known while one types. The server has the last word.
import { get } from "../api.js";
import { faultWords } from "../words.js";

const bytes = (text) => new TextEncoder().encode(text).length;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/// How many characters a reader sees.
export function graphemes(text) {
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

/// At most so many characters, and four times as many bytes.
export const isTooLong = (text, max) => graphemes(text) > max || bytes(text) > max * 4;

export function email(text) {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text) && bytes(text) <= 254 ? null : faultWords("email", "malformed");
}

export function password(text) {
  return [...text.normalize("NFC")].length >= 8 ? null : faultWords("password", "too_short");
}

export const prose = (name, max) => (text) => (isTooLong(text.trim(), max) ? faultWords(name, "too_long") : null);

/// Asks the server whether a name is free, unless its form says that it cannot be. `own` is one's present name.
export async function username(text, own = null) {
  const name = text.toLowerCase();
  if (name === own) return null;
  if (name.length < 3) return faultWords("username", "too_short");
  if (name.length > 30) return faultWords("username", "too_long");
  if (!/^[a-z0-9_.]*$/.test(name)) return faultWords("username", "forbidden_character");
  if (!/^[a-z0-9]/.test(name) || name.endsWith(".") || name.includes("..")) return faultWords("username", "malformed");
  try {
    const { reason } = await get(`/v1/usernames/${encodeURIComponent(name)}`);
    return reason ? faultWords("username", reason) : null;
  } catch {
    return null; // Whoever cannot be asked now is asked again when the form is sent.
  }
}
