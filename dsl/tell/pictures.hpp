// An operand's tile in shared memory as a layout, and as a picture.
#pragma once
#include <string>
#include <vector>

#include <sectile/dsl/launch/words.hpp>
#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/operand_tile_layout.hpp>
#include <sectile/layouts/picture.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>

namespace sectile::tell {

/// Where the elements of a tile lie: (mn, k) -> offset in elements from the tile's first byte, swizzle included.
inline swizzled_layout layout_of(const operand_tile& t) { return tile_layout(t); }

/// A drawing of one operand: what it is called, and its tables.
struct operand_picture {
  std::string operand;
  std::string title;
  std::vector<picture_table> tables;
};

/// The tile of input `o` in pieces of 16 bytes, which is what a swizzle moves: where each piece goes, and what lies in
/// each line of 128 bytes, which is once across the 32 banks. Pieces of one column of the tile have one colour.
inline operand_picture picture_of(const plan& p, int o) {
  const operand_facts& f = p.operand[o].facts;
  const operand_tile t = use_of(p, o).tile;
  const swizzled_layout elements = layout_of(t);
  const std::int64_t piece = core_matrix_row_elements(t.element_bits);
  const swizzled_layout pieces = recast(elements, t.element_bits, 128);

  picture_options options{.max_rows = 16, .max_columns = 16, .memory_row = 8};
  const int width = static_cast<int>(panel_width(t) / piece);
  options.group = [k_major = t.major == major::k, width](const picture_element& e) {
    const std::int64_t along = k_major ? e.column : e.row;
    return width == 1 ? along : along % width;  // without a swizzle a panel is a column of core matrices
  };
  operand_picture picture{
      f.name,
      say(f.name, ": ", matrix_text(f), " ", f.type.name, ", ", major_text(t.major), ", ", swizzle_text(t.swizzle)),
      picture_tables(pieces, options)};
  const std::string mn = use_of(p, o).is_a ? "M" : "N", each = say(", ", piece, " elements each");
  const std::string rows = t.major == major::k ? mn : mn + each, columns = t.major == major::k ? "K" + each : "K";
  picture.tables[0].caption = say("Where each piece of 16 bytes goes (rows: ", rows, "; columns: ", columns, ")");
  picture.tables[1].caption = "Shared memory in lines of 128 bytes, 8 pieces each: the row and column that lie there";
  return picture;
}

/// One for each input.
inline std::vector<operand_picture> pictures_of(const plan& p) {
  std::vector<operand_picture> pictures;
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.kind == operand_kind::input && use_of(p, o).is_input())
      pictures.push_back(picture_of(p, o));
  return pictures;
}

/// A self-contained SVG document of these pictures, one below the other.
inline std::string to_svg(const std::vector<operand_picture>& pictures, const std::string& title) {
  svg_canvas canvas;
  std::string description;
  for (const operand_picture& picture : pictures) {
    description += (description.empty() ? "" : " ") + picture.title + ".";
    for (std::size_t i = 0; i < picture.tables.size(); ++i) {
      picture_table table = picture.tables[i];
      table.caption = (i == 0 ? picture.title : picture.operand) + ". " + table.caption;
      canvas.draw(table);
    }
  }
  return canvas.finish(title, description);
}

}  // namespace sectile::tell
