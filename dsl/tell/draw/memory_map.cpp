// Shared memory of a CTA, to scale from top to bottom; the barriers, which are too small for that, once more below.
#include <algorithm>
#include <sectile/dsl/tell/draw/plan_figures.hpp>
#include <sectile/dsl/tell/memory_text.hpp>
#include <sectile/layouts/picture_sheet.hpp>

namespace sectile::tell {
namespace {

constexpr double bar_left = 64, bar_width = 170, bar_height = 560;
constexpr double bytes_per_pixel = shared_memory_limit / bar_height;
constexpr double least_height = 13;  // of a piece with a name inside

double y_of_offset(int offset) { return offset / bytes_per_pixel; }

/// A range of shared memory that has one use.
struct piece {
  int offset = 0, bytes = 0;
  std::string what;
  int colour = -1;
  bool hatched = false;
  bool named = true;  // by a label of its own
};

/// Pieces that belong together: a stage of a ring, the panels of the epilogue.
struct group {
  int offset = 0, bytes = 0;
  std::string what;
};

/// The pieces of one range; none for barriers, which are drawn as one.
std::vector<piece> pieces_in(const plan& p, const memory_range& m) {
  const std::string name = m.operand < 0 ? "" : p.operand[m.operand].facts.name;
  switch (m.kind) {
    case memory_kind::tile:
      return {{m.offset, m.bytes, name, m.operand}};
    case memory_kind::metadata:
      return {{m.offset, m.bytes, "metadata of " + name, m.operand, true}};
    case memory_kind::exchange:
    case memory_kind::factor:
    case memory_kind::notes:
      return {{m.offset, m.bytes, m.what}};
    case memory_kind::full_barriers:
    case memory_kind::empty_barriers:
    case memory_kind::meeting_barriers:
    case memory_kind::ticket_barriers:
    case memory_kind::tickets:
      return {};
    case memory_kind::epilogue:
      break;
  }
  std::vector<piece> panels;
  const int each = p.epilogue[find_epilogue(p, m.operand)].panel_bytes;
  for (int offset = m.offset; offset < m.offset + m.bytes; offset += each)
    panels.push_back({offset, each, "panel of " + name, m.operand, false, y_of_offset(each) >= least_height});
  return panels;
}

std::vector<piece> pieces_of(const plan& p) {
  std::vector<piece> all;
  for (const memory_range& m : memory_ranges(p))
    for (const piece& x : pieces_in(p, m)) all.push_back(x);
  if (p.barrier_bytes > 0) all.push_back({p.ring[0].full_barrier, p.barrier_bytes, "barriers"});
  all.push_back({p.shared_bytes, shared_memory_limit - p.shared_bytes, "free"});
  std::ranges::sort(all, {}, &piece::offset);
  return all;
}

std::vector<group> groups_of(const plan& p) {
  std::vector<group> all;
  for (int r = 0; r < p.rings; ++r)
    for (int s = 0; s < p.ring[r].stages; ++s)
      all.push_back(
          {p.ring[r].offset + s * p.ring[r].stage_bytes, p.ring[r].stage_bytes, say("ring ", r, ", stage ", s)});
  for (int n = 0; n < p.epilogues; ++n) {
    const epilogue_plan& e = p.epilogue[n];
    const int each = e.buffers * e.panel_bytes;
    for (int c = 0; c < p.how.consumers; ++c)
      all.push_back({e.offset + c * each, each,
                     say("consumer ", c, ", ", count(e.buffers, "panel"),
                         p.epilogues > 1 ? say(" of ", p.operand[e.operand].facts.name) : std::string())});
  }
  return all;
}

/// Labels that belong at `wanted`, moved down as far as they need not to overlap.
double place_label(double wanted, double& last, double distance) {
  last = std::max(wanted, last + distance);
  return last;
}

void draw_piece(picture_sheet& sheet, const piece& x) {
  const double y = y_of_offset(x.offset), h = y_of_offset(x.bytes);
  const std::string kind = x.colour >= 0      ? "cell g" + std::to_string(x.colour % picture_colours)
                           : x.what == "free" ? "cell none"
                                              : "cell soft";
  sheet.rect(bar_left, y, bar_width, h, kind, say(x.what, ": ", x.bytes, " bytes from ", x.offset, " on"));
  if (x.hatched) sheet.hatch(bar_left, y, bar_width, h);
  if (h >= least_height && !x.hatched && x.named)
    sheet.text(bar_left + bar_width / 2, y + h / 2 + 4, "small mid", say(x.what, ", ", x.bytes, " bytes"));
}

/// Names of what is too thin to have one inside.
void draw_thin(picture_sheet& sheet, const std::vector<piece>& pieces, double x) {
  double last = -100;
  for (const piece& thin : pieces) {
    const double y = y_of_offset(thin.offset), h = y_of_offset(thin.bytes);
    if ((h >= least_height && !thin.hatched) || thin.bytes == 0 || !thin.named) continue;
    const double at = place_label(y + h / 2 + 3.5, last, 13);
    sheet.line(bar_left + bar_width, y + h / 2, x - 4, at - 3.5, "rule");
    sheet.text(x, at, "small", say(thin.what, ", ", thin.bytes, " bytes"));
  }
}

void draw_offsets(picture_sheet& sheet, const std::vector<piece>& pieces) {
  double last = -100;
  for (const piece& x : pieces) {
    const double y = y_of_offset(x.offset) + 4;
    if (y < last + 11) continue;
    last = y;
    sheet.text(bar_left - 6, y, "small muted end", std::to_string(x.offset));
  }
}

void draw_groups(picture_sheet& sheet, const std::vector<group>& groups, double x) {
  double last = -100;
  for (const group& g : groups) {
    const double top = y_of_offset(g.offset) + 1, bottom = y_of_offset(g.offset + g.bytes) - 1;
    sheet.line(x - 5, top, x, top, "rule");
    sheet.line(x, top, x, bottom, "rule");
    sheet.line(x - 5, bottom, x, bottom, "rule");
    if (bottom - top >= 26) {
      const double at = place_label((top + bottom) / 2, last, 26);
      sheet.text(x + 6, at - 1, "small strong", g.what);
      sheet.text(x + 6, at + 11, "small muted", say(g.bytes, " bytes"));
    } else {
      const double at = place_label((top + bottom) / 2 + 3.5, last, 13);
      sheet.text(x + 6, at, "small strong", g.what);
      sheet.text(x + 6 + text_width("small strong", g.what + " "), at, "small muted", say(g.bytes, " bytes"));
    }
  }
}

/// Each ring's full and empty barriers as cells of 8 bytes.
double draw_barriers(picture_sheet& sheet, const plan& p, double y) {
  sheet.text(0, y, "small strong", "The barriers, 8 bytes each");
  y += 8;
  for (int r = 0; r < p.rings; ++r)
    for (const bool full : {true, false}) {
      const int first = full ? p.ring[r].full_barrier : p.ring[r].empty_barrier;
      sheet.text(bar_left + 34, y + 13, "small muted end", say("ring ", r, full ? ", full" : ", empty"));
      for (int s = 0; s < p.ring[r].stages; ++s)
        sheet.cell(bar_left + 42 + s * 50, y, 50, 18, "cell soft", std::to_string(first + 8 * s), "small mid",
                   say(full ? "full" : "empty", " barrier of stage ", s, " of ring ", r));
      y += 20;
    }
  return y;
}

std::string words(const plan& p) {
  std::string text = say(p.shared_bytes, " of ", shared_memory_limit, " bytes of shared memory are used. ");
  for (int r = 0; r < p.rings; ++r)
    text += say("Ring ", r, ": ", count(p.ring[r].stages, "stage"), " of ", p.ring[r].stage_bytes, " bytes for ",
                members_text(p, p.ring[r]), ". ");
  for (int n = 0; n < p.epilogues; ++n) {
    const epilogue_plan& e = p.epilogue[n];
    text += say(n == 0 ? "The epilogue has " : ", ", count(p.how.consumers * e.buffers, "panel"), " of ", e.panel_bytes,
                " bytes for ", p.operand[e.operand].facts.name);
  }
  return text + ".";
}

}  // namespace

figure draw_memory_map(const plan& p) {
  picture_sheet sheet;
  const std::vector<piece> pieces = pieces_of(p);
  sheet.rect(bar_left, 0, bar_width, bar_height, "cell none");
  for (const piece& x : pieces) draw_piece(sheet, x);
  sheet.rect(bar_left, 0, bar_width, bar_height, "frame");
  draw_offsets(sheet, pieces);
  sheet.text(bar_left - 6, bar_height + 12, "small muted end", std::to_string(shared_memory_limit));
  draw_groups(sheet, groups_of(p), bar_left + bar_width + 16);
  draw_thin(sheet, pieces, bar_left + bar_width + 220);
  const double y = draw_barriers(sheet, p, bar_height + 44);
  sheet.paragraph(0, y + 18, 600, "small", words(p));
  const std::string title = "Shared memory of a CTA, to scale";
  return {sheet.finish(title, words(p)), title, words(p)};
}

}  // namespace sectile::tell
