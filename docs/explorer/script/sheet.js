// A table of cells, each with an element or empty, drawn as one picture, so that thousands of cells cost nothing. It
// shows a window of a table that may be large. There is one cell in the order of the Tab key: the arrow keys move it
// over the picture, and the window where that ends.
const window_rows = 64;
const window_columns = 64;
const character = 7.3; // wide, of the labels
const label_height = 24;

class Sheet {
  // `ask(first_row, first_column, rows, columns)` gives a window of at most `most_rows`.
  // `on_element(index, how, sheet)` hears of the element that is pointed at ("over"), or focused or clicked
  // ("chosen"), and when the pointer has "left".
  constructor(section, ask, on_element, most_rows = window_rows) {
    Object.assign(this, { section, ask, on_element, most_rows });
    this.first = [0, 0];
    this.at = [0, 0];
    section.innerHTML = `<header><h3></h3><p class="note"></p><span class="turns"></span>
      <span class="saves"></span></header>
      <div class="sheet"><div class="corner"></div><div class="heads along"></div><div class="heads down"></div>
      <div class="body" role="grid"><div role="row"><div class="cursor" role="gridcell" tabindex="0"></div></div>
      <div class="marker" hidden></div></div></div>`;
    const part = (name) => section.querySelector(name);
    const names = [".sheet", ".body", ".cursor", ".marker", ".turns"];
    [this.box, this.body, this.cursor, this.marker, this.turns] = names.map(part);
    for (const [name, sign, rows, columns] of [["Earlier rows", "\u2191", -1, 0], ["Later rows", "\u2193", 1, 0],
      ["Earlier columns", "\u2190", 0, -1], ["Later columns", "\u2192", 0, 1]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", () => this.turn(rows * most_rows, columns * window_columns));
      this.turns.append(button);
    }
    for (const [words, saving] of [["SVG", save_svg], ["PNG", save_png]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = words;
      button.setAttribute("aria-label", `Save ${section.dataset.view} as ${words}`);
      button.addEventListener("click", () => void saving(this));
      part(".saves").append(button);
    }
    this.body.addEventListener("pointermove", (event) => this.pointed(event));
    this.body.addEventListener("pointerleave", () => this.left());
    this.body.addEventListener("click", (event) => this.clicked(event));
    this.cursor.addEventListener("focus", () => this.chosen());
    this.cursor.addEventListener("keydown", (event) => this.key(event));
  }

  // Asks for the window and draws it. `labels`: auto, always or never.
  draw(labels) {
    if (labels) this.labels = labels;
    const data = this.ask(...this.first, this.most_rows, window_columns);
    this.section.hidden = false;
    this.data = data;
    this.first = [data.first_row, data.first_column];
    [this.rows, this.columns] = [data.row_heads.length, data.column_heads.length];
    this.measure();
    this.section.querySelector("h3").textContent = data.title;
    this.section.querySelector(".note").textContent = data.note;
    this.section.querySelector(".corner").textContent = data.corner;
    this.draw_heads();
    const old = this.body.querySelector("svg");
    if (old) old.remove();
    this.body.insertAdjacentHTML("afterbegin", this.picture());
    this.body.setAttribute("aria-label", data.title);
    this.body.setAttribute("aria-rowcount", data.rows);
    this.body.setAttribute("aria-colcount", data.columns);
    const ends = [data.first_row > 0, data.first_row + this.rows < data.rows, data.first_column > 0,
      data.first_column + this.columns < data.columns];
    this.turns.hidden = !ends.includes(true);
    ends.forEach((end, i) => { this.turns.children[i].disabled = !end; });
    this.over = undefined;
    this.place_cursor(clamped(this.at[0], this.rows), clamped(this.at[1], this.columns));
  }

  // Looks how wide the view is. Between drawings that would have the browser lay the page out each time.
  look() {
    this.room = this.section.clientWidth;
  }

  // How large the cells are, and whether there is room for their labels.
  measure() {
    let longest = 1;
    for (let k = 1; k < this.data.cells.length; k += 3) longest = Math.max(longest, this.data.cells[k].length);
    const wide = Math.max(28, Math.ceil(longest * character) + 10);
    const room = Math.max(200, (this.room ?? this.section.clientWidth) - 60);
    this.room = undefined;
    const fits = this.columns <= 16 || wide * this.columns <= room;
    this.labelled = this.labels === "always" || (this.labels !== "never" && fits);
    this.width = this.labelled ? wide : Math.min(22, Math.max(7, Math.floor(room / this.columns)));
    this.height = this.labelled ? label_height : Math.min(14, Math.max(10, this.width));
    this.box.classList.toggle("small", !this.labelled);
  }

  draw_heads() {
    const { columns, rows, width, height } = this;
    const every = (size, each) => Math.max(1, 2 ** Math.ceil(Math.log2(Math.max(1, size / each))));
    const longest = (heads) => Math.max(1, ...heads.map((head) => head.length)) * 6.2 + 8;
    const thin = [every(longest(this.data.column_heads), width), every(13, height)];
    const side = Math.max(longest(this.data.row_heads), this.data.corner.length * 6 + 8);
    const place = (c) => (thin[0] > 1 ? `x="${c * width + 1}"` : `x="${(c + 0.5) * width}" text-anchor="middle"`);
    const along = this.data.column_heads.map((head, c) =>
      (c % thin[0] ? "" : `<text ${place(c)} y="14">${escaped(head)}</text>`));
    const down = this.data.row_heads.map((head, r) => (r % thin[1] ? ""
      : `<text x="${side - 5}" y="${(r + 0.5) * height + 3}" text-anchor="end">${escaped(head)}</text>`));
    const svg = (w, h, inside) => `<svg width="${w}" height="${h}" aria-hidden="true">${inside.join("")}</svg>`;
    this.section.querySelector(".heads.along").innerHTML = svg(columns * width, 20, along);
    this.section.querySelector(".heads.down").innerHTML = svg(side, rows * height, down);
  }

  // The cells: one path for each colour, one for those that are empty, and the labels.
  picture() {
    const { columns, rows, width, height } = this;
    const paths = Array.from({ length: 9 }, () => []);
    const labels = [];
    const gap = this.labelled ? 2 : 1;
    const square = `h${width - gap}v${height - gap}h${gap - width}z`;
    for (let r = 0, k = 0; r < rows; ++r) {
      for (let c = 0; c < columns; ++c, k += 3) {
        const empty = this.data.cells[k] < 0;
        paths[empty ? 8 : this.data.cells[k + 2]].push(`M${c * width} ${r * height}${square}`);
        if (!this.labelled || empty) continue;
        labels.push(`<text x="${(c + 0.5) * width - 1}" y="${r * height + 15}">${this.data.cells[k + 1]}</text>`);
      }
    }
    const drawn = paths.map((path, g) =>
      (path.length ? `<path class="${g < 8 ? `f${g}` : "none"}" d="${path.join("")}"/>` : ""));
    return `<svg width="${columns * width}" height="${rows * height}" aria-hidden="true">${drawn.join("")}` +
      `<g class="labels">${labels.join("")}</g></svg>`;
  }

  // The element at a row and column of the window, -1 for none.
  element(row, column) {
    return this.data.cells[3 * (this.columns * row + column)];
  }

  // Row and column of the window under the pointer.
  under(event) {
    const box = this.body.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top) / this.height);
    const column = Math.floor((event.clientX - box.left) / this.width);
    return row >= 0 && column >= 0 && row < this.rows && column < this.columns ? [row, column] : null;
  }

