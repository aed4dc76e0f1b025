// Preferences: colours and keys. They are kept in the browser, on this machine.

import { $, announce, button, dialog, make } from "./dom.js";
import { bind, COMMANDS, keyName, keysOf, resetKeys } from "./keys.js";
import { options, setOption, SWITCHES } from "./options.js";
import { chosenTheme, setTheme, THEMES } from "./theme.js";

const NAMES = { auto: "As the system", light: "Light", dark: "Dark", contrast: "High contrast" };

export class Settings {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
    const themes = make("fieldset", { class: "choice" }, make("legend", {}, "Colours"));
    for (const theme of THEMES) {
      const radio = make("input", { type: "radio", name: "theme", value: theme, checked: theme === chosenTheme(), onchange: () => setTheme(theme) });
      themes.append(make("label", {}, radio, NAMES[/** @type {keyof typeof NAMES} */ (theme)]));
    }
    const switches = make("fieldset", { class: "switches" }, make("legend", {}, "Playing"));
    for (const [name, title] of Object.entries(SWITCHES)) {
      const one = /** @type {import("./options.js").Switch} */ (name);
      const box = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", checked: options[one] }));
      box.addEventListener("change", () => setOption(one, box.checked));
      switches.append(make("label", { class: "check" }, box, title));
    }
    this.table = make("table", { class: "keys" });
    $("dialogs").append(
      make(
        "dialog",
        { id: "settings", "aria-labelledby": "settings-title" },
        make(
          "div",
          { class: "body" },
          make("h2", { id: "settings-title" }, "Settings"),
          themes,
          switches,
          make("h3", {}, "Keys"),
          make("p", { class: "small" }, "They act while the board has the focus. Choose one and press another key to change it."),
          this.table,
          make(
            "div",
            { class: "ends" },
            make("button", { type: "button", onclick: () => this.reset() }, "Reset keys"),
            make("button", { type: "button", class: "primary", onclick: () => dialog("settings").close() }, "Done"),
          ),
        ),
      ),
    );
    button("settings-open").addEventListener("click", () => {
      this.list();
      dialog("settings").showModal();
    });
  }

  reset() {
    resetKeys();
    this.list();
  }

  list() {
    const rows = Object.entries(COMMANDS).map(([name, [title]]) => {
      const command = /** @type {import("./keys.js").Command} */ (name);
      const keys = keysOf(command).map(keyName).join(" or ") || "none";
      const change = make("button", { type: "button", "aria-label": `${title}: ${keys}. Change` }, keys);
      change.addEventListener("click", () => this.change(command, title, change));
      return make("tr", {}, make("th", { scope: "row" }, title), make("td", {}, change));
    });
    this.table.replaceChildren(make("tbody", {}, ...rows));
  }

  /** Wait for the next key. @param {import("./keys.js").Command} command @param {string} title @param {HTMLElement} change */
  change(command, title, change) {
    change.textContent = "press a key …";
    announce(`Press the new key for ${title}, or Escape.`);
    const done = new AbortController();
    change.addEventListener(
      "keydown",
      (event) => {
        if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
        if (event.key === "Tab") return done.abort();
        event.preventDefault();
        event.stopPropagation();
        done.abort();
        const lost = event.key === "Escape" ? undefined : bind(command, event.key);
        this.list();
        const said = lost ? `${COMMANDS[lost][0]} has lost this key.` : `${title}: ${keysOf(command).map(keyName).join(" or ")}`;
        announce(said);
        const place = Object.keys(COMMANDS).indexOf(command);
        this.table.querySelectorAll("button")[place]?.focus();
      },
      { signal: done.signal },
    );
    change.addEventListener("blur", () => { done.abort(); this.list(); }, { signal: done.signal });
  }
}
