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

let writing = 0;
const write_address = (state) => {
  clearTimeout(writing);
  writing = setTimeout(() => {
    const { expression, ...rest } = state;
    const pairs = Object.entries(rest).filter(([, value]) => value !== undefined && value !== "");
    const written = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    history.replaceState(null, "", `#${[encodeURIComponent(expression), ...written].join("&")}`);
  }, 200);
};