  pointed(event) {
    if (event.pointerType === "touch") return;
    const place = this.under(event);
    if (!place || place.join() === this.over) return;
    this.over = place.join();
    const index = this.element(...place);
    this.on_element(index, index < 0 ? "left" : "over", this);
  }

  left() {
    if (this.over === undefined) return;
    this.over = undefined;
    this.on_element(-1, "left", this);
  }

  clicked(event) {
    const place = this.under(event);
    if (!place || this.element(...place) < 0) return;
    this.place_cursor(...place);
    if (document.activeElement === this.cursor) this.chosen();
    else this.cursor.focus({ preventScroll: true });
  }

  // What the cursor is on is chosen.
  chosen() {
    const index = this.element(...this.at);
    this.on_element(index, index < 0 ? "empty" : "chosen", this);
  }

  // Moves the cursor to a row and column of the window.
  place_cursor(row, column) {
    this.at = [row, column];
    const k = 3 * (this.columns * row + column);
    this.put(this.cursor, row, column);
    this.cursor.setAttribute("aria-rowindex", this.first[0] + row + 1);
    this.cursor.setAttribute("aria-colindex", this.first[1] + column + 1);
    this.cursor.setAttribute("aria-label", this.data.cells[k] < 0 ? "empty" : this.data.cells[k + 1]);
  }

