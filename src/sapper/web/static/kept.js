// Games and positions that were kept under a name, in the browser on this machine.

import { $, card, input, make, notify } from "./dom.js";
import { recallAll, remember } from "./theme.js";

export class Kept {
  /** @param {import("./main.js").App} app */
  constructor(app) {
    this.app = app;
    this.list = make("ul", { class: "kept" });
  }

  /** What the boards offer. */
  card() {
    const form = make(
      "form",
      { class: "row" },
      make("label", { class: "stack", for: "kept-name" }, "Name"),
      make("input", { id: "kept-name", maxlength: 60, required: true, autocomplete: "off" }),
      make("button", { type: "submit" }, "Keep what is on the board"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.keep(input("kept-name").value.trim());
    });
    window.setTimeout(() => this.show());
    return card("kept", "Kept", "Games and positions under a name, in this browser. The link of a board holds as much.", form, this.list);
  }

  /** @param {string} name */
  async keep(name) {
    if (!name) return;
    const link = await this.app.share.link();
    this.write({ ...recallAll("kept"), [name]: link });
    notify(`Kept as ${name}.`);
  }

  /** @param {Record<string, string>} kept */
  write(kept) {
    remember("kept", JSON.stringify(kept));
    this.show();
  }

  show() {
    const rows = Object.entries(recallAll("kept")).map(([name, link]) => {
      const open = make("button", { type: "button", onclick: () => this.app.share.open(link, true) }, name);
      const gone = make("button", { type: "button", class: "quiet", "aria-label": `Forget ${name}` }, "Forget");
      gone.addEventListener("click", () => {
        const rest = recallAll("kept");
        delete rest[name];
        this.write(rest);
        $("kept-name").focus();
      });
      return make("li", { class: "row spread" }, open, gone);
    });
    this.list.replaceChildren(...(rows.length ? rows : [make("li", { class: "small" }, "Nothing yet.")]));
  }
}
