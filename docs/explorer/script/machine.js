// The program: the project's layouts/ compiled to WebAssembly. Every question is a call, every answer an object.
const make_machine = async () => {
  const program = await load_sectile();
  const text = "string", number = "number";
  const bind = (name, kinds) => {
    const call = program.cwrap(`explorer_${name}`, text, kinds);
    return (...values) => JSON.parse(call(...values));
  };
  return {
    show: bind("show", [text, text]),
    view: bind("view", [number, text, number, number, number, number, number, text, number]),
    compare: bind("compare", [text]),
    access: bind("access", [text, number]),
    element: bind("element", [number, number, number]),
    descriptor: bind("descriptor", [text, text, text]),
    tile_descriptor: bind("tile_descriptor", [number, text]),
    functions: bind("functions", []),
  };
};

const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => entities[c]);
const by_id = (id) => document.getElementById(id);

// Chooses an element type; one that has no name, only bits, becomes one more choice.
const choose_type = (select, type) => {
  if (![...select.options].some((option) => option.value === type)) select.add(new Option(`${type} bits`, type));
  select.value = type;
};

// Runs an answer and keeps how long it took until the page shows it, as a measure named "answer".
const timed = (answer) => {
  const start = performance.now();
  answer();
  void document.body.offsetHeight;
  performance.measure("answer", { start, end: performance.now() });
};
