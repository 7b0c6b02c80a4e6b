// The rows of a timeline's picture: bars for what roles and units do, and for the states of stages.
#pragma once

#include <algorithm>
#include <map>
#include <sectile/dsl/tell/timeline/nominal.hpp>
#include <sectile/dsl/tell/timeline/timeline.hpp>
#include <sectile/layouts/picture_sheet.hpp>
#include <string>
#include <utility>

namespace sectile::tell {

constexpr double fold_width = 34;  // pixels

/// From cycles to pixels. A fold leaves out what lies between two times.
struct time_axis {
  cycles from = 0, fold_from = 0, fold_to = 0, to = 0;
  double scale = 1;

  bool folded() const { return fold_to > fold_from; }
  double width() const {
    const double whole = static_cast<double>(to - from) * scale;
    return folded() ? whole - static_cast<double>(fold_to - fold_from) * scale + fold_width : whole;
  }
  double at(cycles t) const {
    t = std::clamp(t, from, to);
    const double straight = static_cast<double>(t - from) * scale;
    if (!folded() || t <= fold_from) return straight;
    const double behind = static_cast<double>(fold_from - from) * scale + fold_width;
    return t < fold_to ? behind : behind + static_cast<double>(t - fold_to) * scale;
  }
  /// Whether something of this interval can be seen.
  bool shows(cycles a, cycles b) const {
    if (b < from || a > to) return false;
    return !folded() || a < fold_from || b > fold_to;
  }
  /// The interval, cut where the fold hides it.
  std::pair<cycles, cycles> visible(cycles a, cycles b) const {
    a = std::max(a, from);
    b = std::min(b, to);
    if (folded() && a < fold_from && b > fold_from && b < fold_to) b = fold_from;
    if (folded() && a > fold_from && a < fold_to) a = fold_to;
    return {a, b};
  }
};

constexpr double label_width = 118, row_height = 18, row_gap = 4, group_gap = 14;  // pixels

/// Draws rows of the first CTA, or of all that share an SM, each below the one before. A lane is named by its number in
/// the timeline.
struct timeline_bars {
  const timeline& t;
  time_axis axis;
  picture_sheet sheet{};
  double y = 0;                                       // of the next row's top
  std::map<int, double> row{};                        // of lanes
  std::map<std::pair<int, int>, double> stage_row{};  // by ring and stage, of the first CTA

  timeline_bars(const timeline& shown, const time_axis& a) : t(shown), axis(a) {}

  double x(cycles at) const { return label_width + axis.at(at); }
  /// When an event ends; of one that never does, the end of the timeline.
  cycles end_of(const timeline_event& e) const { return e.end == timeline_event::never ? t.length : e.end; }
  bool is_drawn(int lane) const { return t.lanes[static_cast<std::size_t>(lane)].cta == 0 || t.from.on_one_sm; }
  /// Whether that role issues products.
  bool multiplies(int lane) const;

  void role_row(int lane);
  void copies_row(int lane);
  /// A row for each warpgroup that multiplies: only one of them at a time has the tensor cores.
  void products_rows(int lane);
  /// Stores of a tile that follow each other are one bar.
  void stores_row(int lane);
  /// A row for each stage of a CTA.
  void ring_rows(int cta, int ring);
  /// From its tip, down (or, below 0, up) by `height`.
  void triangle(double at, double tip, double height, const char* classes);

 private:
  void name_row(const std::string& name);
  /// A name of something that every CTA has.
  std::string of_cta(int cta, const std::string& name) const;
  void next_row() { y += row_height + row_gap; }
  void bar(double top, cycles a, cycles b, const std::string& classes, const std::string& label, const std::string& tip,
           bool hatched = false);
  void role_bar(const timeline_event& e);
  void wait_bar(const timeline_event& e);
  void tick(const timeline_event& e, bool up);
  void stage_bars(int cta, int ring, int stage);
  void wedge(cycles a, cycles b, const std::string& label, const std::string& tip);

  std::string tip_of(const timeline_event& e) const;
  std::string what_of(const timeline_event& e) const;
  std::string stage_name(int ring, int stage) const;
  std::string colour_of(const std::string& operand) const;
  std::string product_label(const timeline_event& e) const;
  bool any_event(int lane) const;
  int consumer_number(int lane) const;
  int multiplying_lanes() const;
  bool several_products() const;
};

}  // namespace sectile::tell
