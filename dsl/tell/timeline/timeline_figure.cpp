// The picture of a timeline: legend, axis, rows, arrows, and what it comes to.
#include <algorithm>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/timeline/sentences.hpp>
#include <sectile/dsl/tell/timeline/timeline_bars.hpp>
#include <sectile/dsl/tell/timeline/timeline_figure.hpp>
#include <tuple>

namespace sectile::tell {
namespace {

constexpr double longest = 766, label_room = 15;  // pixels: of a whole timeline, of a bar with a number inside

struct painter : timeline_bars {
  using timeline_bars::timeline_bars;

  // ---- arrows

  /// For the first fills of each ring: from a stage that is full to who waited for it, and from who gave it back to the
  /// producer that waited.
  void arrows() {
    std::map<std::tuple<int, int, int>, int> drawn;
    for (const timeline_event& e : t.events) {
      const bool full = e.kind == timeline_kind::wait_full, empty = e.kind == timeline_kind::wait_empty;
      if ((!full && !empty) || t.lanes[static_cast<std::size_t>(e.lane)].cta != 0 || e.end <= e.start) continue;
      if (!axis.shows(e.end, e.end)) continue;
      const recorded_barrier& b = t.from.barriers[static_cast<std::size_t>(e.did.barrier)];
      if (drawn[{e.lane, b.ring, full}]++ >= arrows_of_each) continue;
      const double to = row[e.lane], at = x(e.end);
      if (full) {
        const double from = stage_row[{b.ring, b.stage}] + row_height;
        sheet.arrow(at, from - 4, at, to, "mark2", "second");
      } else if (!e.causes.empty()) {
        const auto here = std::ranges::find_if(e.causes, [&](int c) {
          const timeline_event& back = t.events[static_cast<std::size_t>(c)];
          return back.kind == timeline_kind::release && row.contains(back.lane);
        });
        if (here == e.causes.end()) continue;
        const timeline_event& back = t.events[static_cast<std::size_t>(*here)];
        sheet.arrow(x(back.end), row[back.lane], at, to + row_height, "mark", "accent");
      }
    }
  }
  static constexpr int arrows_of_each = 2;

  // ---- frame

  void header() {
    cycles step = 500;
    while (static_cast<double>(step) * axis.scale < 64) step *= 2;
    sheet.text(label_width - 8, y, "end muted small", "cycles, nominal");
    for (cycles at = (axis.from + step - 1) / step * step; at <= axis.to; at += step) {
      if (axis.folded() && at > axis.fold_from && at < axis.fold_to) continue;
      sheet.text(x(at), y, "small muted mid", std::to_string(at));
      sheet.line(x(at), y + 3, x(at), y + 7, "rule");
    }
    y += 12;
    tiles();
  }
  /// Which output tile the products are for.
  void tiles() {
    std::map<int, std::pair<cycles, cycles>> span;
    for (const timeline_event& e : t.events) {
      if (e.kind != timeline_kind::product || t.lanes[static_cast<std::size_t>(e.lane)].cta != 0) continue;
      const auto [it, fresh] = span.emplace(e.did.tile, std::pair(e.start, end_of(e)));
      if (!fresh) it->second.second = std::max(it->second.second, end_of(e));
    }
    if (span.size() < 2) return;
    for (const auto& [tile, s] : span) {
      if (!axis.shows(s.first, s.second)) continue;
      const auto [a, b] = axis.visible(s.first, s.second);
      sheet.path(say("M", svg_number(x(a) + 1), " ", svg_number(y + 7), "v-5H", svg_number(x(b) - 1), "v5"), "rule");
      const std::string words = say("products of tile ", tile);
      if (text_width("small", words) < x(b) - x(a)) sheet.text((x(a) + x(b)) / 2, y + 15, "small mid", words);
    }
    y += 22;
  }

  void legend() {
    double at = 0;
    const auto entry = [&](const std::string& words, double swatch, auto draw) {
      const double width = swatch + text_width("small", words);
      if (at > 0 && at + width > label_width + axis.width()) {
        at = 0;
        y += 18;
      }
      draw(at);
      sheet.text(at + swatch, y + 9.5, "small", words);
      at += width + 16;
    };
    const auto box = [&](const std::string& classes) {
      return [this, classes](double left) { sheet.rect(left, y, 20, 12, classes + " cell"); };
    };
    if (has_ring()) {
      entry("a stage is being filled,", 25, [&](double left) {
        box("paper")(left);
        sheet.path(say("M", svg_number(left), " ", svg_number(y + 12), "h20v-12z"), "g4");
      });
      entry("is full,", 25, box("paper"));
      entry("is read", 25, box("g2"));
    }
    if (waits_are_drawn())
      entry("a role waits", 25, [&](double left) {
        box("paper")(left);
        sheet.hatch(left, y, 20, 12, 5);
      });
    entry("its products run", 25, [&](double left) { sheet.line(left, y + 6, left + 20, y + 6, "rule dashed"); });
    if (has(timeline_kind::read_global)) entry("loads from global memory", 25, box("g0"));
    if (has(timeline_kind::compute)) entry("computes", 25, box("g5"));
    if (has(timeline_kind::read)) entry("reads shared memory", 25, box("g6"));
    if (has(timeline_kind::write)) entry("writes shared memory", 25, box("g3"));
    if (has(timeline_kind::expect))
      entry("asks for copies", 12, [&](double left) { triangle(left + 4, y + 10, -8, "second"); });
    if (has(timeline_kind::release))
      entry("gives a stage back", 12, [&](double left) { triangle(left + 4, y + 2, 8, "accent"); });
    if (has(timeline_kind::wait_full))
      entry("full: who waited goes on", 25,
            [&](double left) { sheet.arrow(left, y + 6, left + 20, y + 6, "mark2", "second"); });
    if (has(timeline_kind::wait_empty))
      entry("free: the producer goes on", 25,
            [&](double left) { sheet.arrow(left, y + 6, left + 20, y + 6, "mark", "accent"); });
    entry("numbers: k, the trip of the loop", 0, [](double) {});
    y += 28;
  }
  bool has_ring() const { return !t.from.rings.empty(); }
  bool waits_are_drawn() const {
    using enum timeline_kind;
    for (const timeline_kind k : {wait_full, wait_empty, wait_barrier, wait_in_order, wait_store_read, wait_store})
      if (has(k)) return true;
    return false;
  }
  bool has(timeline_kind k) const {
    return std::ranges::any_of(t.events,
                               [&](const timeline_event& e) { return e.kind == k && axis.shows(e.start, end_of(e)); });
  }

