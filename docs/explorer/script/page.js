// Puts the page together.
const first_expression = "tile(bf16, 64, 64, k, b128)";

const start = async () => {
  start_theme();
  const machine = await make_machine();
  by_id("missing").hidden = true;
  by_id("ask").hidden = by_id("descriptors").hidden = by_id("beside").hidden = false;

  let ready = false;
  const remember = () => {
    if (!ready) return;
    const hex = by_id("hex").value.trim();
    write_address({
      expression: by_id("expression").value,
      i: views.chosen || undefined,
      type: by_id("type").value,
      colour: by_id("colour").value,
      unit: by_id("unit").value,
      labels: by_id("labels").value === "auto" ? undefined : by_id("labels").value,
      dealt: views.tile_rows() || undefined,
      other: by_id("other").value.trim() || undefined,
      access: by_id("access").value.trim() || undefined,
      width: by_id("access").value.trim() ? by_id("width").value : undefined,
      descriptor: hex || undefined,
      major: hex ? by_id("descriptor-major").value : undefined,
      of: hex ? by_id("descriptor-type").value : undefined,
      kernel: timelines.at && !timelines.own ? timelines.name : undefined,
      step: timelines.at || undefined,
    });
  };
  const views = new Views(machine, remember);
  const question = new Question(machine, views, new Beside(machine, remember), remember);
  start_copies(question);
  by_id("undo").addEventListener("click", () => history.back());
  const descriptors = new Descriptors(machine, views, (expression) => {
    question.show(expression);
    by_id("expression").focus();
  }, remember);
  const timelines = new Timelines(build_data.timelines, remember);

  const example = ({ expression, type, title }) =>
    `<option value="${escaped(expression)}" data-type="${escaped(type ?? "")}">${escaped(title)}</option>`;
  by_id("preset").innerHTML += build_data.presets.map(({ title, entries }) =>
    `<optgroup label="${escaped(title)}">${entries.map(example).join("")}</optgroup>`).join("");
  by_id("functions").innerHTML = machine.functions().map((f) => `<li>${escaped(f)}</li>`).join("");

  const open_address = () => {
    const state = read_address();
    const set = (id, value) => {
      const control = by_id(id);
      if (value === undefined) return;
      if (control.options && ![...control.options].some((option) => option.value === value)) return;
      control.value = value;
    };
    set("type", state.type);
    set("labels", state.labels);
    set("colour", state.colour);
    set("unit", state.unit);
    for (const id of ["dealt", "other", "access"]) by_id(id).value = state[id] ?? "";
    set("width", state.width);
    question.kind = undefined;
    question.wanted_colour = state.colour && by_id("colour").value;
    question.wanted_unit = state.unit && by_id("unit").value;
    views.chosen = Math.max(0, Math.floor(Number(state.i)) || 0);
    written_expression = state.expression || first_expression;
    timed(() => question.show(written_expression));
    show_undo();
    set("descriptor-major", state.major);
    set("descriptor-type", state.of);
    if (state.descriptor) {
      by_id("hex").value = state.descriptor;
      descriptors.decode();
    }
    if (state.kernel) timelines.load(state.kernel, Number(state.step) || 0);
  };
  open_address();
  ready = true;
  addEventListener("hashchange", () => { ready = false; open_address(); ready = true; });
  document.documentElement.dataset.ready = "true";
};
start();
