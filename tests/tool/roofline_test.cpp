// `sectile roofline`: what a problem asks of any machine, what bounds it, and what the command refuses.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/error.hpp>
#include <stdexcept>
#include <string>

#include "tests/tool/cli.hpp"
#include "tool/args.hpp"
#include "tool/input_error.hpp"
#include "tool/problem.hpp"
#include "tool/roofline/roofline.hpp"

namespace roofline_test {
namespace {

using namespace sectile::tool;
using cli::check_refusal, cli::contains, cli::outcome, cli::scratch_folder, cli::sectile_in;

kernel_work work_for(const char* kernel, const std::string& shape) {
  return work_of(find_kernel(kernel), sizes_asked(find_kernel(kernel), shape));
}

/// A GPU of round numbers: 1000 bytes, 100,000 bf16 operations (sparse 160,000) and 200,000 of e4m3 a microsecond.
const gpu_ceilings& round_gpu() {
  static const gpu_ceilings gpu = ceilings_from_json(R"({"device": "Round, 1 SM", "date": "2026-01-02", "rows": [
    {"kind": "dense", "a": "bf16", "sums": "f32", "tflops": 0.09},
    {"kind": "dense", "a": "bf16", "sums": "f32", "tflops": 0.1},
    {"kind": "sparse", "a": "bf16", "sums": "f32", "tflops": 0.16},
    {"kind": "dense", "a": "e4m3", "sums": "f32", "tflops": 0.2},
    {"kind": "dense", "a": "s8", "sums": "s32", "tflops": 0.3},
    {"kind": "memory", "gb_per_s": 1}]})");
  return gpu;
}
roofline bound_for(const char* kernel, const std::string& shape) {
  return roofline_of(find_kernel(kernel), sizes_asked(find_kernel(kernel), shape), round_gpu());
}

}  // namespace

TEST_CASE("sizes are read by the names of their modes, in any order") {
  CHECK(parse_named_shape("M=256,N=512,K=64", "MNK") == std::vector<std::int64_t>{256, 512, 64});
  CHECK(parse_named_shape("K=64,M=256,N=512", "MNK") == std::vector<std::int64_t>{256, 512, 64});
  CHECK(parse_named_shape("256x512x64", "MNK") == std::vector<std::int64_t>{256, 512, 64});
  struct wrong {
    const char *text, *why;
  };
  for (const wrong& w :
       {wrong{"M=1,N=2", "K is missing; expected M=..,N=..,K=.."},
        wrong{"M=1,N=2,K=3,Q=4", "there is no mode 'Q'; expected M=..,N=..,K=.."},
        wrong{"M=1,MN=2,K=3", "there is no mode 'MN'; expected M=..,N=..,K=.."},
        wrong{"M=1,N=2,M=3", "M is there twice"}, wrong{"M=0,N=2,K=3", "M = 0: every size must be at least 1"},
        wrong{"M=1,N=-2,K=3", "N = -2: every size must be at least 1"},
        wrong{"M=1,N=2,K=", "it ends before K; expected M=..,N=..,K=.."},
        wrong{"M=1,N=2,K=x", "'x' at position 10 is no number"}, wrong{"M=1,2,K=3", "'2' at position 4 is no size"},
        wrong{"M=1;N=2", "';' at position 3; sizes are separated by ','"}, wrong{"M=1,", "'' at position 4 is no size"},
        wrong{"M=2147483647,N=2147483647,K=2147483647", "over 2^63 - 1"}}) {
    CAPTURE(w.text);
    try {
      parse_named_shape(w.text, "MNK");
      FAIL("accepted");
    } catch (const input_error& error) {
      CHECK_MESSAGE(contains(error.what(), w.why), error.what());
    }
  }
}

