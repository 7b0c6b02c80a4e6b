// The facts of a kernel: that each number in the document is the plan's, and that what is decoded is what was encoded.
#include <doctest/doctest.h>

#include <sectile/dsl/tell/explain.hpp>
#include <sectile/dsl/tell/facts/facts.hpp>
#include <sectile/dsl/tell/ptx_text.hpp>
#include <sectile/layouts/expression.hpp>

#include "tests/exhaustively.hpp"
#include "tests/tell/facts_kit.hpp"
#include "tool/kernel_list.hpp"
#include "tool/records.hpp"

namespace {

using namespace facts_kit;

const json& gemm_facts() {
  static const json facts =
      tell::facts_of(*tool::find_record(tool::find_kernel("gemm_bf16")), {.name = "gemm_bf16", .summary = "C = A B^T"});
  return facts;
}
const plan& p = *tool::find_kernel("gemm_bf16").planned;

/// A kernel whose rows do not split over its consumers.
using refused_gemm = any_gemm<96, 64, 64, configuration{.stages = 3}>;
/// A kernel that is planned, but whose producer would wait forever.
using stuck_gemm = any_gemm<128, 64, 64, configuration{.stages = 1}>;

}  // namespace

TEST_CASE("a document has all of its parts") {
  const json& j = gemm_facts();
  for (const char* part :
       {"name",     "title",      "summary",   "refused",   "source",    "configuration", "grid",
        "operands", "products",   "fragments", "memory",    "shared",    "barriers",      "registers",
        "epilogue", "banks",      "positions", "proofs",    "timeline",  "instructions",  "ptx",
        "run",      "variations", "figures",   "hierarchy", "occupancy", "bound"}) {
    CAPTURE(part);
    CHECK(j.contains(part));
  }
  CHECK(j["name"] == "gemm_bf16");
  CHECK(j["title"] == "gemm_bf16");
  CHECK(j["summary"] == "C = A B^T");
  CHECK(j["refused"].is_null());
  CHECK(j["run"].is_null());
}

TEST_CASE("configuration, grid, shared memory and registers are the plan's") {
  const json& j = gemm_facts();
  CHECK(j["configuration"]["stages"] == p.how.stages);
  CHECK(j["configuration"]["consumers"] == p.how.consumers);
  CHECK(j["configuration"]["cluster"]["rows"] == p.how.cluster.rows);
  CHECK(j["configuration"]["persistent"] == p.how.persistent);
  CHECK(j["configuration"]["threads"] == p.threads);
  CHECK(j["grid"]["tile"] == json{128, 256});
  CHECK(j["grid"]["cluster_tile"] == json{256, 256});
  CHECK(j["shared"]["bytes"] == p.shared_bytes);
  CHECK(j["shared"]["limit"] == shared_memory_limit);
  CHECK(j["registers"]["producer"] == p.producer_registers);
  CHECK(j["registers"]["consumer"] == p.consumer_registers);
  CHECK(j["registers"]["fragments"] == p.accumulator_registers);
  // 128 of its 168 registers at launch, 384 threads: a second CTA would need as many again, and as many bytes.
  CHECK(j["occupancy"]["ctas"] == 1);
  CHECK(j["occupancy"]["limits"] == "shared memory and registers");
  CHECK(j["occupancy"]["by_threads"] == 5);
  CHECK(j["epilogue"]["panels"] == p.epilogue[0].panels);
  CHECK(j["epilogue"]["deferred"] == p.epilogue[0].deferred);
  CHECK(j["epilogue"]["bank_conflicts"] == 1);
  CHECK(j["banks"][0]["conflicts"] == 1);
  CHECK(j["banks"][0]["conflicts_without_swizzle"] == 8);  // eight rows of 128 bytes begin in one bank
}

