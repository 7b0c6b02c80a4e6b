#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/expected_vector.hpp>
#include <sectile/dsl/model/names.hpp>
#include <span>

namespace sectile::model {
namespace {

/// f(row, column, number) of what `t` has told; of rows the column is 0, and of columns the row.
template <class F>
void for_each_told(const cuda_thread& t, const observed_vector& v, std::span<const float> told, F f) {
  const int first = t.share() * (v.rows / t.all->what.shape.sharers);
  for (int n = 0; n < static_cast<int>(told.size()); ++n) {
    const int m = v.form == told_form::columns ? 0 : n / v.registers, i = n - m * v.registers;
    const int reg = v.form == told_form::rows ? 2 * i : v.form == told_form::columns ? 4 * (i / 2) + i % 2 : i;
    const coord at = element_of_register(t.index, m, reg);
    f(v.form == told_form::columns ? 0 : first + at.row, v.form == told_form::rows ? 0 : at.col,
      told[static_cast<std::size_t>(n)]);
  }
}

/// Numbers that become one.
struct joined {
  reduction how;
  double all, magnitudes = 0;
  explicit joined(reduction r) : how(r), all(identity_of(r)) {}

  void add(double x) {
    if (how == reduction::max) all = std::fmax(all, x);
    if (how == reduction::min) all = std::fmin(all, x);
    if (how == reduction::add_in_any_order) all += x, magnitudes += std::abs(x);
  }
  /// Sums are rounded in an order of their own.
  bool holds(double found) const {
    if (how != reduction::add_in_any_order) return found == all;
    return !std::isfinite(magnitudes) || std::abs(found - all) <= magnitudes * 0x1p-16;
  }
};

/// What the warp of `t` has of element `number` of a vector that is combined into.
joined number_of_warp(const cuda_thread& t, const observed_vector& v, int number) {
  joined made(v.how);
  // Of rows and columns lanes have the same numbers: of rows those of a quad, of columns every fourth.
  const bool alone = v.form != told_form::fragment && v.line != told_line::all;
  for (int lane = 0; lane < 32; ++lane) {
    const cuda_thread& other = *t.block->threads[static_cast<std::size_t>(t.index / 32 * 32 + lane)];
    const bool again = (v.form == told_form::rows && lane % 4 != 0) || (v.form == told_form::columns && lane >= 4);
    if (alone ? &other != &t : again) continue;
    const std::span<const float> told = other.numbers.find(t.numbers.told);
    if (told.empty())
      report(hazard_kind::divergent, text(name(t), " combines numbers of ", name(other), ", which has told none"));
    for_each_told(other, v, told, [&](int row, int col, float x) {
      if (v.form != told_form::columns && v.line != told_line::row && row >= v.rows_inside) return;
      if (v.form != told_form::rows && v.line != told_line::column && col >= v.cols_inside) return;
      if (v.line == told_line::all || (v.line == told_line::row ? row : col) == number) made.add(x);
    });
  }
  return made;
}

/// Whether thread t has told these bits as element `number`.
bool observes(const cuda_thread& t, const observed_vector& v, int number, std::uint32_t bits) {
  bool same = false;
  for_each_told(t, v, t.numbers.find(t.numbers.told), [&](int row, int col, float x) {
    const auto told = std::bit_cast<std::uint32_t>(x);
    if ((v.line == told_line::row ? row : col) == number) same = std::memcmp(&told, &bits, v.element_bytes) == 0;
  });
  return same;
}

}  // namespace

void check_vector(cuda_thread& t, const std::byte* to, std::uint32_t bits, const char* verb) {
  const observed_vector& v = t.vector;
  if (v.first == nullptr || !t.all->checked() || !t.all->computes) return;
  const auto refuse = [&](hazard_kind kind, const std::string& why) {
    report(kind, text(verb, " of ", name(t), ": ", name_element(t.all->what.how.labels, to), why));
  };
  const auto bytes = to - static_cast<const std::byte*>(v.first);
  const auto number = static_cast<int>(bytes / v.element_bytes);
  if (!v.mine) refuse(hazard_kind::wrong_element, " is written by a CTA that has but a part of the tile's sums");
  if (v.rows_left <= 0 || v.cols_left <= 0)
    refuse(hazard_kind::out_of_range, " is written by a tile that lies beyond the work");
  if (bytes % v.element_bytes != 0 || number < 0 || number >= std::min(v.inside, v.elements))
    refuse(hazard_kind::out_of_range, " is none of those that the work's tile has");
  if (v.how == reduction::none) {  // who else stores there is found when all have (global_writes.hpp)
    if (!observes(t, v, number, bits))
      refuse(hazard_kind::wrong_element, " becomes another number than the body stores there");
    return;
  }
  if (!t.own_warp().combined_elements[t.numbers.told].insert(to).second)
    refuse(hazard_kind::written_twice, " is combined with the numbers of its warp a second time");
  const joined right = number_of_warp(t, v, number);
  const float found = std::bit_cast<float>(bits);
  if (!right.holds(found))
    refuse(hazard_kind::wrong_element,
           text(" is combined with ", found, ", where the numbers of its warp make ", right.all));
}

}  // namespace sectile::model
