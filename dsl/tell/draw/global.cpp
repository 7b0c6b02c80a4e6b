// An operand in global memory: the matrix in tiles, which mode is contiguous, how far the other ones' neighbours lie
// apart, and what lies past the edge.
#include <algorithm>
#include <sectile/dsl/plan/groups.hpp>
#include <sectile/dsl/tell/operands_text.hpp>
#include <sectile/dsl/tell/draw/plan_figures.hpp>
#include <sectile/layouts/picture_sheet.hpp>
#include <sectile/layouts/tma_tensor.hpp>

namespace sectile::tell {
namespace {

constexpr double grid_left = 96, grid_top = 64, tile = 104;

/// What strides in bytes must be multiples of, as the rules of a tensor say.
std::int64_t stride_granule() { return check(tma_tensor{.rank = 2, .extent = {1, 1}, .stride_bytes = {0, 1}}).limit; }

struct global_drawing {
  const operand_plan& op;
  bool cut = false, rooms = false;  // the rows of groups, one behind the other, or in rooms
  const operand_facts& f = op.facts;
  picture_sheet sheet{};
  // Tiles keep their shape, but none is drawn thinner than one to two.
  double shape = std::clamp(f.cols() / static_cast<double>(f.rows()), 0.5, 2.0);
  double w = tile * std::min(shape, 1.0), h = tile / std::max(shape, 1.0);
  double width = 2.6 * w, height = 2.6 * h;  // of the matrix

  std::string rows() const { return f.mode_name[f.tile.rank - 2]; }
  std::string cols() const { return f.mode_name[f.tile.rank - 1]; }
  int batches() const { return f.tile.rank - 2 - cut; }
  bool by_rows() const { return f.order == row_major; }

  void draw_matrix() {
    for (int i = batches(); i > 0; --i) sheet.rect(grid_left + 7 * i, grid_top - 7 * i, width, height, "cell paper");
    sheet.rect(grid_left, grid_top, width, height, "cell paper");
    sheet.hatch(grid_left + width, grid_top, 3 * w - width, 3 * h);
    sheet.hatch(grid_left, grid_top + height, width, 3 * h - height);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c)
        sheet.rect(grid_left + c * w, grid_top + r * h, w, h, r == 1 && c == 1 ? "cell g0" : "cell none");
    sheet.rect(grid_left, grid_top, width, height, "frame");
    sheet.rect(grid_left + w, grid_top + h, w, h, "mark bold");
    sheet.text(grid_left + 1.5 * w, grid_top + 1.5 * h - 2, "small strong mid", "tile");
    sheet.text(grid_left + 1.5 * w, grid_top + 1.5 * h + 11, "small mid", "(1, 1)");
  }

  void draw_extents() {
    const double y = grid_top + 3 * h + 18;
    sheet.text(grid_left + 1.5 * w, y, "small mid", say(f.cols(), f.cols() == 1 ? " column" : " columns"));
    sheet.line(grid_left + w + 2, y - 14, grid_left + 2 * w - 2, y - 14, "mark");
    sheet.text(grid_left + 3 * w + 12, grid_top + 1.5 * h + 4, "small",
               say(f.rows(), f.rows() == 1 ? " row" : " rows"));
    sheet.line(grid_left + 3 * w + 5, grid_top + h + 2, grid_left + 3 * w + 5, grid_top + 2 * h - 2, "mark");
    const double up = 7 * batches();
    sheet.text(grid_left + 90, grid_top - 12 - up, "strong", cols());
    sheet.arrow(grid_left + 2, grid_top - 16 - up, grid_left + 84, grid_top - 16 - up,
                by_rows() ? "mark2 bold" : "rule", by_rows() ? "second" : "muted");
    sheet.arrow(grid_left - 14, grid_top + 2, grid_left - 14, grid_top + 84, by_rows() ? "rule" : "mark2 bold",
                by_rows() ? "muted" : "second");
    sheet.text(grid_left - 14, grid_top + 100, "strong mid", rows());
    if (by_rows())
      sheet.text(grid_left + 104, grid_top - 12 - up, "small second", "contiguous");
    else
      sheet.text(grid_left - 6, grid_top + 114, "small second end", "contiguous");
  }

