// What can be taken away: a layout as text for a program, a link, a view as a picture.

// "(4,(2,2))" as nested arrays of numbers.
const nested = (text) => JSON.parse(text.replaceAll("(", "[").replaceAll(")", "]"));

// A layout's text in its parts: the swizzle's numbers and the offset, if there are any, shape and stride.
const parts_of = (text) => {
  const found = /^(?:Sw<(-?\d+),(-?\d+),(-?\d+)> o (?:(-?\d+) o )?)?([^:]+):([^:]+)$/.exec(text);
  const [, bits, base, shift, offset, shape, stride] = found;
  return { swizzle: bits && [bits, base, shift].join(","), offset: offset ?? "0", shape: nested(shape), stride: nested(stride) };
};

const made = (tuple, maker) => (Array.isArray(tuple)
  ? `cute::${maker}(${tuple.map((part) => made(part, maker)).join(", ")})` : `cute::Int<${tuple}>{}`);

// The layout that a text says, as an expression of CuTe, all of whose numbers are constants.
const as_cute = (text) => {
  const { swizzle, offset, shape, stride } = parts_of(text);
  const layout = `cute::make_layout(${made(shape, "make_shape")}, ${made(stride, "make_stride")})`;
  return `auto shown = ${swizzle
    ? `cute::make_composed_layout(cute::Swizzle<${swizzle}>{}, cute::Int<${offset}>{}, ${layout})` : layout};`;
};

// What is shown, as a constant of Sectile.
const as_sectile = ({ layout, tile }) => {
  if (tile) {
    return `constexpr sectile::operand_tile shown{${tile.mn}, ${tile.k}, ${tile.bits}, sectile::major::${tile.major}, ` +
      `sectile::swizzle_mode::${tile.swizzle}};`;
  }
  const literal = layout.startsWith("Sw") ? "swizzled" : "layout";
  return `using namespace sectile::literals;\nconstexpr auto shown = "${layout}"_${literal};`;
};

// Copies a text, and shows it, for where the browser does not let it be copied.
const copy = async (text) => {
  const shown = by_id("copied");
  shown.hidden = false;
  shown.textContent = text;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    getSelection().selectAllChildren(shown);
    document.execCommand("copy");
  }
};

const start_copies = (question) => {
  const on = (id, text) => by_id(id).addEventListener("click", () => void copy(text()));
  on("copy-cute", () => as_cute(question.shown.layout));
  on("copy-sectile", () => as_sectile(question.shown));
  on("copy-link", () => {
    flush_address();
    return location.href;
  });
};

// A view as a picture that stands alone, in the colours that it has now.
const picture_of = (sheet) => {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const inside = (selector) => sheet.section.querySelector(selector);
  const [along, down, body] = [".heads.along svg", ".heads.down svg", ".body svg"].map(inside);
  const size = (svg, side) => Number(svg.getAttribute(side));
  const [left, top] = [size(down, "width"), 44];
  const [width, height] = [left + size(body, "width") + 4, top + size(body, "height") + 4];
  const at = (x, y, svg, kind) => `<g class="${kind}" transform="translate(${x} ${y})">${svg.innerHTML}</g>`;
  const fills = Array.from({ length: 8 }, (_, g) => `.f${g}{fill:${colour(`g${g}`)}}`).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<title>${escaped(sheet.data.title)}</title><style>text{font:12px monospace;fill:${colour("ink")}}` +
    `.heads text{font-size:10px;fill:${colour("muted")}}.labels{text-anchor:middle}${fills}` +
    `.none{fill:none;stroke:${colour("line")};stroke-dasharray:2 2}</style>` +
    `<rect width="${width}" height="${height}" fill="${colour("paper")}"/><text x="4" y="16">${escaped(sheet.data.title)}</text>` +
    `${at(left, 24, along, "heads")}${at(0, top, down, "heads")}${at(left, top, body, "cells")}</svg>`;
};

const save = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};

const save_svg = (sheet) =>
  save(new Blob([picture_of(sheet)], { type: "image/svg+xml" }), `${sheet.section.dataset.view}.svg`);

// Twice as large, for screens that are dense.
const save_png = async (sheet) => {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(picture_of(sheet))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(blob, `${sheet.section.dataset.view}.png`));
};
