// From the problem to a core matrix: drawings of a product, left factor to the left and right factor above, each of
// which shows one part of the drawing before it.
#include <algorithm>
#include <sectile/dsl/tell/draw/plan_figures.hpp>
#include <sectile/dsl/tell/operands_text.hpp>
#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/picture_sheet.hpp>

namespace sectile::tell {
namespace {

constexpr double drawing_width = 224, drawing_height = 256;
constexpr int drawings_per_row = 3;

/// A factor beside the result: how far it reaches along K, and in how many parts it is cut.
struct factor {
  std::string name{};  // empty: not drawn
  int k = 0;           // elements
  int along_k = 1;     // parts
  int across = 1;
};

/// One level: a result of rows x cols in equal parts, one of which is the next level's, and its factors.
struct level {
  std::string head, words;
  int rows = 0, cols = 0;
  int down = 1, across = 1;
  std::string part{};  // what the part is called
  factor left{}, above{};
};

/// "B x H matrices of S x D".
std::string modes_text(const operand_facts& f) {
  const int rank = f.tile.rank;
  const std::string batches = batches_text(f);
  return say(batches, batches.empty() ? "" : " matrices of ", f.mode_name[rank - 2], " x ", f.mode_name[rank - 1]);
}

/// Whether the kernel is one product, whose result is the output: its factors can be drawn at every level.
bool is_one_product(const plan& p) { return p.products.count == 1; }

/// The name of a product's left factor.
std::string left_name(const plan& p, const product_plan& q) {
  if (q.reads_a()) return p.operand[q.a_operand].facts.name;
  return p.products.reads > 0 ? std::string(p.operand[p.products.read[0].operand].facts.name) : "registers";
}

std::string right_name(const plan& p, const product_plan& q) { return name_of_right(p, q); }

/// The operands whose rows and columns the output's are: the instruction's factors, or, swapped, the other way round.
std::string row_name(const plan& p, const product_plan& q) { return p.how.swap ? right_name(p, q) : left_name(p, q); }
std::string col_name(const plan& p, const product_plan& q) { return p.how.swap ? left_name(p, q) : right_name(p, q); }

/// K of a whole tile, elements of the matrix.
int tile_k(const product_plan& q) { return q.k_steps * q.instruction.k; }

level problem_level(const plan& p, const operand_facts& out, const product_plan& q) {
  const cluster_shape c = p.how.cluster;
  level l{say("The problem: ", out.name),
          modes_text(out),
          3 * p.how.rows_of_item() * out.rows(),
          3 * c.cols * out.cols(),
          3,
          3};
  l.part = c.size() > 1 ? "cluster" : "CTA";
  if (is_one_product(p)) {
    l.left = {row_name(p, q), 4 * tile_k(q), 4, 3};
    l.above = {col_name(p, q), 4 * tile_k(q), 4, 3};
  }
  return l;
}

level cluster_level(const plan& p, const operand_facts& out, const product_plan& q) {
  const cluster_shape c = p.how.cluster;
  level l{say("A cluster: ", c.rows, " x ", c.cols, " CTAs"),
          say(p.how.rows_of_item() * out.rows(), " x ", c.cols * out.cols(), " of ", out.name),
          p.how.rows_of_item() * out.rows(),
          c.cols * out.cols(),
          c.rows,
          c.cols,
          "CTA"};
  if (is_one_product(p)) {
    l.left = {row_name(p, q), tile_k(q), 1, c.rows};
    l.above = {col_name(p, q), tile_k(q), 1, c.cols};
  }
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].slices > 1)
      l.words += say("; ", p.operand[o].facts.name, " fetched once for ", p.operand[o].slices, " CTAs");
  return l;
}

level cta_level(const plan& p, const operand_facts& out, const product_plan& q) {
  const int tiles = p.how.rows_of_cta();  // of consumers abreast one each
  level l{say("A CTA: ", count(p.how.consumers, "consumer")),
          say(tiles * out.rows(), " x ", out.cols(), " of ", out.name),
          tiles * out.rows(),
          out.cols(),
          p.how.swap ? tiles : tiles * p.how.sharers(),
          p.how.swap ? p.how.sharers() : 1};
  l.part = l.down * l.across > 1 ? "consumer" : "";
  if (is_one_product(p)) {
    l.words += say("; ", tile_k(q), " of K at a time");
    l.left = {row_name(p, q), tile_k(q), 1, l.down};
    l.above = {col_name(p, q), tile_k(q), 1, l.across};
  }
  return l;
}

level consumer_level(const plan& p, const product_plan& q) {
  const wgmma_instruction& w = q.instruction;
  level l{say("A consumer: ", left_name(p, q), " times ", right_name(p, q)),
          say(count(q.m_blocks, "block"), " of ", wgmma_rows, " rows, ", count(q.k_steps, "step"), " along K"),
          q.m_blocks * wgmma_rows,
          w.n,
          q.m_blocks,
          1};
  l.part = "wgmma";
  l.left = {left_name(p, q), tile_k(q), q.k_steps, q.m_blocks};
  l.above = {right_name(p, q), tile_k(q), q.k_steps, 1};
  return l;
}

/// Core matrices of an instruction's operand: how many along K and across.
factor in_core_matrices(const std::string& name, const operand_tile& t, int mn, int k, int stored) {
  const int unit = core_matrix_row_elements(t.element_bits);
  return t.major == major::k ? factor{name, k, stored / unit, mn / core_matrix_rows}
                             : factor{name, k, stored / core_matrix_rows, mn / unit};
}

