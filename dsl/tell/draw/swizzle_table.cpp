// A swizzle as a table before and after: a row is the distance between its two fields, a cell the piece that it moves.
#include <algorithm>
#include <bit>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/draw/fragment_figures.hpp>
#include <sectile/layouts/picture_sheet.hpp>
#include <sectile/layouts/text.hpp>

namespace sectile::tell {
namespace {

constexpr double cell_side = 32, table_row = 20;
constexpr int most = 16;

/// Offsets 0 .. period() - 1 in rows.
struct swizzle_table {
  swizzle s;
  std::int64_t piece = std::int64_t{1} << s.base;                  // offsets that stay together
  std::int64_t row = piece << (s.shift < 0 ? -s.shift : s.shift);  // offsets of a row
  int columns() const { return static_cast<int>(row / piece); }
  int rows() const { return 1 << s.bits; }
};

/// Cell (r, c) shows the piece that lies there: with the swizzle, or as it would be without.
void draw_table(picture_sheet& sheet, const swizzle_table& t, double x, double y, bool swizzled) {
  for (int c = 0; c < t.columns(); ++c)
    sheet.text(x + (c + 0.5) * cell_side, y - 5, "tiny muted mid", say("+", c * t.piece));
  for (int r = 0; r < t.rows(); ++r) {
    sheet.text(x - 6, y + r * table_row + 14, "tiny muted end", std::to_string(r * t.row));
    for (int c = 0; c < t.columns(); ++c) {
      const std::int64_t there = r * t.row + c * t.piece;
      const std::int64_t from = swizzled ? t.s(there) : there;  // a swizzle is its own inverse
      const std::int64_t number = from / t.piece;
      sheet.cell(x + c * cell_side, y + r * table_row, cell_side, table_row,
                 "cell g" + std::to_string(from % t.row / t.piece % picture_colours), std::to_string(number),
                 "small mid", say("at ", there, ": what would be at ", from));
    }
  }
  sheet.rect(x, y, t.columns() * cell_side, t.rows() * table_row, "frame");
}

/// The lowest bit of a field.
int first_bit(std::int64_t mask) { return std::countr_zero(static_cast<std::uint64_t>(mask)); }

/// The offset's bits, with the field that is read and the field that it is XORed into.
void draw_bits(picture_sheet& sheet, const swizzle& s, double x, double y) {
  constexpr double w = 26;
  const int count = s.bits + s.base + (s.shift < 0 ? -s.shift : s.shift);
  const auto x_of = [&](int bit) { return x + (count - 1 - bit) * w; };
  for (int bit = count - 1; bit >= 0; --bit) {
    const bool read = s.source_mask() >> bit & 1, changed = s.target_mask() >> bit & 1;
    sheet.cell(x_of(bit), y, w, 22,
               read      ? "cell g0"
               : changed ? "cell g1"
                         : "cell soft",
               std::to_string(bit), "small mid");
  }
  for (int i = 0; i < s.bits; ++i) {
    const int from = first_bit(s.source_mask()) + i, to = first_bit(s.target_mask()) + i;
    const double deep = y + 32 + 6 * i, a = x_of(from) + w / 2, b = x_of(to) + w / 2;
    sheet.line(a, y + 22, a, deep, "mark");
    sheet.line(a, deep, b, deep, "mark");
    sheet.arrow(b, deep, b, y + 23, "mark", "accent");
  }
  sheet.text(x_of(0) + w + 14, y + 15, "small", "bits of the offset");
}

/// "bit 7", "bits 7 to 9".
std::string bits_text(int first, int count) {
  return count == 1 ? say("bit ", first) : say("bits ", first, " to ", first + count - 1);
}

}  // namespace

figure draw_swizzle(const swizzle& asked) {
  const swizzle s = make_swizzle(asked.bits, asked.base, asked.shift);
  const swizzle_table t{s};
  if (t.columns() > most || t.rows() > most)
    throw layout_error("picture of ", s, " is refused: a table of ", t.rows(), " x ", t.columns(), " pieces; at most ",
                       most, " x ", most, " are drawn");
  picture_sheet sheet;
  const double margin = 44, width = t.columns() * cell_side, beside = margin + width + 60;
  sheet.text(margin, 12, "strong", "Without the swizzle");
  sheet.text(beside, 12, "strong", "With " + to_string(s));
  draw_table(sheet, t, margin, 40, false);
  draw_table(sheet, t, beside, 40, true);
  double y = 40 + t.rows() * table_row + 26;
  std::string note = say("A cell is a piece of ", count(t.piece, "offset"), ", which stays together. ");
  if (s.bits > 0) {
    draw_bits(sheet, s, margin, y);
    y += 40 + 6 * s.bits + 16;
    note += say("Of an offset, ", bits_text(first_bit(s.source_mask()), s.bits), s.bits == 1 ? " is" : " are",
                " XORed into ", bits_text(first_bit(s.target_mask()), s.bits), ". The pattern repeats every ",
                s.period(), " offsets.");
  } else {
    note += "Nothing moves.";
  }
  sheet.paragraph(0, y, std::max(beside + width, 380.0), "small", note);
  const std::string title = "The swizzle " + to_string(s);
  return {sheet.finish(title, title + ". " + note), title, title + ". " + note};
}

}  // namespace sectile::tell
