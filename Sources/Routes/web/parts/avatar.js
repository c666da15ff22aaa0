// A profile photo, or the first letter of a name on a colour of its own.
import { h } from "../dom.js";

/// `person` has `username`, `fullName` and `profileImageURL`. Who it is stands beside it in words.
export function avatar(person, size = "") {
  const element = h("span", { class: `avatar ${size}`, "aria-hidden": "true" });
  const name = person.fullName || person.username;
  const letter = new Intl.Segmenter().segment(name)[Symbol.iterator]().next().value?.segment ?? "";
  element.style.setProperty("--hue", hue(person.username));
  element.append(h("span", {}, letter.toUpperCase()));
  if (person.profileImageURL) {
    const picture = h("img", { src: new URL(person.profileImageURL).pathname, alt: "", decoding: "async" });
    picture.addEventListener("error", () => picture.remove());
    element.append(picture);
  }
  return element;
}

function hue(username) {
  let sum = 0;
  for (const letter of username) sum = (sum * 31 + letter.codePointAt(0)) % 360;
  return sum;
}