TEST_CASE("memory covers the kernel's bytes without overlaps, barriers are where they lie") {
  const json& j = gemm_facts();
  int end = 0, used = 0;
  for (const json& m : j["memory"]) {
    CHECK(m["offset"].get<int>() >= end);
    CHECK(m["offset"].get<int>() % m["alignment"].get<int>() == 0);
    end = m["offset"].get<int>() + m["bytes"].get<int>();
    used += m["bytes"].get<int>();
  }
  CHECK(end <= p.shared_bytes);
  CHECK(j["shared"]["used"] == used);
  CHECK(j["memory"].size() == static_cast<std::size_t>(2 * p.ring[0].stages + p.how.consumers + 2));
  const json& full = entry(j["barriers"], "kind", "full");
  CHECK(full["offset"] == p.ring[0].full_barrier);
  CHECK(full["bytes"] == p.ring[0].transaction_bytes);
  CHECK(entry(j["barriers"], "kind", "empty")["arrivals"] == p.ring[0].empty_arrivals);
}

TEST_CASE("operands are told from global memory to the descriptor") {
  const json& a = entry(gemm_facts()["operands"], "name", "A");
  CHECK(a["tile"] == json{128, 64});
  CHECK(a["modes"] == json{"M", "K"});
  CHECK(a["tile_bytes"] == p.operand[0].tile_bytes);
  CHECK(a["major"] == "K");
  CHECK(a["layout"] == "Sw<3,3,3> o 0 o (128,(64,1)):(64,(1,8192))");
  CHECK(a["swizzle"]["bytes"] == 128);
  CHECK(a["swizzle"]["notation"] == "Sw<3,4,3>");
  CHECK(a["global"]["modes"] == json{"K", "M"});
  CHECK(a["global"]["stepped"] == json{"M", "K"});
  CHECK(a["box"]["extent"] == json{64, 128});
  CHECK(a["box"]["bytes"] == bytes(p.operand[0].box));
  const json& b = entry(gemm_facts()["operands"], "name", "B");
  CHECK(b["multicast"]["slices"] == 2);
  CHECK(b["multicast"]["slice_lines"] == 128);
  CHECK(mentions(b["copy"], "multicast::cluster"));
  const json& c = entry(gemm_facts()["operands"], "name", "C");
  CHECK(c["kind"] == "output");
  CHECK(c["panel"]["width"] == p.epilogue[0].panel_cols);
}

TEST_CASE("of several outputs each has its panels, its box and its banks") {
  const tell::kernel_record kernel = *tool::find_record(tool::find_kernel("linear_gelu_aux_bf16"));
  const plan& kept = *kernel.planned;
  const json facts = tell::facts_of(kernel, {.name = "linear_gelu_aux", .summary = "C = gelu(Z)"});
  REQUIRE(facts["epilogue"]["outputs"].size() == 2);
  CHECK(facts["epilogue"]["operand"] == "Z");
  CHECK(facts["epilogue"]["says"].size() == 2);
  for (int n = 0; n < 2; ++n) {
    const char* name = n == 0 ? "Z" : "C";
    CAPTURE(name);
    CHECK(facts["epilogue"]["outputs"][static_cast<std::size_t>(n)]["operand"] == name);
    CHECK(facts["epilogue"]["outputs"][static_cast<std::size_t>(n)]["offset"] == kept.epilogue[n].offset);
    CHECK(entry(facts["operands"], "name", name)["offset"] == kept.epilogue[n].offset);
    CHECK(entry(facts["operands"], "name", name)["panel"]["count"] == kept.how.sharers() * kept.epilogue[n].panels);
    CHECK(entry(facts["banks"], "operand", name)["conflicts"] == 1);
  }
  CHECK(entry(facts["proofs"], "name", "alignment")["counts"]["panels"] == 8);
  CHECK(entry(facts["proofs"], "name", "fragments")["counts"]["panels"] == 8);
  CHECK(facts["figures"].contains("Z.global"));
  CHECK(facts["figures"].contains("C.global"));
}

TEST_CASE("an input that no product reads has a tile, boxes and pictures, and no descriptor") {
  const tell::kernel_record kernel = *tool::find_record(tool::find_kernel("relu_gradient_bf16"));
  const json all = tell::facts_of(kernel);
  const json& r = entry(all["operands"], "name", "Z");
  CHECK(r["role"] == "addend");
  CHECK(r["to_registers"] == true);
  CHECK(r["descriptor"].is_null());
  CHECK(r["tile_bytes"] == 128 * 128 * 2);
  CHECK(r["box"]["bytes"].get<int>() * r["box"]["count"].get<int>() == 128 * 128 * 2);
  for (const char* picture : {"Z.global", "Z.box", "Z.memory", "Z.banks"}) CHECK(all["figures"].contains(picture));
  CHECK(!all["figures"].contains("Z.descriptor"));
  CHECK(tell::operands_text(*kernel.planned).find("  Z        addend") != std::string::npos);
}

