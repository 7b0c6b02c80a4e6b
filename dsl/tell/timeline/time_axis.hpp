// The time axis of a timeline's picture.
#pragma once

#include <algorithm>
#include <sectile/dsl/tell/timeline/nominal.hpp>
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

}  // namespace sectile::tell
