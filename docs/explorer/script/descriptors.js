// Descriptors: 64 bits into fields and the layout they say, and the descriptor of the tile that is shown.
class Descriptors {
  constructor(machine, views, show, on_change) {
    Object.assign(this, { machine, views, show, on_change });
    this.sheet = new Sheet(document.querySelector('.view[data-view="canonical"]'),
      (...window) => machine.view(1, "grid", ...window, 0, "banks", 0), () => {});
    this.sheet.section.hidden = true;
    by_id("decode").addEventListener("submit", (event) => event.preventDefault());
    by_id("hex").addEventListener("input", () => timed(() => this.decode()));
    for (const id of ["descriptor-major", "descriptor-type"]) by_id(id).addEventListener("change", () => timed(() => this.decode()));
    by_id("of-tile").addEventListener("click", () => timed(() => this.encode()));
    by_id("descriptor").addEventListener("click", (event) => {
      if (event.target.matches("button")) this.show(this.expression);
    });
  }

  decode() {
    const hex = by_id("hex").value.trim();
    by_id("descriptor-source").textContent = "";
    if (!hex) return this.empty("");
    const answer = this.machine.descriptor(hex, by_id("descriptor-major").value, by_id("descriptor-type").value, 0, 0);
    if (answer.problem) return this.empty(`<p class="illegal">${escaped(answer.problem)}</p>`);
    this.expression = answer.expression;
    const illegal = answer.illegal ? `<p class="illegal"><b>Not legal:</b> ${escaped(answer.illegal)}</p>` : "";
    const layout = answer.no_layout ? `<p class="illegal">${escaped(answer.no_layout)}</p>`
      : `<p>The layout that it says, of one instruction's operand: <code>${escaped(answer.layout)}</code></p><p><code>${escaped(answer.expression)}</code> <button type="button">Draw it above</button></p>`;
    by_id("descriptor").innerHTML = `${bits_drawn(answer.fields)}${illegal}${fields_table(answer.fields)}${layout}`;
    if (answer.no_layout) this.sheet.section.hidden = true;
    else this.sheet.draw("auto");
    this.on_change();
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
    by_id("descriptor-type").value = by_id("tile-type").value;
    this.decode();
    by_id("descriptor-source").textContent =
      `Of the instruction that reads ${answer.mn_extent} x ${answer.k_extent} elements from (${answer.mn}, ${answer.k}) on.`;
  }
}

const fields_table = (fields) => `<div class="scroll"><table><thead><tr><th>Bits<th>Field<th>Value<th>Bytes<th>Meaning<tbody>${fields.map((f) =>
  `<tr><td>${f.first_bit} to ${f.last_bit}<td>${escaped(f.name)}<td>${f.value}<td>${f.bytes < 0 ? "" : f.bytes}<td>${escaped(f.meaning)}`).join("")}</table></div>`;

// The 64 bits as a bar, bit 0 at the right.
const bits_drawn = (fields) => {
  const parts = [];
  let next = 0;
  const part = (width, kind, title, words) => parts.unshift(`<span class="${kind}" style="flex:${width}" title="${escaped(title)}">${escaped(words)}</span>`);
  const gap = (end) => { if (end > next) part(end - next, "gap", `bits ${next} to ${end - 1} must be 0`, ""); };
  fields.forEach((f, i) => {
    gap(f.first_bit);
    part(f.last_bit - f.first_bit + 1, `g${i}`, `bits ${f.first_bit} to ${f.last_bit}: ${f.name}`, f.name);
    next = f.last_bit + 1;
  });
  gap(64);
  return `<div class="bits" aria-hidden="true">${parts.join("")}</div>`;
};
