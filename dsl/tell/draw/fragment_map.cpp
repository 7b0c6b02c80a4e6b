// Register fragments as maps: the rows of warp 0 in cells, a cell for the neighbours that one thread holds. The other
// warps hold the rows after that in the same way.
#include <algorithm>
#include <functional>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <sectile/dsl/tell/draw/fragment_figures.hpp>
#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/metadata.hpp>
#include <sectile/layouts/picture_sheet.hpp>

namespace sectile::tell {
namespace {

constexpr int rows_of_warp = 16;
constexpr double row_height = 19, left_margin = 62, top_margin = 36;

/// A fragment of 64 x columns: where each element is, and how it is spoken of.
struct fragment_map {
  int columns = 0, drawn_columns = 0, parts = 1;
  std::string letter;  // of its registers: d or a
  char mode = 'n';     // of its columns
  std::function<register_slot(int row, int col)> slot{};
  bool bits_of_word = false;  // the parts are bits of one word, four each, and have no registers' names
};

/// Narrow cells for names of registers, wide ones for bits of a word.
double cell_width_of(const fragment_map& f) { return f.bits_of_word ? 124 : 64; }

/// Neighbours of a row that lie one behind the other in one thread.
struct holding {
  register_slot first{}, last{};
  int column = 0, columns = 1;
};

std::vector<holding> holdings(const fragment_map& f, int row) {
  std::vector<holding> all;
  for (int c = 0; c < f.drawn_columns; ++c) {
    const register_slot s = f.slot(row, c);
    const auto place = [&](const register_slot& x) { return x.reg * f.parts + x.part; };
    if (!all.empty() && s.thread == all.back().last.thread && place(s) == place(all.back().last) + 1) {
      all.back().last = s;
      ++all.back().columns;
    } else {
      all.push_back({s, s, c});
    }
  }
  return all;
}

std::string registers_of(const fragment_map& f, const holding& h) {
  if (f.bits_of_word) return say("bits ", 4 * h.first.part, "..", 4 * h.last.part + 3);
  const std::string first = say(f.letter, h.first.reg);
  return h.first.reg == h.last.reg ? first : say(first, " ", f.letter, h.last.reg);
}

std::string columns_of(const fragment_map& f, const holding& h) {
  const std::string mode = f.bits_of_word ? "groups " : std::string(1, f.mode);
  return h.columns == 1 ? say(mode, h.column) : say(mode, h.column, " .. ", h.column + h.columns - 1);
}

void draw_row(picture_sheet& sheet, const fragment_map& f, int row, double y) {
  const double cell_width = cell_width_of(f);
  sheet.text(left_margin - 6, y + 13.5, "small muted end", say("m", row));
  const std::vector<holding> cells = holdings(f, row);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const holding& h = cells[i];
    const double x = left_margin + static_cast<double>(i) * cell_width;
    const int colour =
        f.bits_of_word ? h.first.thread % 4 : h.first.reg / (h.last.reg - h.first.reg + 1) % picture_colours;
    const std::string held = registers_of(f, h);
    sheet.cell(x, y, cell_width, row_height, "cell g" + std::to_string(colour), say("T", h.first.thread, " ", held),
               "tiny mid", say("m", row, " ", columns_of(f, h), ": thread ", h.first.thread, ", ", held));
    if (h.first.thread == 0) sheet.rect(x + 1.5, y + 1.5, cell_width - 3, row_height - 3, "mark");
  }
}

/// Rows 16 w .. 16 w + 15, which warp w holds as warp 0 holds its own.
double draw_other_warps(picture_sheet& sheet, double y, double width) {
  for (int w = 1; w < wgmma_rows / rows_of_warp; ++w) {
    sheet.cell(left_margin, y, width, 18, "cell soft",
               say("m", w * rows_of_warp, " .. ", (w + 1) * rows_of_warp - 1, ": warp ", w, ", threads ",
                   w * warp_lanes, " .. ", (w + 1) * warp_lanes - 1, ", in the same order"),
               "small mid");
    y += 18;
  }
  return y;
}

/// Whether every warp holds its 16 rows as warp 0 does, which is what the picture says.
bool warps_are_alike(const fragment_map& f) {
  for (int row = rows_of_warp; row < wgmma_rows; ++row)
    for (int c = 0; c < f.columns; ++c) {
      register_slot s = f.slot(row % rows_of_warp, c);
      s.thread += row / rows_of_warp * warp_lanes;
      if (f.slot(row, c) != s) return false;
    }
  return true;
}

figure drawn(const fragment_map& f, const std::string& title, const std::string& note) {
  if (!warps_are_alike(f)) throw layout_error("fragment: the warps hold their rows in different ways");
  picture_sheet sheet;
  const double cell_width = cell_width_of(f);
  const std::vector<holding> head = holdings(f, 0);
  for (std::size_t i = 0; i < head.size(); ++i)
    sheet.text(left_margin + (static_cast<double>(i) + 0.5) * cell_width, top_margin - 6, "small muted mid",
               columns_of(f, head[i]));
  const double width = static_cast<double>(head.size()) * cell_width;
  for (int row = 0; row < rows_of_warp; ++row) draw_row(sheet, f, row, top_margin + row * row_height);
  double y = top_margin + rows_of_warp * row_height;
  sheet.rect(left_margin, top_margin, width, rows_of_warp * row_height, "frame");
  sheet.text(left_margin - 6, top_margin - 6, "small strong end", "warp 0");
  if (f.drawn_columns < f.columns) {
    sheet.hatch(left_margin + width, top_margin, 22, rows_of_warp * row_height);
    sheet.text(left_margin + width + 28, top_margin + 12, "small muted",
               say(f.mode == 'n' ? "n" : "k", f.drawn_columns, " .. ", f.columns - 1));
    sheet.text(left_margin + width + 28, top_margin + 25, "small muted", "not drawn");
  }
  y = draw_other_warps(sheet, y + 4, std::max(width, 290.0));
  sheet.paragraph(0, y + 20, std::max(left_margin + width, 460.0), "small", note);
  const std::string alt = title + ". " + note;
  return {sheet.finish(title, alt), title, alt};
}

}  // namespace

