// Makes elements. Text stays text: nothing here reads markup.

/// An element with attributes (`class`, `href`, ...), listeners (`onclick`, ...) and children. What is null, undefined
/// or false is left out.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter((child) => child || child === 0));
  return element;
}

let count = 0;

/// An id that no other element has.
export function uniqueID(name) {
  count += 1;
  return `${name}-${count}`;
}

/// What waits until `milliseconds` have passed without another call.
export function debounced(milliseconds, action) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

const namespace = "http://www.w3.org/2000/svg";

const drawings = {
  bird: [
    "M2.5 14.2C4.2 9.2 8.2 6.4 12.2 7c.7-1.9 2.5-2.9 4.3-2.5 1.4.3 2.4 1.3 2.6 2.6l2.6 1-2.7.9" +
      "c-.2 4.4-3.4 7.7-7.8 7.7-3 0-5.8-.8-8.7-2.5z",
    "M7.5 12.5c2.2 1.2 5 .9 6.5-1.3",
    "M11.5 17v3.5M3 20.5h18",
  ],
  home: ["M4 11.5 12 5l8 6.5", "M6.5 10v9h11v-9", "M10.5 19v-5h3v5"],
  explore: ["M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z", "m15.5 8.5-2 5-5 2 2-5z"],
  person: ["M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8z", "M4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5"],
  settings: ["M4 7h9", "M17 7h3", "M15 5v4", "M4 12h3", "M11 12h9", "M9 10v4", "M4 17h9", "M17 17h3", "M15 15v4"],
  heart: ["M12 19.5s-7.5-4.4-7.5-9.8A4.2 4.2 0 0 1 12 7a4.2 4.2 0 0 1 7.5 2.7c0 5.4-7.5 9.8-7.5 9.8z"],
  bin: ["M5 7h14", "M9.5 7V4.5h5V7", "M7 7l.8 12.5h8.4L17 7", "M10.5 10.5v5.5", "M13.5 10.5v5.5"],
  up: ["M12 19V5", "m6 11 6-6 6 6"],
  photo: ["M4 7.5h3.5L9 5h6l1.5 2.5H20V19H4z", "M12 16a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z"],
  eye: [
    "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z",
    "M12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  ],
  check: ["m5 12.5 4.5 4.5L19 7.5"],
  leave: ["M14 4.5H5.5v15H14", "M10.5 12H20", "m16.5 8.5 3.5 3.5-3.5 3.5"],
};

/// One of the drawings above, in the colour of the text around it; what it means stands beside it in words.
export function icon(name) {
  const svg = document.createElementNS(namespace, "svg");
  for (const [key, value] of [["viewBox", "0 0 24 24"], ["class", `icon icon-${name}`], ["aria-hidden", "true"]]) {
    svg.setAttribute(key, value);
  }
  for (const drawing of drawings[name]) {
    const path = document.createElementNS(namespace, "path");
    path.setAttribute("d", drawing);
    svg.append(path);
  }
  return svg;
}
