// The rows of a timeline's picture: bars for what roles and units do, and for the states of stages.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <sectile/dsl/tell/timeline/sentences.hpp>
#include <sectile/dsl/tell/timeline/time_axis.hpp>
#include <sectile/dsl/tell/words.hpp>
#include <sectile/layouts/picture_sheet.hpp>

namespace sectile::tell {

constexpr double label_width = 118, row_height = 18, row_gap = 4, group_gap = 14;  // pixels
constexpr double least_with_tip = 5;                                               // of a bar

/// Draws rows of the first CTA, each below the one before.
struct timeline_bars {
  const timeline& t;
  time_axis axis;
  picture_sheet sheet{};
  double y = 0;
  std::map<int, double> row{};                        // of lanes
  std::map<std::pair<int, int>, double> stage_row{};  // by ring and stage

  timeline_bars(const timeline& shown, const time_axis& a) : t(shown), axis(a) {}

  double x(cycles at) const { return label_width + axis.at(at); }
  double middle(double top) const { return top + row_height / 2; }

  // ---- bars

  void bar(double top, cycles a, cycles b, const std::string& classes, const std::string& label, const std::string& tip,
           bool hatched = false) {
    if (!axis.shows(a, b)) return;
    std::tie(a, b) = axis.visible(a, b);
    const double left = x(a), width = std::max(x(b) - left, 1.2);
    sheet.rect(left, top, width, row_height, classes + " cell", width < least_with_tip ? "" : tip);
    if (hatched && width > 3) sheet.hatch(left, top, width, row_height, 7);
    if (!label.empty() && width >= text_width("small", label) + 2)
      sheet.text(left + width / 2, top + row_height / 2 + 3.6, "small mid", label);
  }
  std::string times(cycles a, cycles b) const {
    return b == timeline_event::never ? say("from ", a, ", never ends") : say(a, " to ", b);
  }
  std::string tip_of(const timeline_event& e) const {
    return say(what_of(e), e.did.trip >= 0 ? say(", k = ", e.did.trip) : "", ": ", times(e.start, e.end));
  }
  /// In a few words, as the row says the rest.
  std::string what_of(const timeline_event& e) const {
    const operation& o = e.did;
    switch (e.kind) {
      case timeline_kind::wait_full:
      case timeline_kind::wait_empty:
      case timeline_kind::wait_barrier: {
        const recorded_barrier& b = t.from.barriers[static_cast<std::size_t>(o.barrier)];
        return say("waits for ", b.ring < 0 ? b.name : stage_name(b.ring, b.stage));
      }
      case timeline_kind::copy:
      case timeline_kind::product:
        return uses_text(o);
      default:
        return action_text(t, e);
    }
  }
  std::string stage_name(int ring, int stage) const {
    const recorded_ring& r = t.from.rings[static_cast<std::size_t>(ring)];
    return r.stages == 1 ? r.name : say(r.name, "[", stage, "]");
  }
  cycles end_of(const timeline_event& e) const { return e.end == timeline_event::never ? t.length : e.end; }

  // ---- rows

  void name_row(const std::string& name, const std::string& classes = "end") {
    sheet.text(label_width - 8, y + row_height / 2 + 4, classes, name);
  }
  void next_row() { y += row_height + row_gap; }

  template <class F>
  void for_events(int lane, F f) {
    for (const timeline_event& e : t.events)
      if (e.lane == lane) f(e);
  }