figure draw_accumulator(int n, int element_bits) {
  if (n < 8 || n > 256 || n % 8 != 0) throw layout_error("accumulator: n = ", n, " is not one of 8, 16, 24 .. 256");
  if (element_bits != 32 && element_bits != 16)
    throw layout_error("accumulator: elements of ", element_bits, " bits; wgmma sums in 32 bits, or in f16");
  const bool wide = element_bits == 32;
  fragment_map f{.columns = n, .drawn_columns = std::min(n, 16), .parts = wide ? 1 : 2, .letter = "d"};
  f.slot = [wide](int row, int col) { return wide ? d_slot(row, col) : d16_slot(row, col); };
  const int registers = accumulator_registers(n, element_bits);
  std::string note = say("T is the thread of the warpgroup, d its register: ", registers, " in each thread. ",
                         wide ? "" : "A register holds two neighbours, the left one in its low half. ",
                         "Colours are registers; the cells of thread 0 are outlined. A thread has two rows, 8 apart.");
  if (f.drawn_columns < n)
    note +=
        say(" Columns ", f.drawn_columns, " to ", n - 1, " are not drawn: every 8 columns are the same threads again, ",
            d_slot(0, 8).reg * element_bits / 32, " registers on, up to d", registers - 1, ".");
  return drawn(f, say("Accumulator of 64 x ", n, ", ", wide ? "32-bit" : "f16", ": threads and registers"), note);
}

figure draw_register_operand(int element_bits, const std::string& name) {
  if (element_bits != 1 && element_bits != 4 && element_bits != 8 && element_bits != 16 && element_bits != 32)
    throw layout_error("operand A: elements of ", element_bits, " bits; use 1, 4, 8, 16 or 32");
  const int columns = a_columns(element_bits), parts = a_parts(element_bits);
  fragment_map f{.columns = columns, .drawn_columns = columns, .parts = parts, .letter = "a", .mode = 'k'};
  f.slot = [element_bits](int row, int col) { return a_slot(element_bits, row, col); };
  const std::string note =
      say("One step along K: 64 x ", columns, " elements, four registers a0 .. a3 in each thread",
          parts > 1 ? say(", ", parts, " neighbours in a register, the first in its lowest bits") : std::string(),
          ". T is the thread of the warpgroup. Colours are registers; the cells of thread 0 are outlined.");
  return drawn(f, say(name, " in registers, ", element_bits, "-bit elements: threads and registers"), note);
}

figure draw_metadata(int element_bits, const std::string& name) {
  if (element_bits != 8 && element_bits != 16 && element_bits != 32)
    throw layout_error("metadata: there is no sparse operand of ", element_bits,
                       "-bit elements; they have 8, 16 or 32");
  fragment_map f{.columns = metadata_groups, .drawn_columns = metadata_groups, .parts = 8, .letter = "m", .mode = 'g'};
  f.bits_of_word = true;
  f.slot = [element_bits](int row, int col) {
    const metadata_slot s = metadata_slot_of(element_bits, row, col);
    return register_slot{s.thread, 0, s.bit / 4};
  };
  const int selectors = metadata_selectors(element_bits);
  std::string note = say("A block of metadata: a word of 32 bits for each of ", metadata_words, " threads, for ",
                         wgmma_rows, " rows of ", metadata_k(element_bits),
                         " columns. T is the thread whose word says "
                         "which ",
                         sparse_kept(element_bits), " of the ", sparse_group(element_bits),
                         " elements of a group are stored, four bits a group. ");
  note += selectors == 1 ? say("One instruction reads the words of all threads. ")
                         : say("The step along K with selector 0 reads groups 0 .. ",
                               instruction_groups(element_bits) - 1, ", the one with selector 1 the others. ");
  return drawn(f, say("Metadata of ", name, ", ", element_bits, "-bit elements: threads and bits"),
               note + "Colours are the lanes of four neighbours; the cells of thread 0 are outlined.");
}

}  // namespace sectile::tell
