"use strict";

// The token of a mailed link stands in the fragment, which no browser sends to a server. It leaves the address bar at
// once, and is sent when somebody presses the button, never before.
const token = new URLSearchParams(location.hash.slice(1)).get("token");
history.replaceState(null, "", location.pathname);

const report = document.querySelector("[role=status]");

function say(text, isBad) {
  report.textContent = text;
  report.classList.toggle("bad", isBad);
}

async function send(form) {
  const body = Object.fromEntries(new FormData(form));
  if (token) body.token = token;
  const answer = await fetch(form.dataset.call, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.ok) return null;
  const problem = await answer.json();
  return problem.errors ? problem.errors.map((error) => error.message).join(" ") : problem.detail;
}

for (const form of document.forms) {
  form.hidden = (form.dataset.when === "token") !== Boolean(token);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    say("", false);
    let trouble;
    try {
      trouble = await send(form);
    } catch {
      trouble = "The server cannot be reached. Try again.";
    }
    button.disabled = false;
    if (!trouble) form.hidden = true;
    say(trouble ?? form.dataset.done, Boolean(trouble));
  });
}
