// The page's state in its address, so that a view can be linked to: #EXPRESSION&name=value&..., the expression and the
// values percent-encoded.
const read_address = () => {
  const [expression, ...rest] = location.hash.slice(1).split("&");
  const state = {};
  const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  if (expression) state.expression = decoded(expression);
  for (const pair of rest) {
    const at = pair.indexOf("=");
    if (at > 0) state[pair.slice(0, at)] = decoded(pair.slice(at + 1));
  }
  return state;
};

// An expression is a step of the history: what "Undo", and the browser's own button, go back to.
let writing = 0, unwritten, written_expression;
const flush_address = () => {
  clearTimeout(writing);
  if (!unwritten) return;
  const { expression, ...rest } = unwritten;
  unwritten = undefined;
  const pairs = Object.entries(rest).filter(([, value]) => value !== undefined && value !== "");
  const written = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const address = `#${[encodeURIComponent(expression), ...written].join("&")}`;
  const steps = history.state?.steps ?? 0;
  if (expression === written_expression) history.replaceState({ steps }, "", address);
  else history.pushState({ steps: steps + 1 }, "", address);
  written_expression = expression;
  show_undo();
};
const write_address = (state) => {
  clearTimeout(writing);
  unwritten = state;
  writing = setTimeout(flush_address, 200);
};
const show_undo = () => { by_id("undo").disabled = !history.state?.steps; };