TEST_CASE("operations are those of the products, whatever is done to their sums") {
  constexpr double mnk = 2.0 * 256 * 512 * 64;
  CHECK(work_for("gemm_bf16", "256x512x64").operations == mnk);
  CHECK(work_for("sparse_gemm_bf16", "256x512x64").operations == mnk);
  CHECK(work_for("linear_amax_e4m3", "256x512x64").operations == mnk);
  CHECK(work_for("swiglu_bf16", "256x512x64").operations == 2 * mnk);
  CHECK(work_for("gram_bf16", "M=256,K=64").operations == 2.0 * 256 * 256 * 64);
  CHECK(work_for("chained_linear_bf16", "M=10,N=20,K=30,L=40").operations == 2.0 * 10 * 30 * 40 + 2.0 * 10 * 40 * 20);
  CHECK(work_for("attention_d64", "B=2,H=3,S=100,D=64").operations == 4.0 * 2 * 3 * 100 * 100 * 64);
  CHECK(work_for("attention_d64_causal", "B=2,H=3,S=100,D=64").operations == 4.0 * 2 * 3 * 100 * 50.5 * 64);
  CHECK(work_for("attention_d128_delta", "B=2,H=3,S=100,D=128").operations == 0);
  CHECK(work_for("attention_d128_keys_backward", "B=2,H=3,S=100,D=128").operations == 8.0 * 2 * 3 * 100 * 100 * 128);
  CHECK(work_for("attention_d64_causal_queries_backward", "B=2,H=3,S=100,D=64").operations ==
        6.0 * 2 * 3 * 100 * 50.5 * 64);
  for (const char* kernel : {"softmax_bf16", "layer_norm_bf16", "cast_amax_bf16_e4m3", "transposed_copy_bf16"})
    CHECK(work_for(kernel, "100x200").operations == 0);
}

TEST_CASE("bytes are every operand's once, of a sparse one its half and its metadata") {
  const kernel_work dense = work_for("gemm_bf16", "256x512x64");
  REQUIRE(dense.moved.size() == 3);
  CHECK(dense.moved[0].name == "A");
  CHECK(dense.moved[0].bytes == 2 * 256 * 64);
  CHECK(dense.moved[1].bytes == 2 * 512 * 64);
  CHECK(dense.moved[2].bytes == 2 * 256 * 512);
  CHECK(dense.bytes() == 2 * (256 * 64 + 512 * 64 + 256 * 512));
  CHECK(work_for("sparse_gemm_bf16", "256x512x64").moved[0].bytes == 256 * 64 + 256 * 64 / 8);
  CHECK(work_for("sparse_gemm_tf32", "256x512x64").moved[0].bytes == 2 * 256 * 64 + 256 * 64 / 4);
  CHECK(work_for("gemm_b1", "256x512x1024").moved[0].bytes == 256 * 1024 / 8);
  CHECK(work_for("quantized_linear_s4", "256x512x64").moved[0].bytes == 256 * 64 / 2);
  CHECK(work_for("cast_amax_bf16_e4m3", "100x200").bytes() == 2 * 100 * 200 + 100 * 200 + 4 + 4);  // scale and amax
}

TEST_CASE("the slower of the tensor cores and memory bounds") {
  const roofline large = bound_for("gemm_bf16", "1000x1000x1000"), thin = bound_for("gemm_bf16", "1x1000x1000");
  CHECK(large.tensor_us() == doctest::Approx(2e9 / 1e5));  // by the fastest of the two rows
  CHECK(large.memory_us() == doctest::Approx(6e6 / 1e3));
  CHECK(large.bound_us() == large.tensor_us());
  CHECK(contains(bound_text(large), "bound:        20000.0 us, by the tensor cores\n"));
  CHECK(contains(bound_text(large), "333.3 for each byte (with more than 100.0 the tensor cores bound it"));
  CHECK(thin.bound_us() == thin.memory_us());
  CHECK(contains(bound_text(thin), ", by memory\n"));
  CHECK(contains(reached_text(large, 25000), "25000.0 us, 0.80 of the bound (80.0 GFLOP/s, 240.0 MB/s)"));
  const roofline rows = bound_for("softmax_bf16", "1000x1000");
  CHECK(rows.bound_us() == doctest::Approx(4000));
  CHECK(contains(bound_text(rows), "by memory alone: no matrices are multiplied"));
  CHECK(contains(reached_text(rows, 5000), "5000.0 us, 0.80 of the bound (800.0 MB/s)"));
}

TEST_CASE("a type that was not measured has the pace of one that was, if there is one") {
  CHECK(bound_for("sparse_gemm_bf16", "1000x1000x1000").tensor_us() == doctest::Approx(2e9 / 1.6e5));
  CHECK(bound_for("gemm_e5m2_e4m3", "1000x1000x1000").tensor_us() == doctest::Approx(2e9 / 2e5));
  CHECK(bound_for("gemm_u8", "1000x1000x1000").tensor_us() == doctest::Approx(2e9 / 3e5));
  const roofline unknown = bound_for("gemm_tf32", "1000x1000x1000");
  CHECK(unknown.products == nullptr);
  CHECK(contains(bound_text(unknown), "nobody has measured what the tensor cores reach of such products"));
  CHECK_THROWS_AS(ceilings_from_json("{}"), std::runtime_error);
  CHECK_THROWS_WITH_AS(ceilings_from_json(R"({"device": "X", "date": "", "rows": []})"),
                       "ceilings: no copy of memory was measured", std::runtime_error);
}

