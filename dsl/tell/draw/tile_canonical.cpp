// A tile as the matrix it is: rows of M or N, columns of K, cut into core matrices, each with the byte where its first
// element lies before the swizzle. LBO and SBO are steps in this picture.
#include <algorithm>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/draw/tile_figures.hpp>
#include <sectile/layouts/descriptor_fields.hpp>
#include <sectile/layouts/descriptor_layout.hpp>
#include <sectile/layouts/picture_sheet.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>
#include <sectile/layouts/text.hpp>

namespace sectile::tell {
namespace {

constexpr double core_width = 66, core_height = 34, core_left = 76, core_top = 54;
constexpr int most_rows = 9, most_columns = 9;

/// The part of a tile that one canonical layout covers: a K-major one with a swizzle ends with the span.
struct canonical_part {
  operand_tile t;
  matrix_descriptor d = descriptor_at(t, 0, 0);
  int unit = core_matrix_row_elements(t.element_bits);
  bool k_major = t.major == major::k;
  bool swizzled = t.swizzle != swizzle_mode::none;
  int k = k_major && swizzled ? std::min(t.k, panel_width(t)) : t.k;
  int tall = k_major ? core_matrix_rows : unit;  // of a core matrix, elements of M or N
  int wide = k_major ? unit : core_matrix_rows;
  layout l = canonical_layout(d, t.major, t.element_bits, t.mn, k);

  std::int64_t byte_of(int mn, int at_k) const { return l(mn, at_k) * t.element_bits / 8; }
  int rows() const { return t.mn / tall; }
  int columns() const { return k / wide; }
};

struct canonical_drawing {
  const tile_subject& s;
  canonical_part part{s.tile};
  picture_sheet sheet{};

  int rows() const { return std::min(part.rows(), most_rows); }
  int columns() const { return std::min(part.columns(), most_columns); }
  double x_of(int column) const { return core_left + column * core_width; }
  double y_of(int row) const { return core_top + row * core_height; }

  void draw_cells() {
    for (int c = 0; c < columns(); ++c)
      sheet.text(x_of(c) + core_width / 2, core_top - 6, part.wide > 32 ? "tiny muted mid" : "small muted mid",
                 say("k", c * part.wide, "..", (c + 1) * part.wide - 1));
    for (int r = 0; r < rows(); ++r) {
      const std::string first(1, s.rows);
      sheet.text(core_left - 6, y_of(r) + 21, "small muted end",
                 say(first, r * part.tall, " .. ", (r + 1) * part.tall - 1));
      for (int c = 0; c < columns(); ++c) {
        const int place = part.k_major ? c : r;
        sheet.cell(x_of(c), y_of(r), core_width, core_height, "cell g" + std::to_string(place % picture_colours),
                   std::to_string(part.byte_of(r * part.tall, c * part.wide)), "strong mid",
                   say(first, r * part.tall, " k", c * part.wide, ": byte ", part.byte_of(r * part.tall, c * part.wide),
                       " before the swizzle"));
      }
    }
    const double width = columns() * core_width, height = rows() * core_height;
    sheet.rect(core_left, core_top, width, height, "frame");
    if (columns() < part.columns()) sheet.hatch(core_left + width, core_top, 18, height);
    if (rows() < part.rows()) sheet.hatch(core_left, core_top + height, width, 18);
    sheet.text(core_left, 12, "strong",
               say("Bytes of the first elements of ", part.rows(), " x ", part.columns(), " core matrices, ", part.tall,
                   " x ", part.wide, " each"));
    if (folded()) sheet.text(core_left, 28, "small muted", say("drawn: ", rows(), " x ", columns(), " of them"));
  }

  bool folded() const { return rows() < part.rows() || columns() < part.columns(); }

  /// From the first core matrix to the one where LBO or SBO leads. Refuses to draw it if that lies at another byte.
  void draw_step(const char* name, unsigned bytes, const descriptor_step& step) {
    const double x = x_of(0) + 9, y = y_of(0) + 9;
    const int by = step.core_matrices;
    if (step.along_k ? by >= columns() : by >= rows()) return;
    const std::int64_t there = step.along_k ? part.byte_of(0, by * part.wide) : part.byte_of(by * part.tall, 0);
    if (there != bytes)
      throw layout_error(name, " leads ", bytes, " bytes on, but the core matrix there is ", there, " bytes on");
    if (step.along_k) {
      sheet.arrow(x, y, x_of(by) + 6, y, "mark bold", "accent");
      sheet.text(x_of(by) + 6, y + 1, "tiny strong accent", say(" ", name, " ", bytes));
    } else {
      sheet.arrow(x, y, x, y_of(by) + 6, "mark bold", "accent");
      sheet.text(x + 4, y_of(by) + 10, "tiny strong accent", say(name, " ", bytes));
    }
  }

  void draw_steps() {
    const operand_tile& t = s.tile;
    draw_step("SBO", part.d.stride_bytes, stride_step(t.major, t.swizzle));
    if (leading_counts(t.major, t.swizzle)) draw_step("LBO", part.d.leading_bytes, leading_step(t.major, t.swizzle));
  }

  std::string notation() const {
    const swizzled_layout all = with_swizzle(part.l, recast(byte_swizzle(s.tile.swizzle), 8, s.tile.element_bits));
    return part.swizzled ? to_string(all) : to_string(part.l);
  }

  std::string words() const {
    const operand_tile& t = s.tile;
    std::string text = say("SBO ", part.d.stride_bytes, ": ", stride_text(t.major, t.swizzle), ". LBO",
                           leading_counts(t.major, t.swizzle) ? say(" ", part.d.leading_bytes) : std::string(), ": ",
                           leading_text(t.major, t.swizzle), ". ");
    if (part.swizzled)
      text += say("The swizzle then exchanges pieces of 16 bytes. The rows of a core matrix are ",
                  span_bytes(t.swizzle), " bytes apart. ");
    else
      text += say("A core matrix is ", core_matrix_bytes, " bytes in a row. ");
    if (part.k < t.k)
      text += say("Columns ", part.k, " to ", t.k - 1, " begin with another span, ", panel_bytes(t),
                  " bytes on, and have descriptors of their own. ");
    return text + say("As a layout, from (", std::string(1, s.rows), ", k) to elements:");
  }
};

}  // namespace

figure draw_canonical(const tile_subject& s) {
  canonical_drawing d{s};
  d.draw_cells();
  d.draw_steps();
  double y = core_top + d.rows() * core_height + (d.rows() < d.part.rows() ? 18 : 0) + 24;
  y = d.sheet.paragraph(0, y, std::max(d.columns() * core_width + core_left, 420.0), "small", d.words());
  d.sheet.text(0, y + 2, "small mono strong", d.notation());
  const std::string title = say("Core matrices of ", title_of(s));
  const std::string alt = say(title, ". ", d.words(), " ", d.notation());
  return {d.sheet.finish(title, alt), title, alt};
}

}  // namespace sectile::tell
