// Short notices at the edge of the screen, which a screen reader reads out.
import { h } from "../dom.js";

const place = document.getElementById("notices");
const millisecondsShown = 6_000;

export function say(text, isBad = false) {
  const notice = h("p", { class: isBad ? "notice bad" : "notice" }, text);
  place.append(notice);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(() => notice.remove(), millisecondsShown);
}
