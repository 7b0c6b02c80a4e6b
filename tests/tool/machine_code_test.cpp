// What is written down of the kernels' machine code, held against the kernels as they are.
#include "tool/machine_code.hpp"

#include <doctest/doctest.h>

#include <map>
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/tell/facts/parts.hpp>
#include <set>
#include <string>

#include "tool/kernel_list.hpp"
#include "tool/measured.hpp"

namespace {

using namespace sectile;

const std::string written_anew = "run python3 bench/machine_code.py --json docs/measured/machine_code.json";

TEST_CASE("each kernel has a row of what nvcc makes of it, with the registers that its plan gives its roles") {
  for (const tool::kernel_facts& kernel : tool::kernel_list()) {
    CAPTURE(std::string(kernel.name));
    const nlohmann::json row = tool::machine_code_of(kernel.name);
    INFO("docs/measured/machine_code.json is not of these kernels; ", written_anew);
    REQUIRE(row.is_object());
    CHECK(row["software"].get<std::string>().find("Cuda compilation tools") == 0);
    CHECK(row["registers"] == tool::compiled_registers(kernel.name));
    CHECK(row["threads"] == kernel.declared->threads);
    if (kernel.planned == nullptr) continue;
    const plan& p = *kernel.planned;
    CHECK(row["producer"] == p.producer_registers);
    CHECK(row["consumer"] == p.consumer_registers);
    CHECK((row["registers"].get<int>() + 7) / 8 * 8 * p.threads <= register_pool);  // that a CTA's threads have it
    CHECK((row["wgmma"].get<int>() > 0) == (p.products.count > 0));
    // What setmaxnreg moves has to be there: with fewer registers consumers would wait for the rest without end.
    if (p.moves_registers()) CHECK(row["registers"] == launch_registers(p));
  }
}

TEST_CASE("there are no rows of kernels that are gone, nor two of one") {
  const auto file = nlohmann::json::parse(tool::measured_machine_code().front());
  std::set<std::string> kernels, rows;
  for (const tool::kernel_facts& kernel : tool::kernel_list()) kernels.emplace(kernel.name);
  for (const auto& row : file["rows"])
    CHECK_MESSAGE(rows.insert(row["name"]).second, row["name"], " twice; ", written_anew);
  for (const std::string& name : rows)
    if (tool::kernels_left_out().empty()) CHECK_MESSAGE(kernels.count(name) == 1, name, " is gone; ", written_anew);
  CHECK(rows.size() >= kernels.size());
}

/// Bytes that are written to local memory, of every kernel that spills. Producers with 24 registers (of
/// grouped_weights, chained_linear, and of grouped_inputs and attention, whose tiles are drawn) keep a number or two
/// there. The others are consumers, behind their products, in what they make of sums: see "Layers" in
/// docs/design/epilogue-and-outputs.md. Capped attention of 256 alone has three numbers there in its loop.
const std::string in_its_loop = "attention_d256_capped";
const std::map<std::string, int> known_spills{{in_its_loop, 12},
                                              {"attention_d128", 8},
                                              {"attention_d128_causal_drawn", 52},
                                              {"attention_d128_causal_varlen", 8},
                                              {"attention_d128_causal_varlen_keys_backward", 100},
                                              {"chained_linear_bf16", 4},
                                              {"grouped_inputs_bf16", 16},
                                              {"grouped_weights_bf16", 8},
                                              {"linear_amax_e4m3", 432},
                                              {"linear_gelu_aux_bf16", 220},
                                              {"linear_gelu_bf16", 48},
                                              {"linear_residual_bf16", 188},
                                              {"relu_gradient_bf16", 568},
                                              {"scaled_linear_s8", 8},
                                              {"scaled_linear_s8_s8", 28}};

TEST_CASE("no kernel spills but those that are known to, nor more than is known, and no wgmma waits for another") {
  const auto file = nlohmann::json::parse(tool::measured_machine_code().front());
  for (const auto& row : file["rows"]) {
    CAPTURE(row["name"].get<std::string>());
    const auto known = known_spills.find(row["name"]);
    const int bytes = known == known_spills.end() ? 0 : known->second;
    INFO("fewer: write that down here; more: see what became of its registers");
    CHECK(row["spill_stores"] == bytes);
    CHECK((row["spill_loads"].get<int>() > 0) == (bytes > 0));
    CHECK((row["stack"].get<int>() > 0) == (bytes > 0));  // nothing else lies in local memory
    CHECK((row["local_between"] == 0) == (row["name"] != in_its_loop));
    CHECK(row["serialised"].empty());
  }
}

TEST_CASE("what is not written down is null, and no registers") {
  CHECK(tool::machine_code_of("gemm_bf61").is_null());
  CHECK(tool::compiled_registers("gemm_bf61") == 0);
}

TEST_CASE("CTAs of an SM are counted by the registers that the compiler takes, where they are known") {
  plan by_hand{};
  by_hand.threads = 128;
  by_hand.shared_bytes = 40000;
  CHECK(tell::occupancy_part(by_hand)["by_registers"].is_null());
  CHECK(tell::occupancy_part(by_hand)["ctas"] == 5);
  const nlohmann::json known = tell::occupancy_part(by_hand, 154);  // 20 units of 256 registers for each of 4 warps
  CHECK(known["by_registers"] == 3);
  CHECK(known["ctas"] == 3);
  CHECK(known["limits"] == "registers");
  CHECK(known["warps"] == 12);
  CHECK(tell::occupancy_part(by_hand, 16)["by_registers"] == 32);  // as many as an SM takes of any

  plan planned = by_hand;  // one consumer: nothing moves, and the plan's registers are the launch bound's
  planned.threads = 256;
  planned.producer_registers = planned.consumer_registers = launch_registers(planned);
  CHECK(tell::occupancy_part(planned)["by_registers"] == 1);
  CHECK(tell::occupancy_part(planned, 59)["by_registers"] == 4);
}

}  // namespace
