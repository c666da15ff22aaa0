// A list of tweets into which new ones arrive. They never move what is being read: below the top they wait behind a
// button.
import { h, icon } from "../dom.js";
import { t } from "../words.js";
import { get } from "../api.js";
import { arrivals } from "../live.js";
import { list } from "./list.js";
import { tweetView } from "./tweet.js";

const topPixels = 120;

/// With a `signal` it takes what `live.js` tells, until the signal ends it.
export function timeline({ path, empty, label, signal }) {
  const tweets = list({ path, view: tweetView, empty, label });
  if (!signal) return tweets;

  let waiting = [];
  const count = h("span", {});
  const button = h("button", { type: "button", class: "arrived", onclick: reveal }, icon("up"), count);
  const place = h("div", { class: "arrivals", role: "status" });
  tweets.element.prepend(place);

  function arrive(tweet) {
    if (tweets.has(tweet.id) || waiting.some((other) => other.id === tweet.id)) return;
    if (tweets.element.isConnected && scrollY < topPixels && waiting.length === 0) return insert(tweet);
    waiting.push(tweet);
    count.textContent = t("arrived", { n: waiting.length });
    place.append(button);
  }

  function insert(tweet) {
    tweets.prepend(tweet)?.classList.add("new");
  }

  function reveal() {
    for (const tweet of waiting.sort((a, b) => (a.id < b.id ? -1 : 1))) insert(tweet);
    const newest = waiting.at(-1);
    forget();
    scrollTo({ top: 0 });
    tweets.element.querySelector(`[data-id="${newest?.id}"]`)?.focus({ preventScroll: true });
  }

  function forget() {
    waiting = [];
    button.remove();
  }

  /// After a time without news: what was missed, when one page holds it all, else all anew.
  async function catchUp() {
    await tweets.ready;
    const page = await get(`${path}?limit=50`).catch(() => null);
    if (!page || signal.aborted) return;
    // What is unknown further down is not news: it lies on pages that were not wanted yet.
    const reached = page.items.findIndex((tweet) => tweets.has(tweet.id));
    const news = reached < 0 ? page.items : page.items.slice(0, reached);
    if (reached >= 0 || page.next === null) return news.reverse().forEach(arrive);
    forget();
    tweets.reload();
  }

  arrivals.addEventListener("tweet", (event) => arrive(event.detail), { signal });
  arrivals.addEventListener("gap", catchUp, { signal });
  return tweets;
}
