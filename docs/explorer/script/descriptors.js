// Descriptors: 64 bits into fields and the layout they say, and the descriptor of the tile that is shown.
class Descriptors {
  constructor(machine, views, show, on_change) {
    Object.assign(this, { machine, views, show, on_change });
    this.sheet = new Sheet(document.querySelector('.view[data-view="canonical"]'),
      (...window) => machine.view(1, "grid", ...window, 0, "banks", 0), () => {});
    this.sheet.section.hidden = true;
    by_id("decode").addEventListener("submit", (event) => event.preventDefault());
    by_id("hex").addEventListener("input", () => timed(() => this.decode()));
    for (const id of ["descriptor-major", "descriptor-type"]) {
      by_id(id).addEventListener("change", () => timed(() => this.decode()));
    }
    by_id("of-tile").addEventListener("click", () => timed(() => this.encode()));
    by_id("descriptor").addEventListener("click", (event) => {
      if (event.target.matches("button")) this.show(this.expression);
    });
  }

  decode() {
    const hex = by_id("hex").value.trim();
    by_id("descriptor-source").textContent = "";
    if (!hex) return this.empty("");
    const answer = this.machine.descriptor(hex, by_id("descriptor-major").value, by_id("descriptor-type").value);
    if (answer.problem) return this.empty(`<p class="illegal">${escaped(answer.problem)}</p>`);
    this.expression = answer.expression;
    by_id("descriptor").innerHTML = `${bits_drawn(answer.bits)}${fields_table(answer.fields)}${layout_said(answer)}`;
    if (answer.layout) this.sheet.draw("auto");
    else this.sheet.section.hidden = true;
    this.reveal();
    this.on_change();
  }

  // On a small screen the fields would appear below its edge, and typing would seem to do nothing.
  reveal() {
    const fields = by_id("descriptor").getBoundingClientRect();
    if (document.activeElement === by_id("hex") && fields.top > innerHeight * 0.7) {
      by_id("hex").scrollIntoView({ block: "start" });
    }
  }

  empty(said) {
    by_id("descriptor").innerHTML = said;
    this.sheet.section.hidden = true;
    this.on_change();
  }

  // The descriptor of the instruction that reads the element that is chosen above.
  encode() {
    const answer = this.machine.tile_descriptor(this.views.current(), by_id("start").value);
    if (answer.problem) return void (by_id("descriptor-source").textContent = answer.problem);
    by_id("hex").value = answer.hex;
    by_id("descriptor-major").value = by_id("tile-major").value;
    choose_type(by_id("descriptor-type"), by_id("tile-type").value);
    this.decode();
    by_id("descriptor-source").textContent =
      `Of the instruction that reads ${answer.mn_extent} x ${answer.k_extent} elements from ` +
      `(${answer.mn}, ${answer.k}) on.`;
  }
}

const layout_said = ({ illegal, no_layout, layout, expression }) => {
  if (illegal) return `<p class="illegal"><b>Not legal:</b> ${escaped(illegal)}</p>`;
  if (no_layout) return `<p class="illegal">${escaped(no_layout)}</p>`;
  return `<p>The layout that it says, of one instruction's operand: <code>${escaped(layout)}</code></p>
    <p><code>${escaped(expression)}</code> <button type="button">Draw it above</button></p>`;
};

const fields_table = (fields) => {
  const rows = fields.map((f) => `<tr><td>${f.first_bit} to ${f.last_bit}<td>${escaped(f.name)}<td>${f.value}` +
    `<td>${f.bytes < 0 ? "" : f.bytes}<td>${escaped(f.meaning)}`);
  const heads = ["Bits", "Field", "Value", "Bytes", "Meaning"].map((head) => `<th>${head}`);
  return `<div class="scroll"><table><thead><tr>${heads.join("")}<tbody>${rows.join("")}</table></div>`;
};

// The 64 bits as a bar, bit 0 at the right. Between the fields are the bits that must be 0.
const bits_drawn = (bits) => {
  const parts = bits.map(({ count, field, name, says }) =>
    `<span class="${field < 0 ? "gap" : `g${field}`}" style="flex:${count}" title="${escaped(says)}">` +
    `${escaped(name)}</span>`);
  return `<div class="bits" aria-hidden="true">${parts.reverse().join("")}</div>`;
};
