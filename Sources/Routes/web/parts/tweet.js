// One tweet, with what can be done about it.
import { h, icon, uniqueID } from "../dom.js";
import { ago, moment, number, problemWords, t } from "../words.js";
import { put, remove } from "../api.js";
import { account, counted } from "../session.js";
import { avatar } from "./avatar.js";
import { confirmed } from "./dialog.js";
import { say } from "./notices.js";

export function tweetView(tweet) {
  const id = uniqueID("author");
  const page = `/u/${tweet.author.username}`;
  const face = h("a", { class: "face", href: page, tabindex: "-1", "aria-hidden": "true" }, avatar(tweet.author));
  const time = h("time", { datetime: tweet.createdAt, title: moment(tweet.createdAt) }, ago(tweet.createdAt));
  const name = h("a", { id, class: "author", href: page },
    h("strong", { dir: "auto" }, tweet.author.fullName || tweet.author.username), " ",
    h("span", { class: "handle" }, `@${tweet.author.username}`));
  const article = h("article", { class: "tweet", "aria-labelledby": id, tabindex: "-1", "data-id": tweet.id },
    face,
    h("div", { class: "body" },
      h("header", {}, name, time),
      h("p", { class: "text", dir: "auto" }, tweet.text),
      h("footer", {}, likeButton(tweet))));
  if (tweet.author.id === account()?.id) article.querySelector("footer").append(deleteButton(tweet, article));
  return article;
}

/// Shows at once what is wanted; sends the last wish, one call at a time.
function likeButton(tweet) {
  let wanted = tweet.likedByMe;
  let known = wanted;
  let isSending = false;
  const count = h("span", { class: "number" });
  const button = h("button", { type: "button", class: "like" }, icon("heart"), count);
  const show = () => {
    const likes = tweet.likes + (wanted ? 1 : 0) - (tweet.likedByMe ? 1 : 0);
    count.textContent = likes > 0 ? number(likes) : "";
    button.setAttribute("aria-pressed", String(wanted));
    button.setAttribute("aria-label", t("likeCount", { n: likes }));
  };
  button.addEventListener("click", async () => {
    wanted = !wanted;
    show();
    if (isSending) return;
    isSending = true;
    try {
      while (known !== wanted) {
        const next = wanted;
        await (next ? put : remove)(`/v1/tweets/${tweet.id}/like`);
        known = next;
      }
    } catch (problem) {
      wanted = known;
      show();
      say(problemWords(problem), true);
    }
    isSending = false;
  });
  show();
  return button;
}

function deleteButton(tweet, article) {
  const button = h("button", { type: "button", class: "delete", "aria-label": t("deleteTweet") }, icon("bin"));
  button.addEventListener("click", async () => {
    if (!(await confirmed(t("deleteTweet"), t("deleteTweetSure"), t("delete")))) return;
    try {
      await remove(`/v1/tweets/${tweet.id}`);
    } catch (problem) {
      if (problem.code !== "not_found") return say(problemWords(problem), true);
    }
    (article.nextElementSibling ?? article.previousElementSibling)?.focus({ preventScroll: true });
    article.remove();
    counted("tweets", -1);
    say(t("tweetDeleted"));
  });
  return button;
}

const minuteMilliseconds = 60_000;

setInterval(() => {
  for (const time of document.querySelectorAll(".tweet time")) time.textContent = ago(time.dateTime);
}, minuteMilliseconds);
