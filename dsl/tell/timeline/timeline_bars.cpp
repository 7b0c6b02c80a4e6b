#include <algorithm>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/timeline/sentences.hpp>
#include <sectile/dsl/tell/timeline/timeline_bars.hpp>
#include <tuple>

namespace sectile::tell {
namespace {

constexpr double least_with_tip = 5;  // pixels, of a bar

std::string times(cycles a, cycles b) {
  return b == timeline_event::never ? say("from ", a, ", never ends") : say(a, " to ", b);
}

std::string wait_label(const timeline_event& e) {
  return e.kind == timeline_kind::wait_in_order  ? "turn"
         : e.did.trip >= 0 && e.did.barrier >= 0 ? std::to_string(e.did.trip)
                                                 : "";
}

template <class F>
void for_events(const timeline& t, int lane, F f) {
  for (const timeline_event& e : t.events)
    if (e.lane == lane) f(e);
}

}  // namespace

// ---- bars

void timeline_bars::bar(double top, cycles a, cycles b, const std::string& classes, const std::string& label,
                        const std::string& tip, bool hatched) {
  if (!axis.shows(a, b)) return;
  std::tie(a, b) = axis.visible(a, b);
  const double left = x(a), width = std::max(x(b) - left, 1.2);
  sheet.rect(left, top, width, row_height, classes + " cell", width < least_with_tip ? "" : tip);
  if (hatched && width > 3) sheet.hatch(left, top, width, row_height, 7);
  if (!label.empty() && width >= text_width("small", label) + 2)
    sheet.text(left + width / 2, top + row_height / 2 + 3.6, "small mid", label);
}

std::string timeline_bars::tip_of(const timeline_event& e) const {
  return say(what_of(e), e.did.trip >= 0 ? say(", k = ", e.did.trip) : "", ": ", times(e.start, e.end));
}

/// In a few words, as the row says the rest.
std::string timeline_bars::what_of(const timeline_event& e) const {
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

std::string timeline_bars::stage_name(int ring, int stage) const {
  const recorded_ring& r = t.from.rings[static_cast<std::size_t>(ring)];
  return r.stages == 1 ? r.name : say(r.name, "[", stage, "]");
}

// ---- rows

void timeline_bars::name_row(const std::string& name) {
  sheet.text(label_width - 8, y + row_height / 2 + 4, "end", name);
}

std::string timeline_bars::of_cta(int cta, const std::string& name) const {
  return t.from.on_one_sm ? say("CTA ", cta, ": ", name) : name;
}

void timeline_bars::role_row(int lane) {
  row[lane] = y;
  const timeline_lane& l = t.lanes[static_cast<std::size_t>(lane)];
  name_row(of_cta(l.cta, l.name));
  for_events(t, lane, [&](const timeline_event& e) { role_bar(e); });
  next_row();
}

void timeline_bars::role_bar(const timeline_event& e) {
  const cycles end = end_of(e);
  switch (e.kind) {
    case timeline_kind::wait_full:
    case timeline_kind::wait_empty:
    case timeline_kind::wait_barrier:
    case timeline_kind::wait_in_order:
    case timeline_kind::wait_store_read:
    case timeline_kind::wait_store:
    case timeline_kind::wait_products:
      return wait_bar(e);
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
    case timeline_kind::release:
      return tick(e, true);
    default:
      return;
  }
}

void timeline_bars::wait_bar(const timeline_event& e) {
  const cycles end = end_of(e);
  if (end <= e.start) return;
  if (e.kind != timeline_kind::wait_products) return bar(y, e.start, end, "paper", wait_label(e), tip_of(e), true);
  if (!axis.shows(e.start, end)) return;
  const auto [a, b] = axis.visible(e.start, end);
  const double middle = y + row_height / 2;
  sheet.line(x(a), middle, x(b), middle, "rule dashed");
}

/// A moment: a stage is asked for (down), or released (up).
void timeline_bars::tick(const timeline_event& e, bool up) {
  if (!axis.shows(e.start, e.start)) return;
  triangle(x(e.start), up ? y - 1 : y + row_height + 1, up ? 6 : -6, up ? "accent" : "second");
}

void timeline_bars::triangle(double at, double tip, double height, const char* classes) {
  sheet.path(say("M", svg_number(at), " ", svg_number(tip), "l-3 ", svg_number(height), "h6z"), classes);
}

void timeline_bars::copies_row(int lane) {
  if (!any_event(lane)) return;
  row[lane] = y;
  name_row("TMA copies");
  for_events(t, lane, [&](const timeline_event& e) {
    bar(y, e.start, std::min(end_of(e), e.start + copy_cycles(e.did.bytes)), colour_of(e.did.uses.front().operand),
        e.did.uses.front().operand, tip_of(e));
  });
  next_row();
}

/// Operands have the colours that they have in the other pictures: by their number.
std::string timeline_bars::colour_of(const std::string& operand) const {
  int number = 0;
  for (const recorded_ring& r : t.from.rings)
    for (const std::string& o : r.operands) {
      if (o.find(' ') != std::string::npos) continue;  // metadata go with their operand
      if (operand.starts_with(o)) return say("g", number % picture_colours);
      ++number;
    }
  return "soft";
}

void timeline_bars::products_rows(int lane) {
  if (!any_event(lane)) return;
  const int consumers = multiplying_lanes();
  for (int c = 0; c < consumers; ++c) {
    name_row(consumers > 1 ? say("tensor cores (", c, ")") : "tensor cores");
    for_events(t, lane, [&](const timeline_event& e) {
      if (consumer_number(e.by) == c) bar(y, e.start, end_of(e), "g6", product_label(e), tip_of(e));
    });
    y += c + 1 < consumers ? row_height : row_height + row_gap;
  }
}

int timeline_bars::consumer_number(int lane) const {
  int n = 0;
  for (int l = 0; l < lane; ++l) {
    const timeline_lane& other = t.lanes[static_cast<std::size_t>(l)];
    n += other.kind == lane_kind::role && is_drawn(l) && multiplies(l);
  }
  return n;
}

bool timeline_bars::multiplies(int lane) const {
  return std::ranges::any_of(t.from.lanes[static_cast<std::size_t>(lane)].operations,
                             [](const operation& o) { return o.what == deed::multiply; });
}

int timeline_bars::multiplying_lanes() const {
  int n = 0;
  for (int l = 0; l < static_cast<int>(t.from.lanes.size()); ++l) n += is_drawn(l) && multiplies(l);
  return n;
}

/// The trip; where products of several kinds take turns, with the operand on the right.
std::string timeline_bars::product_label(const timeline_event& e) const {
  const std::string trip = e.did.trip >= 0 ? std::to_string(e.did.trip) : "";
  const std::string whole = several_products() && !e.did.uses.empty() ? say(e.did.uses.back().operand, trip) : trip;
  const double room = static_cast<double>(e.end - e.start) * axis.scale - 2;
  return text_width("small", whole) <= room ? whole : trip;
}

bool timeline_bars::several_products() const {
  std::string first;
  for (const timeline_event& e : t.events) {
    if (e.kind != timeline_kind::product || e.did.uses.empty()) continue;
    if (first.empty()) first = e.did.uses.back().operand;
    if (first != e.did.uses.back().operand) return true;
  }
  return false;
}

void timeline_bars::stores_row(int lane) {
  if (!any_event(lane)) return;
  row[lane] = y;
  name_row("TMA stores");
  cycles from = 0, to = -1;
  int tile = 0;
  const auto draw = [&] {
    if (to > from) bar(y, from, to, "g3", say("tile ", tile), say("tile ", tile, ": ", times(from, to)));
  };
  for_events(t, lane, [&](const timeline_event& e) {
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

bool timeline_bars::any_event(int lane) const {
  return std::ranges::any_of(t.events,
                             [&](const timeline_event& e) { return e.lane == lane && axis.shows(e.start, end_of(e)); });
}

void timeline_bars::ring_rows(int cta, int ring) {
  const recorded_ring& r = t.from.rings[static_cast<std::size_t>(ring)];
  for (int s = 0; s < r.stages; ++s) {
    if (cta == 0) stage_row[{ring, s}] = y;
    name_row(of_cta(cta, stage_name(ring, s)));
    sheet.line(x(axis.from), y + row_height, x(axis.to), y + row_height, "rule");
    stage_bars(cta, ring, s);
    next_row();
  }
}

void timeline_bars::stage_bars(int cta, int ring, int stage) {
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
    if (c.cta != cta || c.ring != ring || c.stage != stage) continue;
    draw(c.at);
    before = &c;
  }
  draw(t.length);
}

/// A bar that fills as time goes on.
void timeline_bars::wedge(cycles a, cycles b, const std::string& label, const std::string& tip) {
  if (!axis.shows(a, b)) return;
  bar(y, a, b, "paper", "", tip);
  std::tie(a, b) = axis.visible(a, b);
  sheet.path(
      say("M", svg_number(x(a)), " ", svg_number(y + row_height), "H", svg_number(x(b)), "V", svg_number(y), "z"),
      "g4");
  if (x(b) - x(a) >= text_width("small", label) + 2)
    sheet.text((x(a) + x(b)) / 2, y + row_height / 2 + 3.6, "small mid", label);
}

}  // namespace sectile::tell
