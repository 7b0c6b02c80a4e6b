// The TMA boxes of a tile: as they are cut out of global memory, and as they lie behind one another in shared memory.
#include <algorithm>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/draw/tile_figures.hpp>
#include <sectile/layouts/picture_sheet.hpp>
#include <sectile/layouts/rule_text.hpp>

namespace sectile::tell {
namespace {

/// One box of the tile: what part of it, as the tile is stored (rows across the contiguous direction), and where to.
struct placed_box {
  int row = 0, rows = 0, along = 0, columns = 0;  // elements
  int offset = 0;                                 // bytes from the tile's first in shared memory
  int slice = 0;
};

std::vector<placed_box> placed(const tile_subject& s, const tile_boxes& b) {
  std::vector<placed_box> all;
  const operand_tile& t = s.tile;
  const int slice_rows = panel_rows(t) / b.slices, rows = slice_rows / b.per_panel;
  for (int panel = 0; panel < panels(t); ++panel)
    for (int slice = 0; slice < b.slices; ++slice)
      for (int i = 0; i < b.per_panel; ++i) {
        const int row = slice * slice_rows + i * rows;
        all.push_back({row, rows, panel * panel_width(t), panel_width(t),
                       box_offset(panel_rows(t), t.swizzle, panel, row), slice});
      }
  return all;
}

constexpr double tile_left = 62, tile_top = 46, tile_width = 210, memory_left = 376, memory_width = 140;

/// One drawing, while it is made.
struct box_drawing {
  const tile_subject& s;
  const tile_boxes& b;
  const std::vector<placed_box> all = placed(s, b);
  picture_sheet sheet{};
  double scale_x = 0, scale_y = 0;  // pixels per element of the tile

  const operand_tile& tile() const { return s.tile; }
  bool k_major() const { return tile().major == major::k; }
  std::string along() const { return k_major() ? "K" : s.rows == 'm' ? "M" : "N"; }
  std::string across() const { return !k_major() ? "K" : s.rows == 'm' ? "M" : "N"; }
  std::string colour(const placed_box& x, std::size_t i) const {
    return "cell g" + std::to_string((b.slices > 1 ? static_cast<std::size_t>(x.slice) : i) % picture_colours);
  }

  void draw_tile() {
    const double w = tile_width, h = 250;
    scale_x = w / contiguous_extent(tile());
    scale_y = h / panel_rows(tile());
    sheet.text(tile_left, 12, "strong", "The tile in global memory");
    sheet.text(tile_left + w / 2, tile_top - 8, "small muted mid",
               say(contiguous_extent(tile()), " along ", along(), ", contiguous"));
    sheet.text(tile_left - 6, tile_top + h / 2 - 2, "small muted end", say(panel_rows(tile())));
    sheet.text(tile_left - 6, tile_top + h / 2 + 10, "small muted end", say("along ", across()));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const placed_box& x = all[i];
      const double left = tile_left + x.along * scale_x, top = tile_top + x.row * scale_y;
      const double width = x.columns * scale_x, height = x.rows * scale_y;
      sheet.rect(left, top, width, height, colour(x, i), text_of(i));
      if (width >= 54 && height >= 30) {
        sheet.text(left + width / 2, top + height / 2 - 2, "small strong mid", say("box ", i));
        sheet.text(left + width / 2, top + height / 2 + 11, "small mid", say(x.columns, " x ", x.rows));
      } else if (width >= 14 && height >= 12) {
        sheet.text(left + width / 2, top + height / 2 + 4, "small strong mid", std::to_string(i));
      }
    }
    sheet.rect(tile_left, tile_top, w, h, "frame");
  }

  std::string text_of(std::size_t i) const {
    return say("box ", i, b.slices > 1 ? say(", fetched by CTA ", all[i].slice) : std::string(), ": to byte ",
               all[i].offset);
  }

  /// Where the boxes land: in order of their bytes, as high as they are long.
  void draw_memory() {
    const double h = 250, scale = h / sectile::bytes(tile());
    sheet.text(memory_left, 12, "strong", "In shared memory");
    sheet.text(memory_left, 27, "small muted",
               s.base > 0 ? say("bytes from ", s.base, " on, stage 0") : std::string("bytes"));
    double last = -100;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double top = tile_top + all[i].offset * scale, height = bytes(b.box) * scale;
      sheet.rect(memory_left, top, memory_width, height, colour(all[i], i), text_of(i));
      if (height >= 12)
        sheet.text(memory_left + memory_width / 2, top + height / 2 + 4, "small mid",
                   say("box ", i, b.slices > 1 ? say(" of CTA ", all[i].slice) : std::string()));
      if (top + 8 >= last + 12) {
        last = top + 8;
        sheet.text(memory_left - 6, last - 4, "small muted end", std::to_string(all[i].offset));
      }
      const double from_y = tile_top + (all[i].row + all[i].rows / 2.0) * scale_y;
      if (all.size() <= 2)
        sheet.arrow(tile_left + tile_width + 4, from_y, memory_left - 46, top + height / 2, "rule", "muted");
    }
    sheet.rect(memory_left, tile_top, memory_width, h, "frame");
    sheet.text(memory_left - 6, tile_top + h + 4, "small muted end", std::to_string(sectile::bytes(tile())));
    if (all.size() > 2)
      sheet.arrow(tile_left + tile_width + 8, tile_top + h / 2, memory_left - 50, tile_top + h / 2, "rule", "muted");
  }

