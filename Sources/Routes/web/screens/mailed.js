// Pages that mailed links lead to. The token stands in the fragment, which no browser sends to a server. It leaves the
// address bar at once, and is sent when somebody presses the button, never before.

let held = null;

/// Takes the token out of the address, and keeps it while the page is open; null when there is none.
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (location.hash) history.replaceState(history.state, "", location.pathname);
  if (token) held = { token, path: location.pathname };
  return held?.path === location.pathname ? held.token : null;
}

/// Forgets the token, once it has been used.
export function dropToken() {
  held = null;
}
