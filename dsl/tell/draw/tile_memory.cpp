// The tile in shared memory: lines of 128 bytes, which is once across the 32 banks, in units of 16 bytes, which is what
// a swizzle moves.
#include <algorithm>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/draw/tile_figures.hpp>
#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/descriptor_fields.hpp>
#include <sectile/layouts/picture_sheet.hpp>
#include <set>

namespace sectile::tell {
namespace {

constexpr int unit_line_bytes = shared_banks * bank_bytes, units_per_line = unit_line_bytes / core_matrix_row_bytes;
constexpr double unit_width = 60, unit_row_height = 20, gap_height = 22, unit_margin = 52;
constexpr double grid_width = units_per_line * unit_width;

/// Which lines are drawn: all of a small tile, else the first ones and where LBO, SBO and the K steps lead.
std::vector<int> lines_to_draw(const tile_subject& s, const matrix_descriptor& d) {
  const int all = bytes(s.tile) / unit_line_bytes;
  std::set<int> lines;
  const auto add = [&](unsigned from_byte, int number) {
    const int first = static_cast<int>(from_byte) / unit_line_bytes;
    for (int i = first; i < first + number && i < all; ++i) lines.insert(i);
  };
  add(0, all <= 20 ? all : s.tile.swizzle == swizzle_mode::b128 ? 16 : 12);
  add(d.stride_bytes, 2);
  add(d.leading_bytes, 2);
  for (int k = 0, steps = s.tile.k / s.k_step; k < steps; ++k)
    if (k < 4 || k + 1 == steps) add(start_of(s.tile, 0, k * s.k_step), 1);
  add(static_cast<unsigned>(bytes(s.tile) - unit_line_bytes), 1);
  return {lines.begin(), lines.end()};
}

/// One drawing of a tile, while it is made.
struct memory_drawing {
  const tile_subject& s;
  const matrix_descriptor d = descriptor_at(s.tile, 0, 0);
  const std::vector<tile_unit> units = units_in_memory(s.tile);
  const std::vector<int> lines = lines_to_draw(s, d);
  std::vector<double> top{};  // of each drawn line
  picture_sheet sheet{};
  double bottom = 0;

  int left_out() const { return bytes(s.tile) / unit_line_bytes - static_cast<int>(lines.size()); }
  int steps() const { return s.tile.k / s.k_step; }

  double x_of(int unit) const { return unit_margin + unit % units_per_line * unit_width; }
  /// Top of the line of a byte; -1 if the line is not drawn.
  double y_of(unsigned byte) const {
    const auto found = std::ranges::find(lines, static_cast<int>(byte) / unit_line_bytes);
    return found == lines.end() ? -1 : top[static_cast<std::size_t>(found - lines.begin())];
  }

  /// The row of the tile from which the first line comes, as it is before the swizzle: the key to the colours.
  void draw_key() {
    const int width = std::min(contiguous_extent(s.tile) / core_matrix_row_elements(s.tile.element_bits), 8);
    const int unit = core_matrix_row_elements(s.tile.element_bits);
    const bool k_major = s.tile.major == major::k;
    sheet.text(unit_margin - 6, 14, "small muted end",
               k_major ? "along K" : std::string("along ") + (s.rows == 'm' ? "M" : "N"));
    for (int i = 0; i < width; ++i) {
      const std::string first = say(std::string(1, k_major ? 'k' : s.rows), i * unit);
      sheet.cell(x_of(i), 0, unit_width, 18, "cell g" + std::to_string(i % picture_colours),
                 say(first, " .. ", i * unit + unit - 1), "small mid");
    }
    for (int u = 0; u < units_per_line; ++u)
      sheet.text(x_of(u) + unit_width / 2, 40, "tiny muted mid", say("+", u * core_matrix_row_bytes));
    sheet.text(unit_margin - 6, 40, "tiny muted end", "byte");
    bottom = 44;
  }