  void role_row(int lane) {
    row[lane] = y;
    name_row(t.lanes[static_cast<std::size_t>(lane)].name);
    for_events(lane, [&](const timeline_event& e) { role_bar(e); });
    next_row();
  }
  void role_bar(const timeline_event& e) {
    const cycles end = end_of(e);
    switch (e.kind) {
      case timeline_kind::wait_full:
      case timeline_kind::wait_empty:
      case timeline_kind::wait_barrier:
      case timeline_kind::wait_turn:
      case timeline_kind::wait_store_read:
      case timeline_kind::wait_store:
        if (end > e.start) bar(y, e.start, end, "paper", wait_label(e), tip_of(e), true);
        return;
      case timeline_kind::wait_products:
        if (end > e.start && axis.shows(e.start, end)) {
          const auto [a, b] = axis.visible(e.start, end);
          sheet.line(x(a), middle(y), x(b), middle(y), "rule dashed");
        }
        return;
      case timeline_kind::compute:
        return bar(y, e.start, end, "g5", "computes", tip_of(e));
      case timeline_kind::write:
        return bar(y, e.start, end, "g3", "writes", tip_of(e));
      case timeline_kind::read:
        return bar(y, e.start, end, "g6", "reads", tip_of(e));
      case timeline_kind::read_global:
        return bar(y, e.start, end, "g0", "loads", tip_of(e));
      case timeline_kind::write_global:
        return bar(y, e.start, end, "g3", "stores", tip_of(e));
      case timeline_kind::expect:
        return tick(e, false);
      case timeline_kind::give_back:
        return tick(e, true);
      default:
        return;
    }
  }
  std::string wait_label(const timeline_event& e) const {
    return e.kind == timeline_kind::wait_turn      ? "turn"
           : e.did.trip >= 0 && e.did.barrier >= 0 ? std::to_string(e.did.trip)
                                                   : "";
  }
  /// A moment: a stage is asked for (down), or given back (up).
  void tick(const timeline_event& e, bool up) {
    if (!axis.shows(e.start, e.start)) return;
    triangle(x(e.start), up ? y - 1 : y + row_height + 1, up ? 6 : -6, up ? "accent" : "second");
  }
  /// From its tip, down (or, below 0, up) by `height`.
  void triangle(double at, double tip, double height, const char* classes) {
    sheet.path(say("M", tenth(at), " ", tenth(tip), "l-3 ", tenth(height), "h6z"), classes);
  }
  static std::string tenth(double v) {
    const long long tenths = std::llround(v * 10), size = tenths < 0 ? -tenths : tenths;
    return say(tenths < 0 ? "-" : "", size / 10, size % 10 == 0 ? "" : say(".", size % 10));
  }

  void copies_row(int lane) {
    if (!any_event(lane)) return;
    row[lane] = y;
    name_row("TMA copies");
    for_events(lane, [&](const timeline_event& e) {
      bar(y, e.start, std::min(end_of(e), e.start + copy_cycles(e.did.bytes)), colour_of(e.did.uses.front().operand),
          e.did.uses.front().operand, tip_of(e));
    });
    next_row();
  }
  /// Operands have the colours that they have in the other pictures: by their number.
  std::string colour_of(const std::string& operand) const {
    int number = 0;
    for (const recorded_ring& r : t.from.rings)
      for (const std::string& o : r.operands) {
        if (o.find(' ') != std::string::npos) continue;  // metadata go with their operand
        if (operand.starts_with(o)) return say("g", number % picture_colours);
        ++number;
      }
    return "soft";
  }