TEST_CASE(
    "every kernel has a bound on the GPU that was measured, and those with a plan a prediction above half of it") {
  const gpu_ceilings& gpu = ceilings_of("NVIDIA H200");
  CHECK(gpu.gpu == "NVIDIA H200");
  CHECK(&ceilings_of("GeForce") == &gpu);
  for (const kernel_facts& kernel : kernel_list()) {
    CAPTURE(kernel.name);
    const named_sizes sizes = sizes_asked(kernel, default_shape(kernel, machine::gpu));
    CHECK_NOTHROW(require_taken(kernel, sizes));
    const roofline bound = roofline_of(kernel, sizes, gpu);
    CHECK((bound.products != nullptr) == (bound.work.operations > 0));
    bool predicted = kernel.planned != nullptr;
    for (const char* masked :
         {"causal", "window", "alibi", "d192x128", "grouped", "masked", "experts", "gathered", "decode"})
      predicted = predicted && !contains(std::string(kernel.name), masked);
    CHECK(why_not_predicted(kernel).empty() == predicted);
    if (predicted) CHECK(predicted_us(kernel, sizes, gpu.gpu) > bound.bound_us() / 2);
  }
}

TEST_CASE("what cannot be asked is refused in one line") {
  const scratch_folder folder;
  check_refusal(folder, "roofline", "kernel is required");
  check_refusal(folder, "roofline gemm_bf16", "--shape is required");
  check_refusal(folder, "roofline gemm_bf61 --shape 1x1x1", "there is no kernel 'gemm_bf61'; did you mean gemm_bf16?");
  check_refusal(folder, "roofline gemm_bf16 --shape M=64,N=64",
                "gemm_bf16 has the modes M, N, K: shape 'M=64,N=64': K is missing; expected M=..,N=..,K=..");
  check_refusal(folder, "roofline softmax_bf16 --shape M=64,N=64,K=8",
                "softmax_bf16 has the modes M, N: shape 'M=64,N=64,K=8': there is no mode 'K'");
  check_refusal(folder, "roofline gemm_bf16 --shape M=0,N=1,K=1", "M = 0: every size must be at least 1");
  check_refusal(folder, "roofline gemm_bf16 --shape M=-4,N=1,K=1", "M = -4: every size must be at least 1");
  check_refusal(folder, "roofline gemm_bf16 --shape M=2147483647,N=1,K=1", "M = 2147483647");
  check_refusal(folder, "roofline attention_d64 --shape B=1,H=1,S=64,D=128", "use attention_d128");
  check_refusal(folder, "roofline sparse_gemm_bf16 --shape 64x64x66", "operand A: K = 66 is not a multiple of 4");
  check_refusal(folder, "roofline long_rms_norm_bf16 --shape 8x9x9999", "operand");
}

TEST_CASE("the command says what bounds, what is predicted, and what was measured or why nothing was") {
  const scratch_folder folder;
  const outcome told = sectile_in(folder, "roofline gemm_bf16 --predict --shape M=1024,N=512,K=256");
  CHECK(told.status == 0);
  CHECK(told.err == "");
  for (const char* words : {"kernel:       gemm_bf16 with M = 1024, N = 512, K = 256\n", "machine:      NVIDIA H",
                            "operations:   268.4 MFLOP, ",
                            "bytes:        1.84 MB to move at least (A 524.3 kB, B 262.1 kB, "
                            "C 1.05 MB)\n",
                            "by the cost model\n"})
    CHECK_MESSAGE(contains(told.out, words), told.out);
  CHECK_MESSAGE(told.out.ends_with("measured:     nothing, because of --predict\n"), told.out);
  if (!why_no_gpu().empty())
    CHECK(contains(sectile_in(folder, "roofline softmax_bf16 --shape 8x64").out,
                   "measured:     nothing, because " + why_no_gpu().substr(0, why_no_gpu().find(';'))));
  const outcome by_hand = sectile_in(folder, "roofline ladder_wmma --predict --shape 64x64x64");
  CHECK(by_hand.status == 0);
  CHECK(contains(by_hand.out, "predicted:    nothing, because the cost model knows planned kernels only\n"));
}

}  // namespace roofline_test
