// A pipeline, step by step: what each lane does, the state of every stage, who waits.
const lane_height = 30;
const name_width = 150;

// Of each event, the step with which it begins and the one with which it is over.
const spans_of = ({ events, steps }) => {
  const spans = events.map(() => ({ begins: Infinity, over: Infinity }));
  steps.forEach(({ event, what }, step) => {
    if (what !== "ends") spans[event].begins = step;
    if (what !== "begins") spans[event].over = what === "happens" ? step + 1 : step;
  });
  return spans;
};

// The events that go on at a step, as steps have it and not cycles: in one cycle a role may end one wait and begin the
// next. A role waits for one thing at a time: what it began last.
const going_on = (spans, events, step) => {
  const ids = spans.map((_, id) => id).filter((id) => spans[id].begins <= step && step < spans[id].over);
  const last_wait = {};
  for (const id of ids) {
    const { lane, waits } = events[id];
    if (waits && !(spans[last_wait[lane]]?.begins > spans[id].begins)) last_wait[lane] = id;
  }
  return ids.filter((id) => !events[id].waits || last_wait[events[id].lane] === id);
};

// What a page needs of a timeline's facts. Throws an Error that says why one cannot be stepped through.
const slim_timeline = (timeline) => {
  if (timeline.refused) throw new Error(timeline.refused);
  if (!timeline.steps.length) throw new Error("its timeline has no step");
  if (timeline.steps.length > 20000) throw new Error(`its timeline has ${timeline.steps.length} steps, too many to go through`);
  const events = timeline.events.map((event) => ({ ...event, waits: event.kind.startsWith("wait") }));
  const lanes = timeline.lanes.map(({ name, cta }) => ({ name: timeline.ctas > 1 ? `${name}, CTA ${cta}` : name }));
  return { ...timeline, events, lanes };
};

class Timelines {
  constructor(kernels, on_change) {
    this.kernels = kernels;
    this.on_change = on_change;
    const names = Object.keys(kernels);
    if (!names.length) return;
    by_id("timelines").hidden = false;
    by_id("kernel").innerHTML = names.map((name) => `<option>${escaped(name)}</option>`).join("");
    by_id("kernel").addEventListener("change", () => this.load(by_id("kernel").value, 0));
    by_id("step").addEventListener("input", () => this.go(Number(by_id("step").value)));
    for (const [id, step] of [["step-first", -Infinity], ["step-back", -1], ["step-on", 1], ["step-last", Infinity]]) {
      by_id(id).addEventListener("click", () => { this.pause(); this.go(this.at + step); });
    }
    by_id("play").addEventListener("click", () => (this.playing ? this.pause() : this.play()));
    by_id("lanes").addEventListener("keydown", (event) => this.key(event));
    by_id("timelines").querySelector("form").addEventListener("submit", (event) => event.preventDefault());
    by_id("zoom").addEventListener("input", () => timed(() => {
      this.draw_lanes();
      this.draw();
    }));
    by_id("own").addEventListener("change", async (event) => {
      const [file] = event.target.files;
      if (file) this.add(file.name, await file.text());
    });
    this.load(names[0], 0);
  }

  // A pipeline of one's own, from the facts that `sectile tutorial` writes.
  add(file, text) {
    try {
      const { name, timeline } = JSON.parse(text);
      this.kernels[`${name} (${file})`] = slim_timeline(timeline);
      by_id("kernel").add(new Option(`${name} (${file})`));
      by_id("own-said").textContent = "";
      this.load(`${name} (${file})`, 0);
      this.own = true;
    } catch (why) {
      by_id("own-said").textContent = `${file}: ${why instanceof SyntaxError || why instanceof TypeError
        ? "this is no file of a kernel's facts" : why.message}`;
    }
  }

  load(name, step) {
    if (!this.kernels[name]) return;
    this.pause();
    this.own = false;
    by_id("kernel").value = name;
    this.name = name;
    this.data = this.kernels[name];
    by_id("step").max = this.data.steps.length - 1;
    by_id("timeline-note").textContent = [this.data.sizes, this.data.note].filter(Boolean).join(". ");
    this.spans = spans_of(this.data);
    this.draw_lanes();
    this.go(step);
  }

  go(step) {
    this.at = clamped(step, this.data.steps.length);
    timed(() => this.draw());
    this.on_change();
  }

