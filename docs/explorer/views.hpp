// The pictures of a subject, as tables of cells: its coordinates, shared memory, registers, and the matrix of a
// fragment. A table shows a window of rows and columns, so that a large layout costs no more than a small one.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "element_facts.hpp"
#include "json_text.hpp"

namespace sectile::explorer {

/// What a cell's colour stands for. There are eight colours.
enum class colouring : std::uint8_t { banks, line, core, thread, offset };

inline colouring colouring_of(std::string_view name) {
  if (name == "line") return colouring::line;
  if (name == "core") return colouring::core;
  if (name == "thread") return colouring::thread;
  return name == "offset" ? colouring::offset : colouring::banks;
}

/// The colour of an element, 0 to 7.
inline int group_of(const subject& s, std::int64_t index, colouring by) {
  const auto folded = [](std::int64_t x) { return static_cast<int>((x % 8 + 8) % 8); };
  const std::int64_t byte = s.byte(index);
  switch (by) {
    case colouring::line:
      return folded(byte / line_bytes);
    case colouring::core:
      if (s.tile) {
        const core_matrix_place core = core_matrix_at(*s.tile, s.place(index).row, s.place(index).col);
        return folded(core.mn + 3 * core.k);  // neighbours differ
      }
      return folded(byte / core_matrix_bytes);
    case colouring::thread:
      if (const auto held = register_of(s, index)) return folded(held->slot.thread);
      return 0;
    case colouring::offset:
      return folded(s.offset(index));
    default:
      return folded(byte % line_bytes / core_matrix_row_bytes);
  }
}

/// Which part of a table is asked for.
struct window {
  std::int64_t first_row = 0, first_column = 0;
  std::int64_t rows = 64, columns = 64;

