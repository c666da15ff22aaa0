// A list that goes on as one scrolls: pages of the server's, one below the other, nothing twice.
import { h } from "../dom.js";
import { problemWords, t } from "../words.js";
import { get } from "../api.js";

const pageItems = 20;
const aheadPixels = 800;

/// `path` is where the pages come from, `view(item)` an item's element, `empty` what stands in for none.
export function list({ path, view, empty, label, skeletons = 6 }) {
  const items = h("div", { class: "items", "aria-busy": "true" });
  const end = h("div", { class: "end" });
  const element = h("div", { class: "list" }, items, end);
  const known = new Set();
  let next = null;
  let isLoading = false;

  const watch = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) more();
  }, { rootMargin: `${aheadPixels}px` });

  function add(item, place) {
    const key = item.id ?? item.username;
    if (known.has(key)) return null;
    known.add(key);
    const shown = view(item);
    if (place === "top") items.prepend(shown);
    else items.append(shown);
    // Without articles it would be no feed.
    items.setAttribute("role", "feed");
    items.setAttribute("aria-label", label);
    return shown;
  }

  async function more(before = next) {
    if (isLoading) return;
    isLoading = true;
    items.setAttribute("aria-busy", "true");
    watch.unobserve(end);
    end.replaceChildren();
    // An element of its own: what is put in its place then counts as new, not as moved.
    const shapes = h("div", { "aria-hidden": "true" }, skeleton(before ? 2 : skeletons));
    items.after(shapes);
    try {
      const page = await get(`${path}?limit=${pageItems}${before ? `&before=${before}` : ""}`);
      shapes.remove();
      for (const item of page.items) add(item, "bottom");
      next = page.next;
      end.replaceChildren();
      if (next) watch.observe(end);
      else end.append(known.size === 0 ? empty() : h("p", { class: "all" }, t("thatIsAll")));
    } catch (problem) {
      shapes.remove();
      const again = h("button", { type: "button", class: "quiet", onclick: () => more(before) }, t("tryAgain"));
      end.replaceChildren(h("div", { class: "stuck", role: "alert" }, h("p", {}, problemWords(problem)), again));
    }
    isLoading = false;
    items.setAttribute("aria-busy", "false");
  }

  return {
    element,
    /// Fulfilled when the first page is there, or has failed.
    ready: more(null),
    has: (id) => known.has(id),
    /// Puts an item on top; answers its element, or null when it is there already.
    prepend(item) {
      const isFirst = known.size === 0;
      const shown = add(item, "top");
      if (isFirst && !next && !isLoading) end.replaceChildren();
      return shown;
    },
    /// Forgets all and begins from the top.
    reload() {
      known.clear();
      items.replaceChildren();
      items.removeAttribute("role");
      items.removeAttribute("aria-label");
      next = null;
      return more(null);
    },
  };
}

/// As many grey shapes, of the size that the items will have.
function skeleton(count) {
  const line = (name) => h("span", { class: `line ${name}` });
  return Array.from({ length: count }, () =>
    h("div", { class: "tweet skeleton" }, h("span", { class: "avatar" }),
      h("div", { class: "body" }, line("short"), line("long"), line("middle"))));
}