  /// The first rows of a box in units of 16 bytes: as they are in the box, and as they are written.
  double draw_rows(double y) {
    const int units = span_bytes(tile().swizzle) / core_matrix_row_bytes;
    const int rows = std::min(8, b.box.extent[1]);
    constexpr double w = 26, h = 17;
    sheet.text(0, y, "strong",
               say("A box's first ", rows, " rows of ", row_bytes(b.box), " bytes, in units of 16 bytes"));
    const double left = tile_left, right = left + 8 * w + 70;
    sheet.text(left, y + 17, "small muted", "as they are read");
    sheet.text(right, y + 17, "small muted", "as they are written, at these bytes");
    const int unit = core_matrix_row_bytes * 8 / b.box.element_bits;
    for (int r = 0; r < rows; ++r) {
      const double top = y + 24 + r * h;
      sheet.text(left - 6, top + 12, "tiny muted end", say("row ", r));
      for (int u = 0; u < units; ++u) {
        sheet.cell(left + u * w, top, w, h, "cell g" + std::to_string(u), std::to_string(u), "tiny mid");
        int at[5]{u * unit, r};
        const int byte = smem_offset(b.box, at);
        const int place = byte % (units * core_matrix_row_bytes) / core_matrix_row_bytes;
        sheet.cell(right + place * w, top, w, h, "cell g" + std::to_string(u), std::to_string(u), "tiny mid",
                   say("row ", r, ", unit ", u, ": byte ", byte));
      }
      sheet.text(right - 6, top + 12, "tiny muted end", std::to_string(r * row_bytes(b.box)));
    }
    return y + 24 + rows * h;
  }

  /// A box that hangs over the matrix's edge.
  void draw_edge() {
    constexpr double w = 110, h = 84, x = memory_left + memory_width + 26, y = tile_top;
    sheet.text(x, 12, "strong", "At the matrix's edge");
    sheet.rect(x, y, w * 0.6, h * 0.62, "cell g0");
    sheet.hatch(x + w * 0.6, y, w * 0.4, h);
    sheet.hatch(x, y + h * 0.62, w * 0.6, h * 0.38);
    sheet.rect(x, y, w, h, "rule dashed");
    sheet.text(x + w * 0.3, y + h * 0.31 + 4, "small mid", "matrix");
    sheet.paragraph(x, y + h + 18, 120, "small", "What lies outside (hatched) arrives as zeros, and its bytes count.");
  }

  std::string words() const {
    std::string text = say(count(static_cast<int>(all.size()), "box"), " of ", b.box.extent[0], " x ", b.box.extent[1],
                           all.size() == 1 ? ", " : ", each ", bytes(b.box), " bytes");
    if (b.box.element_bits != tile().element_bits)
      text += say(" (counted in elements of ", b.box.element_bits, " bits)");
    text += say(", make the tile of ", sectile::bytes(tile()), " bytes. ");
    if (b.slices > 1)
      text += say(
          "Each of the ", b.slices,
          " CTAs that share the tile fetches one part and multicasts it to all of them, to the same place in each. ");
    if (!b.metadata.empty()) text += b.metadata + " ";
    text += say("The full barrier waits for ", b.transaction_bytes, " bytes, ");
    return text + (b.transaction_bytes > sectile::bytes(tile()) ? "all that lands in the stage."
                                                                : "whatever part of the tile lies in the matrix.");
  }
};

}  // namespace

tile_boxes boxes_of(const plan& p, int operand) {
  const operand_plan& op = p.operand[operand];
  const metadata_plan& m = op.metadata;
  std::string metadata;
  if (m.bytes > 0)
    metadata = say("The metadata comes in ", count(m.k_blocks, "box"), " of ", m.box.extent[0], " x ", m.box.extent[1],
                   " words, ", m.bytes / op.slices, " bytes in all.");
  return {op.box, op.slices, op.boxes_per_panel, p.ring[op.ring].transaction_bytes, metadata};
}

tile_boxes boxes_of(const tile_subject& s, int slices) {
  const int rows = panel_rows(s.tile);
  constexpr int least_bytes = destination_alignment(swizzle_mode::none);
  if (slices < 1 || rows % slices != 0 || rows / slices * span_bytes(s.tile.swizzle) % least_bytes != 0)
    throw layout_error("a tile of ", rows, " rows cannot be cut into ", slices, " slices that begin at multiples of ",
                       least_bytes, " bytes");
  operand_tile slice = s.tile;  // of the rows of one CTA
  (s.tile.major == major::k ? slice.mn : slice.k) = rows / slices;
  return {box_of(slice), slices, boxes_per_panel(slice), bytes(s.tile), ""};
}

figure draw_box(const tile_subject& s, const tile_boxes& b) {
  if (const box_violation v = check(b.box); !v.ok()) throw layout_error("there is no such box: ", v);
  box_drawing d{s, b};
  d.draw_tile();
  d.draw_memory();
  double y = tile_top + 250 + 36;
  d.draw_edge();
  y = d.draw_rows(y);
  d.sheet.paragraph(0, y + 22, 640, "small", d.words());
  const std::string title = say("TMA boxes of ", title_of(s));
  return {d.sheet.finish(title, title + ". " + d.words()), title, title + ". " + d.words()};
}

}  // namespace sectile::tell