  /// Moved and cut so that it lies within a table of so many rows and columns.
  window within(std::int64_t all_rows, std::int64_t all_columns) const {
    window w{first_row, first_column, std::min(rows, all_rows), std::min(columns, all_columns)};
    w.first_row = std::clamp<std::int64_t>(w.first_row, 0, all_rows - w.rows);
    w.first_column = std::clamp<std::int64_t>(w.first_column, 0, all_columns - w.columns);
    return w;
  }
};

/// A cell: the element in it (-1: none), what is written there, its colour.
struct cell {
  std::int64_t index = -1;
  std::string label;
  int group = 0;
};

/// "3,17", or the index of a layout with one mode.
inline std::string short_coordinate(const subject& s, std::int64_t index) {
  if (s.rows == 1 && rank(s.of) < 2) return joined(index);
  return joined(index % s.rows, ",", index / s.rows);
}

/// Writes a table whose cells `at(row, column)` gives and whose headers the other two.
template <class RowHead, class ColumnHead, class At>
std::string table_json(const std::string& title, const std::string& corner, std::int64_t all_rows,
                       std::int64_t all_columns, const window& asked, RowHead row_head, ColumnHead column_head, At at) {
  const window w = asked.within(all_rows, all_columns);
  json out;
  out.open('{').member("title", title).member("corner", corner).member("rows", all_rows).member("columns", all_columns);
  out.member("first_row", w.first_row).member("first_column", w.first_column);
  std::string note;
  const auto add = [&note](std::int64_t shown, std::int64_t all, const char* what) {
    if (shown < all) note += joined(note.empty() ? "Folded: " : ", ", shown, " of ", all, " ", what);
  };
  add(w.rows, all_rows, "rows");
  add(w.columns, all_columns, "columns");
  out.member("note", note.empty() ? note : note + " are drawn");
  out.key("row_heads").open('[');
  for (std::int64_t r = 0; r < w.rows; ++r) out.value(row_head(w.first_row + r));
  out.close(']').key("column_heads").open('[');
  for (std::int64_t c = 0; c < w.columns; ++c) out.value(column_head(w.first_column + c));
  out.close(']').key("cells").open('[');
  for (std::int64_t r = 0; r < w.rows; ++r) {
    for (std::int64_t c = 0; c < w.columns; ++c) {
      const cell drawn = at(w.first_row + r, w.first_column + c);
      out.value(drawn.index).value(drawn.label).value(drawn.group);
    }
  }
  return out.close(']').close('}').text();
}

inline std::string number_head(std::int64_t n) { return joined(n); }

/// Cell (row, column) of the coordinates: mode 0, and the other modes. Labelled with the offset.
inline std::string grid_json(const subject& s, const window& w, colouring by) {
  const std::string title = s.registers ? "Registers: thread, value" : s.tile ? "The matrix: M or N, K" : "Coordinates";
  return table_json(title, "", s.rows, s.columns, w, number_head, number_head,
                    [&](std::int64_t row, std::int64_t column) {
                      const std::int64_t index = row + s.rows * column;
                      return cell{index, joined(s.offset(index)), group_of(s, index, by)};
                    });
}

/// Bytes of a cell of shared memory: as asked, but at least one element.
inline int unit_bytes(const subject& s, int asked) {
  return std::clamp(std::max(asked, (s.bits + 7) / 8), 1, line_bytes);
}

/// The line of shared memory that is drawn first: the one of the lowest offset.
inline std::int64_t lowest_line(const subject& s) {
  const std::int64_t bit = s.offsets.lowest * s.bits, line = 8 * line_bytes;
  return bit >= 0 ? bit / line : -((line - 1 - bit) / line);
}

/// Shared memory in lines of 128 bytes, once across the banks. Labelled with the coordinate of the first element of
/// each cell.
inline std::string memory_json(const subject& s, const window& w, int unit, colouring by) {
  const std::int64_t first = lowest_line(s);
  const std::int64_t lines = ceil_div((s.offsets.lowest + s.offsets.count) * s.bits, 8 * line_bytes) - first;
  const auto bank_head = [unit](std::int64_t column) {
    if (unit < bank_bytes) return column * unit % bank_bytes == 0 ? joined(column * unit / bank_bytes) : std::string();
    return joined(column * unit / bank_bytes);
  };
  const auto line_head = [first](std::int64_t row) { return joined((first + row) * line_bytes); };
  const std::string title =
      s.finder.works() ? "Shared memory" : "Shared memory: too many elements that overlap to be drawn";
  return table_json(title, "byte \\ bank", std::max<std::int64_t>(lines, 1), line_bytes / unit, w, line_head, bank_head,
                    [&](std::int64_t row, std::int64_t column) {
                      const std::int64_t byte = (first + row) * line_bytes + column * unit;
                      const std::int64_t begin = byte * 8 / s.bits, end = (byte + unit) * 8 / s.bits;
                      for (std::int64_t offset = begin; offset < end; ++offset) {
                        const std::int64_t index = s.finder.find(offset);
                        if (index >= 0) return cell{index, short_coordinate(s, index), group_of(s, index, by)};
                      }
                      return cell{};
                    });
}

/// The registers that operand A would have, of the instruction that reads element `index` of the tile. Precondition:
/// fills_registers(*s.tile).
inline std::string registers_json(const subject& s, const window& w, std::int64_t index, colouring by) {
  const int parts = a_parts(s.bits), values = wgmma_rows * a_columns(s.bits) / warpgroup_threads;
  const coord first = s.place(index);
  const coord instruction = operand_slot_at(*s.tile, first.row, first.col).instruction;
  const auto head = [parts](std::int64_t column) {
    return parts == 1 ? joined("r", column) : column % parts == 0 ? joined("r", column / parts) : std::string();
  };
  return table_json(
      joined("Registers, if operand A came from them: instruction (", instruction.row, ",", instruction.col, ")"),
      "thread", warpgroup_threads, values, w, number_head, head, [&](std::int64_t thread, std::int64_t column) {
        const auto value = static_cast<int>(column);
        const register_slot slot{static_cast<int>(thread), value / parts, value % parts};
        const coord at = element_in(*s.tile, {instruction, slot});
        const std::int64_t element = at.row + s.rows * at.col;
        return cell{element, short_coordinate(s, element), group_of(s, element, by)};
      });
}

/// The matrix of a fragment, labelled with the thread that holds each element, and with which of its values it is.
inline std::string matrix_json(const subject& s, const window& w, colouring by) {
  const int parts = std::max(1, 32 / s.registers->element_bits);
  return table_json(joined("The matrix: ", wgmma_rows, " x ", s.registers->columns), "", wgmma_rows,
                    s.registers->columns, w, number_head, number_head, [&](std::int64_t row, std::int64_t column) {
                      const std::int64_t index = s.finder.find(row + wgmma_rows * column);
                      const register_slot slot = slot_at(*s.registers, static_cast<int>(row), static_cast<int>(column));
                      return cell{index, joined("T", slot.thread, " v", slot.reg * parts + slot.part), group_of(s, index, by)};
                    });
}

/// The tile of so many rows whose elements a layout deals out: mode 0 counts threads, the others values, and offsets
/// count the tile's elements down its columns. Labelled with the thread and which of its values it is.
inline std::string dealt_json(const subject& s, const window& w, std::int64_t rows) {
  const std::int64_t elements = s.offsets.lowest + s.offsets.count;
  const std::string title = s.finder.works() ? joined("The tile of ", rows, " rows: thread, value")
                                             : "The tile: too many elements that overlap to be drawn";
  return table_json(title, "", rows, std::max<std::int64_t>(ceil_div(elements, rows), 1), w, number_head, number_head,
                    [&](std::int64_t row, std::int64_t column) {
                      const std::int64_t index = s.finder.works() ? s.finder.find(row + rows * column) : -1;
                      if (index < 0) return cell{};
                      const std::int64_t thread = index % s.rows;
                      return cell{index, joined("T", thread, " v", index / s.rows), static_cast<int>(thread % 8)};
                    });
}

/// The coordinates of another layout, labelled with its offsets; of colour 1 where those of the first differ.
inline std::string compared_json(const subject& s, const subject& first, const window& w) {
  return table_json("The other layout, and where it differs", "", s.rows, s.columns, w, number_head, number_head,
                    [&](std::int64_t row, std::int64_t column) {
                      const std::int64_t index = row + s.rows * column;
                      const bool same = index < size(first.of) && first.offset(index) == s.offset(index);
                      return cell{index, joined(s.offset(index)), same ? 7 : 1};
                    });
}

/// Where element `index` is in each table, as [row, column], and the instruction that reads it.
inline void add_places(json& out, const subject& s, std::int64_t index, int unit) {
  const auto place = [&out](const char* view, std::int64_t row, std::int64_t column) {
    out.key(view).open('[').value(row).value(column).close(']');
  };
  out.key("places").open('{');
  place("grid", index % s.rows, index / s.rows);
  const auto held = register_of(s, index);
  if (s.registers) {
    const coord at = position_of_offset(s.offset(index));
    place("matrix", at.row, at.col);
  } else {
    const std::int64_t byte = s.byte(index) - lowest_line(s) * line_bytes;
    place("memory", byte / line_bytes, byte % line_bytes / unit);
    if (held) place("registers", held->slot.thread, held->slot.reg * a_parts(s.bits) + held->slot.part);
  }
  const coord instruction = held ? held->instruction : coord{};
  out.close('}').key("instruction").open('[').value(instruction.row).value(instruction.col).close(']');
}

}  // namespace sectile::explorer
