// The pictures of what is shown, side by side: one element is lit in all of them at once. What the pointer is over
// counts until it leaves; then what was chosen last, by a click or from the keyboard.
class Views {
  constructor(machine, on_choice) {
    this.machine = machine;
    this.on_choice = on_choice;
    this.chosen = 0;
    this.sheets = {};
    this.names = [];
    for (const section of document.querySelectorAll("#desk .view")) {
      const name = section.dataset.view;
      const unit = () => (name === "dealt" ? this.tile_rows() : this.unit());
      const ask = (...window) => machine.view(0, name, ...window, unit(), this.colour(), this.current());
      const hear = (index, how, sheet) => this.heard(index, how, sheet);
      this.sheets[name] = new Sheet(section, ask, hear, name === "registers" ? 32 : undefined);
    }
  }

  unit() { return Number(by_id("unit").value); }
  colour() { return by_id("colour").value; }
  tile_rows() { return Math.max(0, Math.floor(Number(by_id("dealt").value)) || 0); }
  current() { return this.over ?? this.chosen; }

  // Draws what is shown now, which has so many elements.
  draw(subject) {
    this.names = subject.kind === "fragment" ? ["grid", "matrix"] : ["grid", "memory"];
    if (subject.registers) this.names.push("registers");
    if (this.tile_rows()) this.names.push("dealt");
    this.chosen = Math.min(this.chosen, subject.size - 1);
    this.over = undefined;
    this.instruction = instruction_of(this.machine.element(0, this.chosen, this.unit()));
    const desk = by_id("desk");
    desk.classList.toggle("three", this.names.length > 2);
    for (const [name, sheet] of Object.entries(this.sheets)) sheet.section.hidden = !this.names.includes(name);
    const drawn = this.names.map((name) => this.sheets[name]);
    for (const sheet of drawn) sheet.look();
    for (const sheet of drawn) sheet.draw(by_id("labels").value);
    this.light(true);
  }

  heard(index, how, from) {
    if (how === "left") this.over = undefined;
    else if (how === "over") this.over = index;
    else if (how === "chosen") [this.chosen, this.over] = [index, undefined];
    else if (how === "empty") return void (by_id("spoken").textContent = "empty");
    timed(() => this.light(how === "chosen", from));
    if (how === "chosen") {
      by_id("spoken").textContent = this.facts.map((fact) => `${fact.name} ${fact.text}`).join(", ");
      this.on_choice(index);
    }
  }

  // Lights up the current element. `move`: the windows follow it.
  light(move, from) {
    const said = this.machine.element(0, this.current(), this.unit());
    if (said.problem) return;
    this.facts = said.facts;
    by_id("element").innerHTML = said.facts.map(({ name, text, note }) =>
      `<div class="element" data-fact="${escaped(name)}"><dt>${escaped(name)}</dt>` +
      `<dd>${escaped(text)}<small>${escaped(note)}</small></dd></div>`).join("");
    this.follow_instruction(said);
    for (const name of this.names) {
      const [row, column] = (name === "dealt" ? this.dealt_place() : said.places[name]) ?? [-1, -1];
      const sheet = this.sheets[name];
      if (move && sheet !== from && row >= 0) {
        sheet.reveal(row, column);
        sheet.place_cursor(row - sheet.first[0], column - sheet.first[1]);
      }
      sheet.light(row, column);
    }
    for (const sheet of this.names.map((name) => this.sheets[name])) {
      if (sheet !== from && sheet.lit) sheet.scroll_to(...sheet.lit);
    }
  }

  // Where the current element is in the tile that a thread-value layout deals out: its offset counts down the columns.
  dealt_place() {
    const offset = Number(this.facts.find((fact) => fact.name === "offset")?.text);
    return offset >= 0 ? [offset % this.tile_rows(), Math.floor(offset / this.tile_rows())] : undefined;
  }

  // The registers shown are those of the instruction that reads the current element.
  follow_instruction(said) {
    if (!this.names.includes("registers")) return;
    const instruction = instruction_of(said);
    if (instruction !== this.instruction) this.sheets.registers.draw();
    this.instruction = instruction;
  }

  choose(index) {
    this.chosen = index;
    this.light(true);
  }
}

// The instruction that reads an element, as a name.
const instruction_of = (said) => (said.instruction ?? []).join();