  void draw_gap(int from, int to) {
    const int missing = to - from - 1;
    sheet.line(unit_margin, bottom, unit_margin, bottom + gap_height, "rule dashed");
    sheet.line(unit_margin + grid_width, bottom, unit_margin + grid_width, bottom + gap_height, "rule dashed");
    sheet.text(unit_margin + grid_width / 2, bottom + 15, "small muted mid",
               say("... ", count(missing, "line"), " of ", unit_line_bytes, " bytes not drawn ..."));
    bottom += gap_height;
  }

  void draw_line(int line) {
    sheet.text(unit_margin - 6, bottom + 14, "small muted end", std::to_string(line * unit_line_bytes));
    for (int u = 0; u < units_per_line; ++u) {
      const int number = line * units_per_line + u;
      const tile_unit at = units[static_cast<std::size_t>(number)];
      const bool starts = step_at(number) >= 0;
      const std::string colour = "cell g" + std::to_string(place_along(s.tile, at) % picture_colours);
      const std::string label = unit_text(s, at);
      sheet.rect(x_of(u), bottom, unit_width, unit_row_height, colour,
                 say("byte ", number * core_matrix_row_bytes, ": ", label));
      if (starts)
        sheet.text(x_of(u) + unit_width - 3, bottom + 13.5, "tiny end", label);
      else
        sheet.text(x_of(u) + unit_width / 2, bottom + 13.5, "tiny mid", label);
    }
    top.push_back(bottom);
    bottom += unit_row_height;
  }

  /// The K step whose descriptor starts at unit `number`, or -1.
  int step_at(int number) const {
    for (int k = 0; !s.to_registers && k < steps(); ++k)
      if (static_cast<int>(start_of(s.tile, 0, k * s.k_step)) == number * core_matrix_row_bytes) return k;
    return -1;
  }

  void draw_lines() {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i > 0 && lines[i] != lines[i - 1] + 1) draw_gap(lines[i - 1], lines[i]);
      draw_line(lines[i]);
    }
  }

