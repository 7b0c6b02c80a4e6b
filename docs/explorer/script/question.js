// The expression and the controls. The controls of a tile write the expression, so that there is one state only.
class Question {
  constructor(machine, views, beside, on_change) {
    Object.assign(this, { machine, views, beside, on_change });
    this.input = by_id("expression");
    this.input.addEventListener("input", () => timed(() => this.ask()));
    by_id("ask").addEventListener("submit", (event) => event.preventDefault());
    by_id("type").addEventListener("change", () => timed(() => this.ask()));
    for (const id of ["colour", "unit", "labels", "dealt"]) {
      by_id(id).addEventListener("change", () => timed(() => this.redraw()));
    }
    for (const kind of ["input", "change"]) {
      by_id("tile").addEventListener(kind, () => timed(() => this.write_tile()));
    }
    by_id("preset").addEventListener("change", (event) => {
      if (!event.target.value) return;
      const { type } = event.target.selectedOptions[0].dataset;
      if (type) by_id("type").value = type;
      timed(() => this.show(event.target.value));
    });
  }

  // Puts an expression into the field and draws it.
  show(expression) {
    this.input.value = expression;
    this.ask();
  }

  ask() {
    const answer = this.machine.show(this.input.value, by_id("type").value);
    const wrong = Boolean(answer.problem);
    this.input.setAttribute("aria-invalid", wrong);
    by_id("desk").classList.toggle("stale", wrong || answer.value !== undefined);
    this.say(answer);
    if (wrong || answer.value !== undefined) return;
    this.shown = answer;
    by_id("desk").hidden = false;
    this.read_tile(answer);
    this.pick_colour(answer);
    this.views.draw(answer);
    this.beside.draw();
    this.on_change();
  }

  redraw() {
    if (this.shown) this.views.draw(this.shown);
    this.on_change();
  }

  say(answer) {
    const stale = this.shown ? "Below is still the last layout that could be drawn." : "";
    if (answer.problem) {
      by_id("said").innerHTML =
        `<pre>${escaped(answer.explained ?? answer.problem)}</pre>${stale && `<p class="quiet">${stale}</p>`}`;
    } else if (answer.value !== undefined) {
      by_id("said").innerHTML = `<p class="result">${escaped(answer.value)}</p>
        <p class="quiet">This is ${escaped(answer.what)}. ${stale}</p>`;
    } else {
      const { tile } = answer;
      const more = tile ? `; ${tile.bytes} bytes, panels: ${tile.panels}, TMA boxes: ${tile.boxes}` +
        `, aligned to ${tile.alignment} bytes` : "";
      by_id("said").innerHTML = `<p class="result">${escaped(answer.text)}</p>
        <p class="quiet">${escaped(answer.facts + more)}</p>`;
    }
  }

  // The controls say what the tile is; the type of a tile's elements is the tile's.
  read_tile(answer) {
    by_id("type").disabled = Boolean(answer.tile);
    if (!answer.tile) return;
    choose_type(by_id("tile-type"), answer.tile.type);
    for (const id of ["mn", "k", "major", "swizzle"]) {
      const control = by_id(`tile-${id}`);
      if (document.activeElement !== control) control.value = answer.tile[id];
    }
  }

  write_tile() {
    const written = (id) => by_id(`tile-${id}`).value;
    const [type, mn, k, major, swizzle] = ["type", "mn", "k", "major", "swizzle"].map(written);
    const expression = `tile(${type}, ${mn || 0}, ${k || 0}, ${major}, ${swizzle})`;
    if (expression !== this.input.value) this.show(expression);
  }

  // A colour that says something of this kind, where the kind is new.
  pick_colour(answer) {
    if (this.kind === answer.kind) return;
    this.kind = answer.kind;
    by_id("colour").value = this.wanted_colour ?? (answer.kind === "fragment" ? "thread" : "banks");
    by_id("unit").value = this.wanted_unit ?? (answer.kind === "tile" ? "16" : "0");
    this.wanted_colour = this.wanted_unit = undefined;
  }
}
