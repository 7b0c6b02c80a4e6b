// Coalesce, filter, complement, inverses, recast and the queries, checked on every layout of up to three modes.
#include <doctest/doctest.h>

#include <algorithm>

#include "small_layouts.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

namespace {

const std::vector<layout>& domain() {
  static const std::vector<layout> all = small_layouts(3, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 6, 8});
  return all;
}

/// Applies `holds` to every layout of the domain and counts where it is false.
template <class Law>
void check_all(Law holds) {
  std::int64_t failures = 0;
  std::string example;
  for (const layout& l : domain()) {
    if (holds(l)) continue;
    ++failures;
    if (example.empty()) example = to_string(l);
  }
  INFO("first failure: ", example);
  CHECK(failures == 0);
}

std::vector<std::int64_t> sorted_set(std::vector<std::int64_t> v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return v;
}

/// Whether the call is refused; its value is used by the caller otherwise.
template <class Call>
bool refused(Call call) {
  return !refusal(call).empty();
}

}  // namespace

TEST_CASE("the domain has every layout of one, two and three modes") {
  CHECK(domain().size() == 28 + 28 * 28 + 28 * 28 * 28);
}

TEST_CASE("coalesce keeps the function and leaves nothing to merge") {
  check_all([](const layout& l) {
    const layout r = coalesce(l);
    if (size(r) != size(l) || depth(r) > 1 || offsets(r) != offsets(l)) return false;
    for (int k = 0; k < r.form.leaves; ++k) {
      if (r.leaf[k].shape == 1 && r != layout{}) return false;
      if (k > 0 && r.leaf[k].stride == r.leaf[k - 1].shape * r.leaf[k - 1].stride) return false;
    }
    return coalesce(r) == r;
  });
}

TEST_CASE("coalesce_unbounded keeps the function of every index") {
  check_all([](const layout& l) {
    const layout r = coalesce_unbounded(l);
    for (std::int64_t i = 0; i < 2 * size(l) + 3; ++i) {
      if (r(i) != l(i)) return false;
    }
    return true;
  });
}

TEST_CASE("filter keeps the set of offsets and nothing that stands still") {
  check_all([](const layout& l) {
    const layout r = filter(l);
    for (int k = 0; k < r.form.leaves; ++k) {
      if (r != layout{} && (r.leaf[k].shape == 1 || r.leaf[k].stride == 0)) return false;
    }
    return sorted_set(offsets(r)) == sorted_set(offsets(l));
  });
}

TEST_CASE("complement is ordered, disjoint and long enough") {
  std::int64_t accepted = 0;
  check_all([&](const layout& l) {
    for (const std::int64_t target : {1, 7, 24, 100}) {
      layout c;
      if (refused([&] { c = complement(l, target); })) {
        // Only overlapping or interleaved modes are refused, never a layout that reaches everything once.
        return !is_compact(filter(l));
      }
      ++accepted;
      const layout both = make_layout(filter(l), c);
      if (!is_injective(both) && filter(l) != layout{}) return false;
      for (std::int64_t i = 1; i < size(c); ++i) {
        if (c(i) <= c(i - 1)) return false;
      }
      if (coalesce(c) != c) return false;
      const layout sorted = sorted_by_stride(filter(l));
      bool divides = true;
      std::int64_t span = 1;
      for (int k = 0; k < sorted.form.leaves && filter(l) != layout{}; ++k) {
        divides = divides && sorted.leaf[k].stride % span == 0;
        span = sorted.leaf[k].stride * sorted.leaf[k].shape;
      }
      if (divides ? contiguous_reach(filter(both)) < target : size(c) > 1 && cosize(both) + span <= target)
        return false;
    }
    return true;
  });
  CHECK(accepted > 10000);
}

TEST_CASE("right_inverse inverts and is as long as offsets 0, 1, 2, ... go on mode by mode") {
  check_all([](const layout& l) {
    const layout r = right_inverse(l);
    for (std::int64_t i = 0; i < size(r); ++i) {
      if (l(r(i)) != i) return false;
    }
    return !is_compact(l) || size(r) == size(l);
  });
}