  /// A row for each warpgroup that multiplies: only one of them at a time has the tensor cores.
  void products_rows(int lane) {
    if (!any_event(lane)) return;
    const int consumers = multiplying_lanes();
    for (int c = 0; c < consumers; ++c) {
      name_row(consumers > 1 ? say("tensor cores (", c, ")") : "tensor cores");
      for_events(lane, [&](const timeline_event& e) {
        if (consumer_number(e.by) == c) bar(y, e.start, end_of(e), "g6", product_label(e), tip_of(e));
      });
      y += c + 1 < consumers ? row_height : row_height + row_gap;
    }
  }
  int consumer_number(int lane) const {
    int n = 0;
    for (int l = 0; l < lane; ++l) {
      const timeline_lane& other = t.lanes[static_cast<std::size_t>(l)];
      n += other.kind == lane_kind::role && other.cta == 0 && multiplies(l);
    }
    return n;
  }
  bool multiplies(int lane) const {
    return std::ranges::any_of(t.from.lanes[static_cast<std::size_t>(lane)].operations,
                               [](const operation& o) { return o.what == deed::multiply; });
  }
  int multiplying_lanes() const {
    int n = 0;
    for (int l = 0; l < static_cast<int>(t.from.lanes.size()); ++l)
      n += t.from.lanes[static_cast<std::size_t>(l)].cta == 0 && multiplies(l);
    return n;
  }
  /// The trip; where products of several kinds take turns, with the operand on the right.
  std::string product_label(const timeline_event& e) const {
    const std::string trip = e.did.trip >= 0 ? std::to_string(e.did.trip) : "";
    const std::string whole = several_products() && !e.did.uses.empty() ? say(e.did.uses.back().operand, trip) : trip;
    const double room = static_cast<double>(e.end - e.start) * axis.scale - 2;
    return text_width("small", whole) <= room ? whole : trip;
  }
  bool several_products() const {
    std::string first;
    for (const timeline_event& e : t.events) {
      if (e.kind != timeline_kind::product || e.did.uses.empty()) continue;
      if (first.empty()) first = e.did.uses.back().operand;
      if (first != e.did.uses.back().operand) return true;
    }
    return false;
  }

  /// Stores of a tile that follow each other are one bar.
  void stores_row(int lane) {
    if (!any_event(lane)) return;
    row[lane] = y;
    name_row("TMA stores");
    cycles from = 0, to = -1;
    int tile = 0;
    const auto draw = [&] {
      if (to > from) bar(y, from, to, "g3", say("tile ", tile), say("tile ", tile, ": ", times(from, to)));
    };
    for_events(lane, [&](const timeline_event& e) {
      const cycles end = std::min(end_of(e), e.start + copy_cycles(e.did.bytes));
      if (to < 0 || e.start > to || e.did.tile != tile) {
        draw();
        from = e.start;
      }
      to = end;
      tile = e.did.tile;
    });
    draw();
    next_row();
  }
  bool any_event(int lane) const {
    return std::ranges::any_of(
        t.events, [&](const timeline_event& e) { return e.lane == lane && axis.shows(e.start, end_of(e)); });
  }

  void ring_rows(int ring) {
    const recorded_ring& r = t.from.rings[static_cast<std::size_t>(ring)];
    for (int s = 0; s < r.stages; ++s) {
      stage_row[{ring, s}] = y;
      name_row(stage_name(ring, s));
      sheet.line(x(axis.from), y + row_height, x(axis.to), y + row_height, "rule");
      stage_bars(ring, s);
      next_row();
    }
  }
  void stage_bars(int ring, int stage) {
    const stage_change* before = nullptr;
    const auto draw = [&](cycles until) {
      if (before == nullptr || until <= before->at) return;
      const std::string k = before->trip >= 0 ? std::to_string(before->trip) : "";
      const std::string tip =
          say(name_of(before->state), k.empty() ? "" : say(", k = ", k), ": ", times(before->at, until));
      if (before->state == stage_state::filling) wedge(before->at, until, k, tip);
      if (before->state == stage_state::full) bar(y, before->at, until, "paper", k, tip);
      if (before->state == stage_state::reading) bar(y, before->at, until, "g2", k, tip);
    };
    for (const stage_change& c : t.changes) {
      if (c.cta != 0 || c.ring != ring || c.stage != stage) continue;
      draw(c.at);
      before = &c;
    }
    draw(t.length);
  }

  /// A bar that fills as time goes on.
  void wedge(cycles a, cycles b, const std::string& label, const std::string& tip) {
    if (!axis.shows(a, b)) return;
    bar(y, a, b, "paper", "", tip);
    std::tie(a, b) = axis.visible(a, b);
    sheet.path(say("M", tenth(x(a)), " ", tenth(y + row_height), "H", tenth(x(b)), "V", tenth(y), "z"), "g4");
    if (x(b) - x(a) >= text_width("small", label) + 2)
      sheet.text((x(a) + x(b)) / 2, y + row_height / 2 + 3.6, "small mid", label);
  }
};

}  // namespace sectile::tell