TEST_CASE("what a tile's swizzle is for: core matrices without bank conflicts") {
  const json& core = entry(gemm_facts()["operands"], "name", "A")["core_matrix"];
  CHECK(core["conflicts"] == 1);
  CHECK(core["conflicts_without_swizzle"] == 8);  // rows of 128 bytes begin in one bank
}

TEST_CASE("the expression of an operand's tile is its layout") {
  for (const char* name : {"A", "B"}) {
    const json& o = entry(gemm_facts()["operands"], "name", name);
    const std::string expression = o["expression"], layout = o["layout"];
    CAPTURE(expression);
    CHECK(to_string(evaluate("(" + expression + ") == (" + layout + ")")) == "true");
  }
}

TEST_CASE("a descriptor's fields, put together again, are the descriptor") {
  for (const char* name : {"A", "B"}) {
    const json& d = entry(gemm_facts()["operands"], "name", name)["descriptor"];
    const std::uint64_t bits = std::stoull(d["hex"].get<std::string>(), nullptr, 16);
    std::uint64_t again = 0, covered = 0;
    for (const json& f : d["fields"]) {
      const int first = f["first_bit"], last = f["last_bit"];
      const std::uint64_t mask = ((std::uint64_t{1} << (last - first + 1)) - 1) << first;
      CHECK((covered & mask) == 0);
      covered |= mask;
      again |= f["value"].get<std::uint64_t>() << first;
    }
    CHECK(again == bits);
    CHECK(covered == ~descriptor_reserved_bits);
    CHECK(check(bits).ok());
    const matrix_descriptor decoded = decode(bits);
    CHECK(d["lbo"] == decoded.leading_bytes);
    CHECK(d["sbo"] == decoded.stride_bytes);
    CHECK(decoded.start_bytes == static_cast<unsigned>(p.ring[0].offset + p.operand[name[0] - 'A'].stage_offset));
    CHECK(d["k_steps"] == json{0, 32, 64, 96});
    CHECK(d["k_step_bytes"] == 32);
  }
  CHECK(entry(gemm_facts()["operands"], "name", "A")["descriptor"]["block_bytes"] == 64 * 128);
}

TEST_CASE("products, fragments and rows of the instruction table") {
  const json& j = gemm_facts();
  REQUIRE(j["products"].size() == 1);
  const json& q = j["products"][0];
  CHECK(q["instruction"] == "m64n256k16");
  CHECK(q["count_per_trip"] == p.products.at[0].k_steps * p.products.at[0].m_blocks);
  CHECK(q["a"] == "A");
  CHECK(q["b"] == "B");
  CHECK(q["a_source"] == "shared memory");
  CHECK(q["ptx"] == tell::instruction_text(p.products.at[0].instruction));
  CHECK(j["fragments"].size() == 1);
  CHECK(j["fragments"][0]["registers"] == 128);
  CHECK(j["fragments"][0]["layout"] == "((4,8,4),(2,2,32)):((128,1,16),(64,8,512))");
  CHECK(j["instructions"].size() == 1);
  CHECK(j["instructions"][0]["sum"] == "terms aligned to 25 bits, the sum cut to 23");
  CHECK(j["ptx"] == tell::ptx_text(p));
}