  /// Frames around groups of eight rows, and around the units of the first core matrix.
  void draw_outlines() {
    const int group = core_matrix_rows * span_bytes(s.tile.swizzle) / unit_line_bytes;  // lines of eight rows
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i] % group != 0) continue;
      std::size_t last = i;
      while (last + 1 < lines.size() && lines[last + 1] < lines[i] + group && lines[last + 1] == lines[last] + 1)
        ++last;
      if (lines[last] == lines[i] + group - 1)
        sheet.rect(unit_margin, top[i], grid_width, top[last] + unit_row_height - top[i], "frame");
    }
    const tile_writer written(s.tile);
    int run = -1, length = 0;
    const auto close = [&] {
      if (run >= 0)
        sheet.rect(x_of(run) + 1.5, y_of(static_cast<unsigned>(run * core_matrix_row_bytes)) + 1.5,
                   length * unit_width - 3, unit_row_height - 3, "mark");
    };
    std::vector<int> first;
    for (int row = 0; row < core_matrix_rows; ++row)
      first.push_back(static_cast<int>(s.tile.major == major::k ? written(row, 0) : written(0, row)) /
                      core_matrix_row_bytes);
    std::ranges::sort(first);
    for (const int unit : first) {
      if (run >= 0 && unit == run + length && unit % units_per_line != 0) {
        ++length;
        continue;
      }
      close();
      run = unit;
      length = 1;
    }
    close();
  }

  /// The numbers of the K steps where their descriptors start.
  void draw_starts() {
    for (int k = 0; !s.to_registers && k < steps(); ++k) {
      const unsigned start = start_of(s.tile, 0, k * s.k_step);
      const double y = y_of(start);
      if (y < 0) continue;
      const int unit = static_cast<int>(start) / core_matrix_row_bytes;
      sheet.cell(x_of(unit) + 2, y + 3.5, k < 10 ? 11 : 15, unit_row_height - 7, "paper mark2", std::to_string(k),
                 "tiny strong mid second", say("K step ", k, " starts at + ", start, " bytes"));
    }
  }

  /// A distance from the tile's first line to the one `far` bytes on, with its name.
  void draw_distance(double x, unsigned far, const std::string& name) {
    const double from = top.front() + unit_row_height / 2, to = y_of(far) + unit_row_height / 2;
    sheet.line(unit_margin + grid_width, from, x, from, "mark");
    sheet.line(x, from, x, to, "mark");
    sheet.arrow(x, to, unit_margin + grid_width + 2, to, "mark", "accent");
    sheet.text(x + 5, (from + to) / 2 - 1, "small strong accent", name);
    sheet.text(x + 5, (from + to) / 2 + 11, "small accent", std::to_string(far));
  }

  bool is_reached(unsigned offset) const { return offset > 0 && static_cast<int>(offset) < bytes(s.tile); }

  void draw_distances() {
    if (s.to_registers) return;
    const double x = unit_margin + grid_width + 16;
    const bool leading = leading_counts(s.tile.major, s.tile.swizzle) && is_reached(d.leading_bytes),
               stride = is_reached(d.stride_bytes);
    const bool leading_first = leading && stride && d.leading_bytes < d.stride_bytes;
    if (stride) draw_distance(leading_first ? x + 62 : x, d.stride_bytes, "SBO");
    if (leading) draw_distance(stride && !leading_first ? x + 62 : x, d.leading_bytes, "LBO");
  }

  std::string offset_text(const char* name, unsigned offset, const std::string& meaning, bool counts) const {
    if (!counts) return say(name, ": ", meaning, ". ");
    return say(name, " ", offset, ": ", meaning, is_reached(offset) ? ". " : "; this tile has one only. ");
  }

  std::string starts_text() const {
    std::string text = "Numbers in frames: where the descriptors of the K steps start, + ";
    for (int k = 0; k < steps(); ++k) text += say(k == 0 ? "" : ", ", start_of(s.tile, 0, k * s.k_step));
    return text + " bytes.";
  }

  /// What the picture says, in sentences.
  std::string words() const {
    const int unit = core_matrix_row_elements(s.tile.element_bits);
    const bool k_major = s.tile.major == major::k;
    const char* along = k_major ? "K" : s.rows == 'm' ? "M" : "N";
    const int places = contiguous_extent(s.tile) / unit;
    std::string text =
        say("Each cell is 16 bytes: ", count(unit, "element"), " along ", along,
            " from the one named in it on. A colour is a place along ", along,
            places > picture_colours ? say(" (every ", picture_colours, " cells the same again)") : std::string(),
            ". A frame from side to side holds 8 rows, ", core_matrix_rows * span_bytes(s.tile.swizzle), " bytes",
            s.tile.swizzle == swizzle_mode::none
                ? ": a core matrix. The first has a coloured outline. "
                : ", after which the swizzle repeats. The coloured outlines are one core matrix, 8 rows of 16 bytes. ");
    if (s.sparse) text += "K counts stored elements, half of the matrix's. ";
    if (s.to_registers)
      return text + "Ordinary loads bring the core matrices into registers; no descriptor names them.";
    text += offset_text("SBO", d.stride_bytes, stride_text(s.tile.major, s.tile.swizzle), true);
    text += offset_text("LBO", d.leading_bytes, leading_text(s.tile.major, s.tile.swizzle),
                        leading_counts(s.tile.major, s.tile.swizzle));
    return text + starts_text() + (s.metadata.empty() ? "" : " " + s.metadata);
  }
};

}  // namespace

figure draw_memory(const tile_subject& s) {
  memory_drawing m{s};
  m.draw_key();
  m.draw_lines();
  m.draw_outlines();
  m.draw_starts();
  m.draw_distances();
  m.sheet.paragraph(0, m.bottom + 20, unit_margin + grid_width + 80, "small", m.words());
  const std::string title = say(title_of(s), ", in shared memory");
  const std::string alt = say("The tile's ", bytes(s.tile), " bytes in lines of ", unit_line_bytes, ". ", m.words(),
                              m.left_out() > 0 ? say(" ", count(m.left_out(), "line"), " not drawn.") : std::string());
  return {m.sheet.finish(title, alt), title, alt};
}

}  // namespace sectile::tell
