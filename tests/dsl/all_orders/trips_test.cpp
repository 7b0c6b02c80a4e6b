// Any number of trips: the conditions that make a log right by itself are checked on long ones, and a longer loop adds
// only copies of one piece to the log. That is why the proof may stop at 2 * stages + 1 trips.
#include <doctest/doctest.h>

#include "tests/dsl/all_orders/alone.hpp"
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/dsl/all_orders/scripts.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile;
using namespace sectile::orders;

template <class K>
void check_alone(const std::vector<int>& trips, int tiles) {
  CAPTURE(trips);
  const cluster s = cluster_of_script<K>(trips, tiles);
  REQUIRE(!s.agents.empty());
  CHECK(wrong_alone(plan_of<K>, s) == "");
}

TEST_CASE("hundreds of trips") {
  check_alone<cluster_gemm<2, 1, 2>>({200}, 1);
  check_alone<attention_like<true>>({100}, 1);
  check_alone<two_loops<2, true>>({40, 0, 0, 40, 0, 0, 1, 30, 30, 1, 7, 7}, 6);
  check_alone<left_in_registers<2>>({200}, 1);
  if constexpr (sectile::test::exhaustively) {
    check_alone<gemm<2>>({500}, 1);
    check_alone<persistent_gemm<3, 2>>({0, 100, 1, 0, 0, 50, 2, 70, 3, 1, 1, 1, 30}, 13);
    check_alone<nested_sums>({6, 0, 9, 1, 0, 0, 12}, 1);
    check_alone<gemm<4>>({500}, 1);
    check_alone<cluster_gemm<2, 2, 2>>({200}, 1);
    check_alone<only_read<2>>({200}, 1);
    check_alone<sparse_gemm<2, 2>>({60}, 1);
  }
}

/// A consumer's log in which stages are told by how far back they lie, so that it does not depend on where the ring
/// stands.
template <class K>
std::vector<std::string> relative_log(int trips) {
  constexpr const plan& p = plan_of<K>;
  const cluster s = cluster_of_script<K>({trips}, 1);
  std::vector<std::string> log;
  walker w(p);
  for (const action& x : s.agents[1].actions) {
    std::string entry = std::to_string(static_cast<int>(x.what));
    if (x.what == act::wait || x.what == act::arrive) {
      const barrier_place b = place_of(p, x.barrier);
      const int newest = w.taken[b.ring] + (x.what == act::wait), stages = p.ring[b.ring].stages;
      entry += " ring " + std::to_string(b.ring) + " back " + std::to_string((newest - b.stage + stages) % stages) +
               " CTA " + std::to_string(x.cta);
    } else if (x.what == act::multiply || x.what == act::read) {
      for (const auto& r : w.readings(x.slots))
        entry += " ring " + std::to_string(r.ring) + " back " + std::to_string(w.taken[r.ring] - r.fill);
    } else {
      entry += " " + std::to_string(x.barrier) + " " + std::to_string(x.bytes);
    }
    w.step_of_consumer(x, s.agents[1].cta);
    log.push_back(entry);
  }
  return log;
}

/// From the second trip on, a trip more is the same piece once more: log(n) = head, n - 2 pieces, tail.
template <class K>
void check_steady() {
  const std::vector<std::string> two = relative_log<K>(2), three = relative_log<K>(3);
  const std::size_t piece = three.size() - two.size();
  std::size_t head = 0;  // what two and three trips have in common
  while (head < two.size() && two[head] == three[head]) ++head;
  REQUIRE(piece > 0);
  for (int n = 2; n < 4 * plan_of<K>.how.stages + 4; ++n) {
    CAPTURE(n);
    std::vector<std::string> longer = relative_log<K>(n);
    const auto at = longer.begin() + static_cast<std::ptrdiff_t>(head);
    longer.insert(at, three.begin() + static_cast<std::ptrdiff_t>(head),
                  three.begin() + static_cast<std::ptrdiff_t>(head + piece));
    CHECK(longer == relative_log<K>(n + 1));
  }
}

TEST_CASE("a trip more is the same piece once more") {
  check_steady<cluster_gemm<2, 1, 2>>();
  check_steady<attention_like<true>>();
  check_steady<left_in_registers<2>>();
  if constexpr (sectile::test::exhaustively) {
    check_steady<gemm<2>>();
    check_steady<gemm<4>>();
    check_steady<gemm<3, 3>>();
    check_steady<cluster_gemm<2, 2, 2>>();
    check_steady<attention_like<false>>();
    check_steady<only_read<2>>();
    check_steady<sparse_gemm<2, 1>>();
  }
}

}  // namespace
