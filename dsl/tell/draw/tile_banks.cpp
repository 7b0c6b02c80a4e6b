// Which banks the eight rows of a core matrix take: a column of the picture is 16 bytes wide, four banks, and what
// stands in one column is served one after the other.
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/draw/tile_figures.hpp>
#include <sectile/layouts/picture_sheet.hpp>

namespace sectile::tell {
namespace {

constexpr int bank_columns = shared_banks * bank_bytes / core_matrix_row_bytes;
constexpr double bank_width = 38, bank_row_height = 20, panel_pitch = 356;

/// A placement with its name.
struct placement : tile_placement {
  std::string name;

  std::string verdict() const {
    const int n = worst();
    return n == 1 ? "no two rows meet: one pass" : say("up to ", n, " rows meet in a bank: ", n, " passes");
  }
};

void draw_placement(picture_sheet& sheet, const tile_subject& s, const placement& p, double left) {
  constexpr double top = 52;
  sheet.text(left + 34, 12, "strong", p.name);
  for (int c = 0; c < bank_columns; ++c)
    sheet.text(left + 34 + (c + 0.5) * bank_width, 44, "tiny muted mid", say(4 * c, "..", 4 * c + 3));
  sheet.text(left + 34, 31, "small muted", "banks");
  int met[bank_columns]{};
  for (int row = 0; row < core_matrix_rows; ++row) {
    const unsigned byte = p.byte_of({}, row);
    const int column = static_cast<int>(byte) / core_matrix_row_bytes % bank_columns;
    const double y = top + row * bank_row_height;
    ++met[column];
    sheet.text(left + 28, y + 14, "small muted end", say(s.tile.major == major::k ? std::string(1, s.rows) : "k", row));
    for (int c = 0; c < bank_columns; ++c)
      if (c != column) sheet.rect(left + 34 + c * bank_width, y, bank_width, bank_row_height, "cell none");
    sheet.cell(left + 34 + column * bank_width, y, bank_width, bank_row_height, "cell g" + std::to_string(row),
               std::to_string(byte), "small mid",
               say("row ", row, ": byte ", byte, ", banks ", 4 * column, " to ", 4 * column + 3));
  }
  sheet.rect(left + 34, top, bank_columns * bank_width, core_matrix_rows * bank_row_height, "frame");
  const double y = top + core_matrix_rows * bank_row_height + 16;
  sheet.text(left + 28, y, "small muted end", "rows");
  for (int c = 0; c < bank_columns; ++c)
    sheet.text(left + 34 + (c + 0.5) * bank_width, y, met[c] > 1 ? "strong accent mid" : "small mid",
               std::to_string(met[c]));
  sheet.text(left + 34, y + 22, "", p.verdict());
}

}  // namespace

figure draw_banks(const tile_subject& s) {
  const operand_tile& t = s.tile;
  const bool swizzled = t.swizzle != swizzle_mode::none;
  const placement here{{t, true}, swizzled ? "With the " + swizzle_text(t.swizzle) : "In core matrices of 128 bytes"};
  const placement plain{
      {t, false},
      swizzled ? "The same rows without it" : say("In rows of ", contiguous_extent(t) * t.element_bits / 8, " bytes")};
  picture_sheet sheet;
  draw_placement(sheet, s, here, 0);
  draw_placement(sheet, s, plain, panel_pitch);
  const std::string note =
      say("A core matrix, 8 rows of 16 bytes, is read at once. Each cell is 16 bytes, four of the ", shared_banks,
          " banks; the number is the byte where the row lies, "
          "counted from the tile's first. The verdicts are the worst of all core matrices of the tile.");
  sheet.paragraph(0, 276, 680, "small", note);
  const std::string title = say("Banks of a core matrix of ", title_of(s));
  const std::string alt =
      say(title, ". ", here.name, ": ", here.verdict(), ". ", plain.name, ": ", plain.verdict(), ". ", note);
  return {sheet.finish(title, alt), title, alt};
}

}  // namespace sectile::tell
