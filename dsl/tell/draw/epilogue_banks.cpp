// Which banks a store of the epilogue takes: the lines of shared memory that the first warp writes with its first
// store, the lanes in the pieces that they address.
#include <algorithm>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/plan/epilogue.hpp>
#include <sectile/dsl/tell/draw/plan_figures.hpp>
#include <sectile/layouts/picture_sheet.hpp>

namespace sectile::tell {
namespace {

constexpr int line_bytes = shared_banks * bank_bytes;
constexpr double line_width = 8 * 38, line_height = 19;

/// A warp's first store into a panel, with or without the panel's swizzle.
struct warp_store {
  swizzle_mode mode;
  int row_bytes;
  warp_stores stores;
  int rows;  // of the panel
  int element_bits;
  bool swizzled = true;

  int bits() const { return stores.unit_bits; }
  int cols() const { return row_bytes * 8 / element_bits; }
  int width() const { return stores.width(); }  // bytes of a lane
  int lanes() const { return bits() == 16 ? 8 * stores.blocks() : warp_lanes; }
  int lanes_of_pass() const { return line_bytes / width(); }

  int byte_of(int lane) const {
    const coord at = stores.address(lane, 0);
    const int byte = panel_offset(mode, row_bytes, bits(), at.row, at.col);
    return swizzled ? byte : static_cast<int>(byte_swizzle(mode)(byte));
  }
  int conflicts() const {
    return conflict_degree([this](int lane) { return byte_of(lane); }, width(), lanes());
  }
  int lines() const {
    int most = 0;
    for (int lane = 0; lane < lanes(); ++lane) most = std::max(most, byte_of(lane) / line_bytes);
    return most + 1;
  }
  std::string verdict() const {
    const int n = conflicts();
    return n == 1 ? "no two lanes of a pass meet in a bank" : say(n, " lanes of a pass meet in a bank");
  }
};

void draw_store(picture_sheet& sheet, const warp_store& s, const std::string& name, double left) {
  constexpr double top = 46, margin = 36;
  sheet.text(left + margin, 12, "strong", name);
  sheet.text(left + margin, 27, "small muted", "banks");
  const double x0 = left + margin;
  for (int c = 0; c < 8; ++c)
    sheet.text(x0 + (c + 0.5) * line_width / 8, 40, "tiny muted mid", say(4 * c, "..", 4 * c + 3));
  for (int i = 0; i < s.lines(); ++i) {
    sheet.text(x0 - 6, top + i * line_height + 13, "tiny muted end", std::to_string(i * line_bytes));
    for (int c = 0; c < 8; ++c)
      sheet.rect(x0 + c * line_width / 8, top + i * line_height, line_width / 8, line_height, "cell none");
  }
  const double w = line_width * s.width() / line_bytes;
  for (int lane = 0; lane < s.lanes(); ++lane) {
    const int byte = s.byte_of(lane);
    const double x = x0 + byte % line_bytes / s.width() * w, y = top + byte / line_bytes * line_height;
    sheet.cell(x, y, w, line_height, "cell g" + std::to_string(lane / s.lanes_of_pass()), std::to_string(lane),
               "tiny mid", say("lane ", lane, ", pass ", lane / s.lanes_of_pass(), ": byte ", byte));
  }
  sheet.rect(x0, top, line_width, s.lines() * line_height, "frame");
  sheet.text(x0, top + s.lines() * line_height + 20, s.conflicts() > 1 ? "accent strong" : "", s.verdict());
}

/// What the planner chose from.
std::string choice_text(warp_stores s) {
  const std::string begin = " The worst conflict of panels whose rows are one span wide: ";
  std::string text = begin;
  for (const swizzle_mode mode : {swizzle_mode::b128, swizzle_mode::b64, swizzle_mode::b32, swizzle_mode::none}) {
    const int units = span_bytes(mode) * 8 / s.unit_bits;
    if (units < (s.transposed ? s.rows() : 8 * s.elements)) continue;
    if (s.transposed && units > 64 / s.elements) continue;  // beyond a block of the fragment's rows
    if (!s.transposed) s.along = units;
    if (s.unit_bits == 32 && !s.transposed) s.crossing = crossing_of(mode);
    text += say(text == begin ? "" : ", ", swizzle_text(mode), " ", panel_conflicts(mode, span_bytes(mode), s));
  }
  return text + " (1 is none).";
}

std::string lanes_text(const warp_store& s) {
  if (s.bits() == 16)
    return say(s.stores.transposed ? "stmatrix.trans, " : "stmatrix, ", s.lanes() / 8,
               s.lanes() == 8 ? " matrix" : " matrices", " of 8 rows of 16 bytes");
  return s.stores.transposed ? "4 bytes from each lane, one column of its row"
                             : "8 bytes from each lane, two neighbouring columns";
}

figure draw_stores(swizzle_mode mode, int row_bytes, const warp_stores& stores, int rows, int element_bits,
                   const std::string& name) {
  const warp_store with{mode, row_bytes, stores, rows, element_bits},
      without{mode, row_bytes, stores, rows, element_bits, false};
  picture_sheet sheet;
  const bool plain = mode == swizzle_mode::none;
  draw_store(sheet, with, plain ? "Without a swizzle" : "With the " + swizzle_text(mode), 0);
  if (!plain) draw_store(sheet, without, "The same rows without it", line_width + 58);
  const int passes = with.lanes() / with.lanes_of_pass();
  const std::string note =
      say("The first store of warp 0 into a panel of ", rows, " x ", with.cols(), " of ", name, ": ", lanes_text(with),
          ". The numbers are lanes, the colours passes of ", with.lanes_of_pass(), " lanes: ", passes,
          " in all, if nobody meets. Lines are ", line_bytes, " bytes, once across the ", shared_banks, " banks.");
  const std::string choice = choice_text(stores);
  sheet.paragraph(0, 46 + with.lines() * line_height + 46, plain ? 340 : 690, "small", note + choice);
  const std::string title = say("Banks of the epilogue's stores of ", name);
  const std::string alt = say(title, ". ", plain ? "Without a swizzle" : swizzle_text(mode), ": ", with.verdict(),
                              plain ? "" : ". Without it: " + without.verdict(), ". ", note, choice);
  return {sheet.finish(title, alt), title, alt};
}

}  // namespace

figure draw_store_banks(swizzle_mode mode, int element_bits, const std::string& name) {
  if (element_bits != 8 && element_bits != 16 && element_bits != 32)
    throw layout_error("epilogue: outputs of ", element_bits, " bits; outputs have 8, 16 or 32");
  const int unit = unit_bits(element_bits), elements = elements_of_unit(element_bits);
  return draw_stores(mode, span_bytes(mode),
                     {unit, false, span_bytes(mode) * 8 / unit, elements, unit == 32 ? crossing_of(mode) : 0}, 64,
                     element_bits, name);
}

figure draw_epilogue_banks(const plan& p) {
  const epilogue_plan& e = p.epilogue[find_epilogue(p, p.work)];
  const operand_facts& out = p.operand[p.work].facts;
  return draw_stores(e.swizzle, e.row_bytes, stores_of(e, out.type.bits), e.panel_rows, out.type.bits, out.name);
}

}  // namespace sectile::tell