TEST_CASE("left_inverse inverts; it is refused only where the strides do not divide or modes overlap") {
  std::int64_t accepted = 0;
  check_all([&](const layout& l) {
    layout r;
    if (refused([&] { r = left_inverse(l); })) return !is_compact(l);
    ++accepted;
    const bool one_to_one = is_injective(l);
    for (std::int64_t i = 0; i < size(l); ++i) {
      if (one_to_one ? r(l(i)) != i : l(r(l(i))) != l(i)) return false;
    }
    return true;
  });
  CHECK(accepted > 5000);
}

TEST_CASE("nullspace is what maps to 0 because a mode stands still") {
  check_all([](const layout& l) {
    const layout r = nullspace(l);
    for (std::int64_t i = 0; i < size(r); ++i) {
      if (l(r(i)) != 0) return false;
    }
    return is_injective(r) && size(r) * size(filter_zeros(l)) == size(l);
  });
}

TEST_CASE("the queries agree with the list of offsets") {
  check_all([](const layout& l) {
    const std::vector<std::int64_t> all = offsets(l);
    const std::vector<std::int64_t> set = sorted_set(all);
    const auto distinct = static_cast<std::int64_t>(set.size());
    return is_injective(l) == (distinct == size(l)) && is_surjective(l) == (distinct == cosize(l)) &&
           cosize(l) == set.back() + 1 && is_compact(l) == (distinct == size(l) && cosize(l) == size(l));
  });
}

TEST_CASE("is_injective with strides of both signs and without divisibility") {
  std::int64_t failures = 0;
  for (const layout& l : small_layouts(3, {2, 3, 5}, {-7, -2, 1, 3, 5, 11})) {
    if (is_injective(l) != (static_cast<std::int64_t>(sorted_set(offsets(l)).size()) == size(l))) ++failures;
  }
  CHECK(failures == 0);
}

TEST_CASE("upcast hits the wide elements that the narrow ones lie in") {
  std::int64_t accepted = 0;
  check_all([&](const layout& l) {
    for (const std::int64_t n : {1, 2, 4}) {
      layout r;
      if (refused([&] { r = upcast(l, n); })) continue;
      ++accepted;
      std::vector<std::int64_t> wide = offsets(l);
      for (std::int64_t& offset : wide) offset /= n;
      if (rank(r) != rank(l) || sorted_set(offsets(r)) != sorted_set(wide)) return false;
    }
    return true;
  });
  CHECK(accepted > 10000);
}

TEST_CASE("downcast hits all parts of every element, and upcast takes it back") {
  std::int64_t accepted = 0;
  check_all([&](const layout& l) {
    for (const std::int64_t n : {2, 4}) {
      layout r;
      if (refused([&] { r = downcast(l, n); })) continue;
      ++accepted;
      std::vector<std::int64_t> parts;
      for (const std::int64_t offset : offsets(l)) {
        for (std::int64_t j = 0; j < n; ++j) parts.push_back(n * offset + j);
      }
      if (sorted_set(offsets(r)) != sorted_set(parts) || size(r) != n * size(l)) return false;
      if (offsets(upcast(r, n)) != offsets(l)) return false;
    }
    return true;
  });
  CHECK(accepted > 5000);
}

TEST_CASE("notation round trip") {
  check_all([](const layout& l) { return parse_layout(to_string(l)) == l; });
  check_all([](const layout& l) {
    const layout nested = make_layout(l, make_layout(l), l);
    return parse_layout(to_string(nested)) == nested;
  });
}

TEST_CASE("coordinates and indices go into each other") {
  check_all([](const layout& l) {
    std::int64_t i = 0;
    for (const int_tuple& c : coordinates(l)) {
      if (crd2idx(c, shape(l)) != i || idx2crd(i, shape(l)) != c || l(c) != l(i)) return false;
      ++i;
    }
    return i == size(l);
  });
}
