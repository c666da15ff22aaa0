// Other people: how many follow them, and the button that follows them.
import { h } from "../dom.js";
import { problemWords, number, t } from "../words.js";
import { put, remove, userPath } from "../api.js";
import { account, counted } from "../session.js";
import { avatar } from "./avatar.js";
import { say } from "./notices.js";

/// The numbers of an account or a profile; those of people lead to the lists of them.
export function counts(person) {
  const link = (list) =>
    h("a", { href: `/u/${person.username}/${list}` }, h("strong", {}, number(person[list])), " ",
      t(`count.${list}`, { n: person[list] }));
  return h("p", { class: "counts" },
    h("span", {}, h("strong", {}, number(person.tweets)), " ", t("count.tweets", { n: person.tweets })),
    link("followers"), link("following"));
}

/// Follows or no longer follows `person`; it shows at once what is wanted, and goes back when the server refuses.
/// `onChange` is told the difference in the number of followers.
export function followButton(person, onChange = () => {}) {
  if (person.username === account()?.username) return null;
  let follows = person.followedByMe;
  const button = h("button", { type: "button" });
  const show = () => {
    button.className = follows ? "follow is-on" : "follow primary";
    button.textContent = t(follows ? "followed" : "follow");
    button.setAttribute("aria-pressed", String(follows));
    button.setAttribute("aria-label", t("followWhom", { name: `@${person.username}` }));
  };
  const turn = (difference) => {
    follows = difference > 0;
    counted("following", difference);
    onChange(difference);
    show();
  };
  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-disabled")) return;
    button.setAttribute("aria-disabled", "true");
    const difference = follows ? -1 : 1;
    turn(difference);
    try {
      await (follows ? put : remove)(userPath(person.username, "/follow"));
    } catch (problem) {
      turn(-difference);
      say(problemWords(problem), true);
    }
    button.removeAttribute("aria-disabled");
  });
  show();
  return button;
}

/// A line of a list of people.
export function personRow(person) {
  const name = h("a", { class: "name", href: `/u/${person.username}` }, avatar(person),
    h("span", {}, h("strong", { dir: "auto" }, person.fullName || person.username),
      h("span", { class: "handle" }, `@${person.username}`)));
  return h("article", { class: "row" }, name, "followedByMe" in person ? followButton(person) : null);
}