  draw() {
    const { steps, events, lanes, rings, letters } = this.data;
    const now = steps[this.at];
    by_id("step").value = this.at;
    by_id("step").setAttribute("aria-valuetext", `step ${this.at + 1} of ${steps.length}`);
    by_id("step-says").innerHTML =
      `<span class="clock">Step ${this.at + 1} of ${steps.length}, cycle ${now.at}:</span> ` +
      `${escaped(events[now.event].says)} <em>(${escaped(now.what)})</em>`;
    const box = (letter, stage) => `<li class="stage-${letter}">${stage}<b>${escaped(letters[letter])}</b></li>`;
    by_id("stages").innerHTML = now.stages.map((of_cta, cta) => of_cta.map((ring, r) => {
      const where = now.stages.length > 1 ? `, CTA ${cta}` : "";
      return `<div class="ring"><span>Stages of ${escaped(rings[r].name)}${where}</span>
        <ol start="0">${[...ring].map(box).join("")}</ol></div>`;
    }).join("")).join("");
    this.mark(now, lanes);
  }

  // The lanes with their events, drawn once; the cursor and what is going on move.
  draw_lanes() {
    const { lanes, events, length } = this.data;
    const width = Math.max(700, Math.min(4000, events.length * 7)) * 2 ** Number(by_id("zoom").value);
    this.x = (cycle) => 4 + (width * cycle) / Math.max(length, 1);
    const rule = (l, end) => {
      const y = (l + 1) * lane_height;
      return `<line class="rule" x1="0" x2="${end}" y1="${y}" y2="${y}"/>`;
    };
    const names = lanes.map((lane, l) => rule(l, name_width) +
      `<text x="8" y="${l * lane_height + 13}">${escaped(lane.name)}</text>` +
      `<text class="doing" x="8" y="${l * lane_height + 25}"></text>`);
    const rules = lanes.map((lane, l) => rule(l, width + 20));
    const boxes = events.map((event, id) => {
      const [start, end] = [this.x(event.start), this.x(event.end ?? length)];
      return `<rect class="event${event.waits ? " waiting" : ""}" data-id="${id}" x="${start.toFixed(1)}" ` +
        `y="${event.lane * lane_height + 5}" width="${Math.max(end - start, 1.5).toFixed(1)}" ` +
        `height="${lane_height - 10}"><title>${escaped(event.says)}</title></rect>`;
    });
    const height = lanes.length * lane_height + 4;
    by_id("lanes").innerHTML =
      `<svg class="names" width="${name_width}" height="${height}" aria-hidden="true">${names.join("")}</svg>` +
      `<svg width="${width + 20}" height="${height}" role="img" ` +
      `aria-label="Lanes over time; what goes on is said above, step by step">${rules.join("")}${boxes.join("")}` +
      `<line class="cursor-line" y1="0" y2="${height}"/></svg>`;
    this.cursor = by_id("lanes").querySelector(".cursor-line");
    this.doing = [...by_id("lanes").querySelectorAll(".doing")];
    this.boxes = [...by_id("lanes").querySelectorAll(".event")];
  }

  mark(now, lanes) {
    const { events } = this.data;
    const words = lanes.map(() => "");
    const waits = [];
    this.boxes.forEach((box) => box.classList.remove("now"));
    for (const id of going_on(this.spans, events, this.at)) {
      const event = events[id];
      this.boxes[id].classList.add("now");
      words[event.lane] = event.waits ? "waits" : event.kind.replaceAll("_", " ");
      if (event.waits) waits.push(event.says);
    }
    by_id("waits").innerHTML = waits.map((says) => `<li>${escaped(says)}</li>`).join("") || "<li>nobody</li>";
    words.forEach((word, l) => { this.doing[l].textContent = word; });
    const x = this.x(now.at);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    const box = by_id("lanes");
    const room = box.clientWidth - name_width;
    if (x < box.scrollLeft + 20 || x > box.scrollLeft + room - 60) box.scrollLeft = x - room / 2;
  }

  key(event) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10,
      Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (event.key === " ") this.playing ? this.pause() : this.play();
    else if (step) { this.pause(); this.go(this.at + step); }
    else return;
    event.preventDefault();
  }

  play() {
    if (this.at === this.data.steps.length - 1) this.go(0);
    by_id("play").textContent = "Pause";
    const last = () => this.at === this.data.steps.length - 1;
    this.playing = setInterval(() => (last() ? this.pause() : this.go(this.at + 1)), 500);
  }

  pause() {
    clearInterval(this.playing);
    this.playing = undefined;
    by_id("play").textContent = "Play";
  }
}