  void fold_mark(double top) {
    if (!axis.folded()) return;
    const double left = x(axis.fold_from) + 6, right = left + fold_width - 12;
    sheet.rect(left, top, right - left, y - top, "paper");
    for (const double at : {left, right}) {
      std::string d = say("M", svg_number(at), " ", svg_number(top));
      bool right_turn = true;
      for (double down = top; down < y; down += 8, right_turn = !right_turn) d += right_turn ? "l3 8" : "l-3 8";
      sheet.path(d, "rule");
    }
  }

  figure paint(const std::string& title) {
    sheet.text(0, 0, "title", title);
    y = 14;
    legend();
    y += 4;
    header();
    const double top = y;
    rows();
    arrows();
    fold_mark(top - 4);
    y += 8;
    const double width = std::max(label_width + axis.width(), 300.0);
    y = sheet.paragraph(0, y + 10, width, "small muted", notes());
    y = sheet.paragraph(0, y + 2, width, "small", summary(t, statistics_of(t)));
    const std::string alt = say(title, ". ", notes(), " ", summary(t, statistics_of(t)));
    return {sheet.finish(title, alt), title, alt};
  }
  std::string notes() const {
    std::string text = nominal_note(t.from.on_one_sm ? t.from.cluster_size : 1);
    if (t.from.cluster_size > 1 && !t.from.on_one_sm)
      text += say(" CTA 0 of ", t.from.cluster_size, " is drawn; the others do the same.");
    if (axis.folded())
      text += say(" Left out: cycles ", axis.fold_from, " to ", axis.fold_to, ", which go on in the same way.");
    if (!t.stopped.empty()) text += say(" The run did not end: ", first_line(t.stopped), ".");
    return text;
  }
  static std::string first_line(const std::string& s) { return s.substr(0, s.find('\n')); }

  void rows() {
    const auto roles = [this](int cta, bool consume) {
      for (int l = 0; l < static_cast<int>(t.from.lanes.size()); ++l)
        if (t.from.lanes[static_cast<std::size_t>(l)].cta == cta && multiplies(l) == consume) role_row(l);
    };
    const int ctas = t.from.on_one_sm ? t.from.cluster_size : 1;
    for (int cta = 0; cta < ctas; ++cta) roles(cta, false);
    unit_row(lane_kind::copies);
    y += group_gap - row_gap;
    for (int cta = 0; cta < ctas; ++cta) {
      for (int r = 0; r < static_cast<int>(t.from.rings.size()); ++r) {
        ring_rows(cta, r);
        y += ctas > 1 ? 0 : group_gap - row_gap;
      }
      roles(cta, true);
      y += ctas > 1 ? group_gap - row_gap : 0;
    }
    unit_row(lane_kind::tensor_cores);
    unit_row(lane_kind::stores);
  }
  void unit_row(lane_kind kind) {
    for (int l = 0; l < static_cast<int>(t.lanes.size()); ++l) {
      if (t.lanes[static_cast<std::size_t>(l)].cta != 0 || t.lanes[static_cast<std::size_t>(l)].kind != kind) continue;
      if (kind == lane_kind::copies) copies_row(l);
      if (kind == lane_kind::tensor_cores) products_rows(l);
      if (kind == lane_kind::stores) stores_row(l);
    }
  }
};

/// The usual length of a product, cycles.
cycles usual_product(const timeline& t) {
  std::vector<cycles> all;
  for (const timeline_event& e : t.events)
    if (e.kind == timeline_kind::product && e.end > e.start) all.push_back(e.end - e.start);
  if (all.empty()) return 512;
  std::ranges::sort(all);
  return all[all.size() / 2];
}

}  // namespace

figure draw_timeline(const timeline& t, cycles axis) {
  time_axis a{.to = std::max({t.length, axis, cycles{1}})};
  a.scale = std::clamp(longest / static_cast<double>(a.to), label_room / static_cast<double>(usual_product(t)), 0.2);
  if (a.width() > longest * 1.1) {
    const auto kept = static_cast<cycles>((longest - fold_width) / a.scale);
    a.fold_from = kept * 3 / 5;
    a.fold_to = a.to - (kept - a.fold_from);
  }
  return painter(t, a).paint("Pipeline timeline");
}

figure draw_timeline_start(const timeline& t) {
  // Until some ring has been read once and begun anew.
  constexpr double width = 270;
  cycles until = std::max<cycles>(t.length, 1);
  for (std::size_t r = 0; r < t.from.rings.size(); ++r) {
    int seen = 0;
    for (const stage_change& c : t.changes)
      if (c.cta == 0 && c.ring == static_cast<int>(r) && c.state == stage_state::reading)
        if (++seen == t.from.rings[r].stages + 2) until = std::min(until, c.at);
  }
  time_axis a{.to = until};
  a.scale = width / static_cast<double>(until);
  return painter(t, a).paint("Pipeline timeline: the beginning");
}

}  // namespace sectile::tell
