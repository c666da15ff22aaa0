// What stands around every screen: the way to the others, and who is signed in.
import { h, icon } from "./dom.js";
import { account, session } from "./session.js";
import { t } from "./words.js";
import { avatar } from "./parts/avatar.js";
import { languageChoice } from "./parts/language.js";
import { counts } from "./parts/person.js";

/// The frame, which goes by the account until `signal` ends it, with `show(element, isWide)` to put a screen into it.
export function frame(signal) {
  const main = h("main", { id: "main", class: "main", tabindex: "-1" });
  const skip = h("a", { class: "skip", href: "#main", onclick: (event) => {
    event.preventDefault();
    main.focus();
  } }, t("skip"));
  const who = account();
  const links = who ? navigation(who, signal) : null;
  const element = h("div", { class: who ? "frame inside" : "frame outside" }, skip,
    who ? links.element : visitorHeader(), main, who ? aside(signal) : visitorFooter());
  return {
    element,
    show(screen, isWide) {
      main.replaceChildren(screen);
      element.classList.toggle("wide", Boolean(isWide));
      links?.mark(location.pathname);
    },
  };
}

const logo = (address) => h("a", { class: "logo", href: address }, icon("bird"), h("span", {}, "Roost"));

function visitorHeader() {
  return h("header", { class: "top" }, logo("/"), languageChoice());
}

function visitorFooter() {
  return h("footer", { class: "bottom" }, legalLinks());
}

function legalLinks() {
  const pages = [["/terms", "terms"], ["/privacy", "privacy"], ["/api", "api"]];
  return h("nav", { class: "legal", "aria-label": t("more") },
    pages.map(([path, name]) => h("a", { href: path }, t(name))));
}

function navigation(who, signal) {
  const places = [
    ["/home", "home", "home"], ["/explore", "explore", "explore"], [`/u/${who.username}`, "person", "profile"],
    ["/settings", "settings", "settings"],
  ];
  const links = places.map(([path, drawing, name]) =>
    h("a", { href: path }, icon(drawing), h("span", {}, t(name))));
  session.addEventListener("account", () => {
    if (account()) links[2].setAttribute("href", `/u/${account().username}`);
  }, { signal });
  const element = h("header", { class: "side" }, logo("/home"),
    h("nav", { class: "places", "aria-label": t("main") }, links));
  const mark = (path) => {
    for (const link of links) {
      if (link.getAttribute("href") === path) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  };
  return { element, mark };
}

function aside(signal) {
  const card = h("section", { class: "card own", "aria-label": t("yourAccount") });
  const fill = () => {
    const who = account();
    if (!who) return;
    const name = h("a", { class: "name", href: `/u/${who.username}` }, avatar(who),
      h("span", {}, h("strong", {}, who.fullName || who.username), h("span", { class: "handle" }, `@${who.username}`)));
    card.replaceChildren(name, counts(who));
  };
  session.addEventListener("account", fill, { signal });
  fill();
  return h("aside", { class: "aside" }, card, legalLinks());
}
