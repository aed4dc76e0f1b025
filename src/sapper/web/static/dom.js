// A few helpers for elements. Styles and scripts in attributes are forbidden by the page's policy, and not needed.

/** @param {string} id @returns {HTMLElement} */
export function $(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

/** @param {string} id */
export const input = (id) => /** @type {HTMLInputElement} */ ($(id));

/** @param {string} id */
export const select = (id) => /** @type {HTMLSelectElement} */ ($(id));

/** @param {string} id */
export const button = (id) => /** @type {HTMLButtonElement} */ ($(id));

/** @param {string} id */
export const dialog = (id) => /** @type {HTMLDialogElement} */ ($(id));

/**
 * Make an element: attributes by name, `on…` listeners, then what is inside.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  fill(made, attributes);
  made.append(...children);
  return made;
}

/**
 * The same for a piece of SVG.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 */
export function draw(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(made, attributes);
  made.append(...children);
  return made;
}

/** @param {Element} element @param {Record<string, any>} attributes */
function fill(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** A card among the boards. @param {string} id @param {string} title @param {string} said @param {...Node} children */
export function card(id, title, said, ...children) {
  const head = [make("h3", { id: `${id}-title` }, title), make("p", { class: "small" }, said)];
  return make("section", { class: "card", "aria-labelledby": `${id}-title` }, ...head, ...children);
}

let politely = 0;

/**
 * Say something to screen readers.
 * @param {string} sentence
 */
export function announce(sentence) {
  const region = $("live");
  window.clearTimeout(politely);
  // The same sentence twice is said twice only if the region was empty in between.
  region.textContent = "";
  politely = window.setTimeout(() => (region.textContent = sentence), 60);
}

/**
 * Show a short notice at the edge of the page, and say it.
 * @param {string} sentence
 * @param {"info" | "wrong"} [kind]
 */
export function notify(sentence, kind = "info") {
  const toast = $("toast");
  toast.textContent = sentence;
  toast.dataset.kind = kind;
  toast.hidden = false;
  announce(sentence);
  window.clearTimeout(Number(toast.dataset.timer));
  toast.dataset.timer = String(window.setTimeout(() => (toast.hidden = true), 3000 + 60 * sentence.length));
}