  void draw_words() {
    const double x = grid_left + 3 * w + 88;
    double y = grid_top + 6;
    const auto say_strong = [&](const std::string& head, const std::string& words) {
      sheet.text(x, y, "small strong", head);
      y = sheet.paragraph(x, y + 14, 210, "small", words) + 6;
    };
    say_strong("Modes", modes_text());
    say_strong("Strides", strides_text());
    say_strong("Past the edge", say(cut ? "Hatched, and behind a group's end: " : "Hatched: ",
                                    f.kind == operand_kind::output ? "nothing is written there."
                                    : f.im2col ? "arrives as zeros, as pixels outside of the image do."
                                               : "arrives as zeros."));
    if (f.sparse)
      say_strong("Sparse", say("Stored is half of each row, ", f.stored_cols(), " of the tile's ", f.cols(),
                               " columns; the metadata is a matrix of its own."));
  }

  std::string modes_text() const {
    if (f.has_index())
      return say("A matrix of any number of rows x ", cols(), ", ", f.type.name, ", row-major. A tile has ", f.rows(),
                 " x ", f.cols(), " elements of rows that ", f.index, f.is_scattered() ? " names" : " picks",
                 "; tile (i, j) begins at column ", f.cols(), " j.");
    const std::string batches = batches_text(f, cut);
    std::string text = say(rows(), " x ", cols(), ", ");
    if (!batches.empty()) text = say(batches, " matrices of ", text);
    if (cut)
      text += say("the rows of all ", f.mode_name[0],
                  rooms ? " groups, a room for each, " : " groups one behind the other, ");
    text += say(f.type.name, ", ", by_rows() ? "row-major" : "column-major", ". A tile has ", f.rows(), " x ", f.cols(),
                " elements");
    if (f.sparse) text += say(", of which ", f.rows(), " x ", f.stored_cols(), " are stored");
    return text + say(cut               ? " of one group"
                      : batches.empty() ? ""
                                        : " of one matrix",
                      "; tile (i, j) begins at ", cut ? "the group's " : "", "row ", f.rows(), " i, ",
                      f.sparse ? "stored column " : "column ", f.stored_cols(), " j.");
  }

  std::string strides_text() const {
    const std::string contiguous = by_rows() ? cols() : rows(), other = by_rows() ? rows() : cols();
    if (f.has_index())
      return say("Neighbours along ", cols(), " are ", count(f.type.bits / 8, "byte"),
                 " apart. Rows of a tile are those "
                 "that ",
                 f.index, f.is_scattered() ? " names" : " picks", ", wherever in the matrix they are, a multiple of ",
                 stride_granule(), " bytes apart.");
    if (f.im2col)
      return say("Neighbours along ", cols(), " are ", count(f.type.bits / 8, "byte"), " apart. ", f.mode_name[0],
                 " and ", rows(),
                 " have no strides: which pixel of an image a row is follows from how the filter goes over it.");
    const std::string next =
        f.type.bits < 8 ? say(f.type.bits, f.type.bits == 1 ? " bit" : " bits") : count(f.type.bits / 8, "byte");
    return say(f.sparse ? "Stored neighbours along " : "Neighbours along ", contiguous, " are ", next,
               " apart. Neighbours along ", other, batches() > 0 ? " and the batches" : "",
               " are as far apart as the caller says, a multiple of ", stride_granule(), " bytes.");
  }
};

}  // namespace

figure draw_global(const plan& p, int operand) {
  const operand_facts& f = p.operand[operand].facts;
  if (f.kind == operand_kind::scalar)
    throw layout_error("operand ", f.name, " is a number, not a matrix in global memory");
  if (f.is_vector())
    throw layout_error("operand ", f.name, " is a vector, of which threads ", f.is_read() ? "read" : "write",
                       " single elements, not a matrix");
  const bool cut = position_of_cut(p, operand) >= 0;
  global_drawing d{p.operand[operand], cut, cut && p.operand[ends_of(p, operand)].facts.counts_rows};
  d.draw_matrix();
  d.draw_extents();
  d.draw_words();
  const std::string title = say(f.name, " in global memory, and a tile of it");
  const std::string alt = say(title, ". ", d.modes_text(), " ", d.strides_text());
  return {d.sheet.finish(title, alt), title, alt};
}

}  // namespace sectile::tell
