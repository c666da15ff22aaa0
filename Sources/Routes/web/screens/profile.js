// Somebody's page, or one's own: who it is, and what they wrote.
import { h } from "../dom.js";
import { date, number, problemWords, t } from "../words.js";
import { get, userPath } from "../api.js";
import { account } from "../session.js";
import { avatar } from "../parts/avatar.js";
import { counts, followButton } from "../parts/person.js";
import { timeline } from "../parts/timeline.js";

export const title = ({ username }) => `@${username}`;
export const keeps = true;

export function render({ username }) {
  const heading = h("h1", { class: "heading", dir: "auto" }, `@${username}`);
  const top = h("section", { class: "profile", "aria-busy": "true", "aria-label": `@${username}` }, placeholder());
  const element = h("div", { class: "column" }, heading, top);
  fill();
  return element;

  async function fill() {
    top.replaceChildren(placeholder());
    try {
      const person = await get(userPath(username));
      heading.textContent = person.fullName || person.username;
      top.replaceChildren(...head(person));
      const empty = () => h("div", { class: "empty" }, h("h2", {}, t("profileEmpty")));
      element.append(timeline({ path: userPath(username, "/tweets"), empty, label: `@${person.username}` }).element);
    } catch (problem) {
      const isNobody = problem.code === "not_found";
      const words = isNobody ? t("nobody") : problemWords(problem);
      top.replaceChildren(h("div", { class: "empty", role: "alert" }, h("h2", {}, words),
        isNobody ? null : h("button", { type: "button", class: "quiet", onclick: fill }, t("tryAgain"))));
    }
    top.removeAttribute("aria-busy");
  }
}

function head(person) {
  const numbers = counts(person);
  const followers = numbers.querySelector("a strong");
  const isOwn = person.username === account()?.username;
  const action = isOwn
    ? h("a", { class: "button quiet", href: "/settings" }, t("editProfile"))
    : followButton(person, (difference) => {
      person.followers = Math.max(0, person.followers + difference);
      followers.textContent = number(person.followers);
    });
  return [
    h("div", { class: "across" }, avatar(person, "large"), action),
    h("p", { class: "who" }, h("strong", { dir: "auto" }, person.fullName || person.username),
      h("span", { class: "handle" }, `@${person.username}`)),
    person.bio ? h("p", { class: "text", dir: "auto" }, person.bio) : null,
    h("p", { class: "small" }, t("joined", { date: date(person.createdAt) })),
    numbers,
  ].filter(Boolean);
}

/// Of about the size that the head will have.
function placeholder() {
  return h("div", { class: "skeleton", "aria-hidden": "true" }, h("div", { class: "across" },
    h("span", { class: "avatar large" })), h("span", { class: "line short" }), h("span", { class: "line middle" }),
  h("span", { class: "line middle" }));
}