TEST_CASE("every proof is told with what it covered, in numbers that the plan bears out") {
  const json& proofs = gemm_facts()["proofs"];
  CHECK(proofs.size() == 8);
  for (const json& proof : proofs) {
    CAPTURE(proof["name"].get<std::string>());
    CHECK(proof["holds"] == true);
    CHECK(!proof["covered"].get<std::string>().empty());
    for (const json& number : proof["counts"]) CHECK(number.get<long>() > 0);
  }
  const json& reach = entry(proofs, "name", "reachability")["counts"];
  CHECK(reach["chunks"] == (128 + 256) * 64 * 2 / 16);
  CHECK(reach["descriptors"] == 2 * 4 + 4);  // blocks of 64 rows x K steps of A, K steps of B
  CHECK(entry(proofs, "name", "feeding")["counts"]["wgmmas"] == 8);
  const json& protocol = entry(proofs, "name", "protocol")["counts"];
  CHECK(protocol["agents"] == 2 * 3);
  CHECK(protocol["runs"] == protocol::tried_runs(p));
  CHECK(protocol["longest"] == 2 * 4 + 1);
  const json& fragments = entry(proofs, "name", "fragments")["counts"];
  CHECK(fragments["panels"].get<int>() * fragments["panel_elements"].get<int>() == 128 * 256);
}

TEST_CASE("what the protocol's proof went through is counted: copies and products of all runs") {
  // Runs of k = 1 .. 5 and of 9 trips; those of at most stages + 1 walk two tiles. Each CTA copies A and its half of B
  // in a trip, and its two consumers multiply once; each consumer stores 4 panels of a tile.
  int trips = 0, tiles = 0;
  for (int k = 1; k <= protocol::longest(p); ++k) {
    if (k > p.how.stages + 1 && k < protocol::longest(p)) continue;
    const int items = k <= p.how.stages + 1 ? 2 : 1;
    trips += k * items;
    tiles += items;
  }
  const json& c = entry(gemm_facts()["proofs"], "name", "protocol")["counts"];
  CHECK(c["products"] == 2 * 2 * trips);
  CHECK(c["copies"] == 2 * (2 * trips + 2 * p.epilogue[0].panels * tiles));
}

TEST_CASE("a kernel that is refused: the sentence, and what can still be said") {
  static_assert(!plan_of<refused_gemm>.refusal.holds());
  const json j = tell::facts<refused_gemm>({.source = __FILE__});
  CHECK(j["refused"] == plan_of<refused_gemm>.refusal.says.text);
  CHECK(j["planned"] == false);
  CHECK(j["operands"].size() == 3);
  CHECK(j["operands"][0]["tile"] == json{96, 64});
  CHECK(!j["operands"][0].contains("descriptor"));
  CHECK(j["configuration"]["stages"] == 3);
  CHECK(j["proofs"].empty());
  CHECK(j["figures"].empty());
  // One consumer would not do either: 96 rows are no multiple of 64.
  for (const json& v : j["variations"]) CHECK(v["holds"] == false);
}

TEST_CASE("a kernel that a proof refuses: all facts, and the proof that fails") {
  static_assert(plan_of<stuck_gemm>.refusal.holds());
  const json j = tell::facts_of(tell::record_alone<stuck_gemm>());  // without its variations
  CHECK(j["refused"] == verdict_of<stuck_gemm>.says.text);
  CHECK(mentions(j["refused"], "the producer waits forever for a free stage of A"));
  CHECK(j["planned"] == true);
  CHECK(j["shared"]["bytes"] == plan_of<stuck_gemm>.shared_bytes);
  const json& protocol = entry(j["proofs"], "name", "protocol");
  CHECK(protocol["holds"] == false);
  CHECK(protocol["says"] == j["refused"]);
  CHECK(entry(j["proofs"], "name", "legality")["holds"] == true);
  if constexpr (test::exhaustively) {
    const json all = tell::facts<stuck_gemm>();
    CHECK(all["refused"] == j["refused"]);
    const json& more = entry(all["variations"], "to", "2");
    CHECK(more["constant"] == "stages");
    CHECK(more["holds"] == true);
  }
}

TEST_CASE("a checked run is told as it was handed in") {
  tell::checked_run run{.machine = "CPU model", .shape = "256x256x64", .error = "none", .ok = true};
  const json j = tell::facts<refused_gemm>({.run = run, .figures = false});
  CHECK(j["run"]["machine"] == "CPU model");
  CHECK(j["run"]["ok"] == true);
  CHECK(j["run"]["hazards"].empty());
  run.hazard = "a stage is overwritten";
  CHECK(tell::facts<refused_gemm>({.run = run, .figures = false})["run"]["hazards"] == json::array({run.hazard}));
}
