// Reports, and the protocol that is exported for SPIN, name barriers: those of a shipped kernel's CTA have different names.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/model_labels.hpp>
#include <set>
#include <string>
#include <tuple>

#include "tool/kernel_list.hpp"

TEST_CASE("mbarriers of the shipped kernels have names of their own") {
  using namespace sectile;
  int barriers = 0;
  for (const tool::kernel_facts& kernel : tool::kernel_list()) {
    if (kernel.planned == nullptr) continue;
    CAPTURE(kernel.name);
    std::set<std::tuple<std::string, int, std::string>> known;
    for (const model::barrier_label& l : model::name_everything(*kernel.planned).barriers) {
      CAPTURE(l.name);
      CAPTURE(l.stage);
      CHECK(known.emplace(l.name, l.stage, l.operands).second);
      ++barriers;
    }
  }
  CHECK(barriers > 400);
}
