// Who follows somebody, or whom somebody follows.
import { h } from "../dom.js";
import { t } from "../words.js";
import { userPath } from "../api.js";
import { list } from "../parts/list.js";
import { personRow } from "../parts/person.js";

const lists = ["followers", "following"];

export const title = ({ username, list: name }) => `${t(name === "following" ? name : "followers")} · @${username}`;
export const keeps = true;

export function render({ username, list: name }) {
  const tabs = lists.map((other) =>
    h("a", { href: `/u/${username}/${other}`, "aria-current": other === name ? "page" : null }, t(other)));
  const empty = () => h("div", { class: "empty" }, h("h2", {}, t("listEmpty")));
  const people = list({ path: userPath(username, `/${name}`), view: personRow, empty, label: t(name) });
  return h("div", { class: "column" },
    h("h1", { class: "heading" }, h("a", { href: `/u/${username}` }, `@${username}`)),
    h("nav", { class: "tabs", "aria-label": t("lists") }, tabs), people.element);
}