level instruction_level(const plan& p, const product_plan& q) {
  const wgmma_instruction& w = q.instruction;
  level l{say("wgmma m", wgmma_rows, "n", w.n, "k", w.k), "", wgmma_rows, w.n};
  l.left = {left_name(p, q), w.k};
  if (q.reads_a()) l.left = in_core_matrices(left_name(p, q), q.a, wgmma_rows, w.k, stored_k(w));
  l.above = in_core_matrices(right_name(p, q), q.b, w.n, w.k, w.k);
  const auto number = [](const factor& f) { return say(f.name, ": ", f.across, " x ", f.along_k); };
  l.words = say("core matrices of ", q.reads_a() ? number(l.left) + ", " : "", number(l.above));
  if (!q.reads_a()) l.words += say("; ", l.left.name, l.left.name == "registers" ? "" : " in registers");
  return l;
}

std::vector<level> levels_of(const plan& p) {
  const operand_facts& out = p.operand[p.work].facts;
  const product_plan& first = p.products.at[0];
  std::vector<level> all{problem_level(p, out, first)};
  if (p.how.cluster.size() > 1) all.push_back(cluster_level(p, out, first));
  all.push_back(cta_level(p, out, first));
  std::vector<product_plan> seen;
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    if (std::ranges::find(seen, q) != seen.end()) continue;
    seen.push_back(q);
    all.push_back(consumer_level(p, q));
    all.push_back(instruction_level(p, q));
  }
  return all;
}

/// A rectangle in down x across parts, of which the first is marked.
void draw_parts(picture_sheet& sheet, double x, double y, double w, double h, int down, int across, const char* fill) {
  sheet.rect(x, y, w, h, fill);
  for (int r = 1; r < down; ++r) sheet.line(x, y + h * r / down, x + w, y + h * r / down, "cell");
  for (int c = 1; c < across; ++c) sheet.line(x + w * c / across, y, x + w * c / across, y + h, "cell");
  sheet.rect(x, y, w, h, "frame");
  if (down * across > 1) sheet.rect(x + 1, y + 1, w / across - 2, h / down - 2, "mark");
}

void draw_level(picture_sheet& sheet, const level& l, double x, double y) {
  constexpr double room_w = 196, room_h = 182;
  const bool factors = !l.left.name.empty();
  const double k = factors ? l.left.k : 0, gap = factors ? 5 : 0;
  double scale = std::min((room_w - gap) / (l.cols + k), (room_h - gap) / (l.rows + k));
  const double strip = factors ? std::clamp(k * scale, 18.0, 56.0) : 0;  // K is drawn to scale where that can be seen
  scale = std::min((room_w - gap - strip) / l.cols, (room_h - gap - strip) / l.rows);
  const double w = std::max(l.cols * scale, 16.0), h = std::max(l.rows * scale, 16.0);
  const double left = x + strip + gap, head = y + 50, top = head + strip + gap;
  sheet.text(x, y + 12, "strong", l.head);
  sheet.paragraph(x, y + 28, drawing_width - 20, "small", l.words);
  draw_parts(sheet, left, top, w, h, l.down, l.across, "g0");
  if (text_width("tiny", l.part) < w / l.across && h / l.down > 12)
    sheet.text(left + w / l.across / 2, top + h / l.down / 2 + 3, "tiny mid", l.part);
  if (!factors) return;
  draw_parts(sheet, x, top, strip, h, l.left.across, l.left.along_k, "g1");
  draw_parts(sheet, left, head, w, strip, l.above.along_k, l.above.across, "g2");
  // Above its strip, unless the other factor's name is in the way there.
  const bool narrow = strip < 28;
  const double above_or_below = narrow ? top + h + 13 : top - 4;
  if (l.left.name.size() < 3) sheet.text(x + strip / 2, above_or_below, "small strong mid", l.left.name);
  sheet.text(left - 4, head + strip / 2 + 4, "small strong end", l.above.name);
}

/// One core matrix, row by row.
void draw_core_matrix(picture_sheet& sheet, const operand_tile& t, double x, double y) {
  const int unit = core_matrix_row_elements(t.element_bits), cells = std::min(unit, 16);
  sheet.text(x, y + 12, "strong", "A core matrix");
  sheet.text(x, y + 28, "small",
             say(core_matrix_rows, " rows of ", core_matrix_row_bytes, " bytes, ", unit, " elements each"));
  const double w = 176.0 / cells, h = 18;
  for (int r = 0; r < core_matrix_rows; ++r)
    for (int c = 0; c < cells; ++c) sheet.rect(x + c * w, y + 50 + r * h, w, h, "cell g1");
  sheet.rect(x, y + 50, cells * w, core_matrix_rows * h, "frame");
}

}  // namespace

figure draw_hierarchy(const plan& p) {
  picture_sheet sheet;
  const std::vector<level> levels = levels_of(p);
  std::string alt;
  const auto x_of = [](std::size_t i) { return static_cast<double>(i % drawings_per_row) * drawing_width; };
  const auto y_of = [](std::size_t i) { return static_cast<double>(i / drawings_per_row) * drawing_height; };
  for (std::size_t i = 0; i < levels.size(); ++i) {
    draw_level(sheet, levels[i], x_of(i), y_of(i));
    alt += say(levels[i].head, ", ", levels[i].words, ". ");
  }
  const std::size_t last = levels.size();
  draw_core_matrix(sheet, p.products.at[0].b, x_of(last), y_of(last));
  alt += say("A core matrix has ", core_matrix_rows, " rows of ", core_matrix_row_bytes, " bytes.");
  const std::string note =
      "Each drawing shows the marked part of the one before it. The result is blue, the left factor orange, to its "
      "left; the right factor is green, above it.";
  sheet.paragraph(0, sheet.height() + 28, 640, "small", note);
  const std::string title = "From the problem to a core matrix";
  return {sheet.finish(title, alt), title, alt};
}

}  // namespace sectile::tell
