// Every shipped kernel that has a record is proven: all where SECTILE_TOOL_RECORDS says so. What compiles one for a
// launch takes that as given (SECTILE_PROVEN); here the proofs are made at run time, by the functions that a
// static_assert of verified<K> calls.
#include <doctest/doctest.h>

#include <sectile/dsl/tell/facts/record.hpp>
#include <string>

#include "tool/kernels/families.hpp"

namespace {

using namespace sectile;

TEST_CASE("all proofs of every shipped kernel hold") {
  for (const auto records : tool::built_families().records)
    for (const tool::recorded_kernel& kernel : records()) {
      CAPTURE(std::string(kernel.kernel));
      const tell::kernel_record record = kernel.record();
      REQUIRE(static_cast<bool>(record.prove));
      const tell::proof_results proven = record.prove();
      CHECK(std::string(proven.verdict.says.text) == "");
      CHECK(proven.verdict.holds());
      CHECK(proven.protocol.runs > 0);
      CHECK(proven.protocol.waits > 0);
    }
}

}  // namespace
