// sectile explain KERNEL --shape: which member of a family a launch takes, and why.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sectile/kernels/gemm_family.hpp>

#include "tool/family_list.hpp"
#include "tool/input_error.hpp"

namespace {

using namespace sectile;
using tool::choice_text, tool::find_family, tool::input_error;

std::string choice_for(const char* shape) { return choice_text(find_family("gemm_bf16", "--shape"), shape); }

}  // namespace

TEST_CASE("the member that is told is the one that a launch takes") {
  struct problem {
    const char* shape;
    int m, n, k;
  };
  for (const auto& [shape, m, n, k] :
       {problem{"16x16384x4096", 16, 16384, 4096}, problem{"4096x4096x4096", 4096, 4096, 4096},
        problem{"1x608x12496", 1, 608, 12496}}) {
    const member_choice c = choice<kernels::gemm_bf16_family>({{"M", m}, {"N", n}, {"K", k}});
    const std::string text = choice_for(shape);
    CAPTURE(text);
    const std::string why = c.why == choice_reason::measured ? "which was measured to be the fastest"
                            : c.why == choice_reason::corrected
                                ? "as the cost model says, corrected by what was measured for similar sizes"
                                : "as the cost model says";
    const std::vector<mode_id> modes{mode_named("M"), mode_named("N"), mode_named("K")};
    const std::string how = tool::member_text(kernels::gemm_bf16_family::how.at[c.member], modes);
    CHECK(text.find(fmt::format("a launch takes member {} ({}), {}.", c.member, how, why)) != std::string::npos);
    CHECK(text.find("gemm_bf16_family of sectile/kernels/gemm_family.hpp, " +
                    std::to_string(kernels::gemm_bf16_family::how.count) + " members") == 0);
    CHECK(text.find("on an NVIDIA H200") != std::string::npos);
  }
}

TEST_CASE("parts that are kept apart are told from those of a cluster") {
  const std::vector<mode_id> modes{mode_named("M"), mode_named("N"), mode_named("K")};
  configuration c = kernels::in_parts(2, kernels::gemm_member<bf16>({128, 64}, 8, {2, 1}));
  CHECK(tool::member_text(c, modes) == "128x64x64 s8 c2x1 split 2 overlap");
  c.apart = true;
  CHECK(tool::member_text(c, modes) == "128x64x64 s8 c2x1 split 2 apart overlap");
}

TEST_CASE("what is no shape, and what is no family") {
  for (const char* wrong : {"", "1x2", "1x2x3x4", "0x1x1", "axbxc", "99999999999x8x8"})
    CHECK_THROWS_AS(choice_for(wrong), input_error);
  CHECK_THROWS_WITH_AS(find_family("gemm_s8", "--shape"),
                       "gemm_s8 is no family of this build; --shape is for families: gemm_bf16 "
                       "(-DSECTILE_TOOL_FAMILIES)",
                       input_error);
}