  put(element, row, column) {
    const { width, height } = this;
    element.style.cssText = `left:${column * width}px;top:${row * height}px;width:${width}px;height:${height}px`;
  }

  // Turns the window over by so many rows and columns.
  turn(rows, columns) {
    this.first = [Math.max(0, this.first[0] + rows), Math.max(0, this.first[1] + columns)];
    timed(() => {
      this.draw();
      this.on_element(-1, "turned", this);
    });
  }

  // Moves the window so that a row and column of the whole table are in it.
  reveal(row, column) {
    const inside = (at, first, count) => at >= first && at < first + count;
    const next = (at, first, count) => (inside(at, first, count) ? first : Math.max(0, at - (count >> 1)));
    const first = [next(row, this.first[0], this.rows), next(column, this.first[1], this.columns)];
    if (first.join() === this.first.join()) return;
    this.first = first;
    this.draw();
  }

  // Marks the cell at a row and column of the whole table, if it is in the window.
  light(row, column) {
    const [r, c] = [row - this.first[0], column - this.first[1]];
    this.lit = r >= 0 && c >= 0 && r < this.rows && c < this.columns ? [r, c] : null;
    this.marker.hidden = !this.lit;
    if (!this.lit) return;
    this.put(this.marker, r, c);
    Object.assign(this.marker.dataset, { row, column, label: this.data.cells[3 * (this.columns * r + c) + 1] });
  }

  // Scrolls the sheet, not the page, so that a cell of the window can be seen.
  scroll_to(row, column) {
    const [left, top] = [this.body.offsetLeft, this.body.offsetTop];
    const [x, y] = [column * this.width, row * this.height];
    const { box } = this;
    const shown = [box.clientWidth - left, box.clientHeight - top];
    if (x < box.scrollLeft) box.scrollLeft = Math.max(0, x - 2 * this.width);
    else if (x + this.width > box.scrollLeft + shown[0]) box.scrollLeft = x + 3 * this.width - shown[0];
    if (y < box.scrollTop) box.scrollTop = Math.max(0, y - 2 * this.height);
    else if (y + this.height > box.scrollTop + shown[1]) box.scrollTop = y + 3 * this.height - shown[1];
  }

  key(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      PageUp: [-8, 0], PageDown: [8, 0], Home: [0, -Infinity], End: [0, Infinity] };
    const step = steps[event.key];
    if (!step || event.altKey || event.metaKey) return;
    event.preventDefault();
    const whole = event.ctrlKey && !step[0];
    const down = whole && Math.abs(step[1]) > 1 ? step[1] : step[0];
    const row = clamped(this.first[0] + this.at[0] + down, this.data.rows);
    const column = clamped(this.first[1] + this.at[1] + step[1], this.data.columns);
    timed(() => {
      this.reveal(row, column);
      this.place_cursor(row - this.first[0], column - this.first[1]);
      this.scroll_to(...this.at);
      this.chosen();
      this.cursor.scrollIntoView({ block: "nearest" });  // the page too, where the facts lie over it
    });
  }
}

const clamped = (at, count) => Math.min(Math.max(at, 0), count - 1);
