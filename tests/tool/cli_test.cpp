// The built program as a user meets it: what it prints, where, and with which exit status.
#include <limits>
#include <sstream>

#include "tests/tool/cli.hpp"
#include "tool/sizes.hpp"

namespace {

using namespace cli;

/// Of 70 queries and keys for each head; of three parts of 150 keys.
std::string shape_of_attention(const std::string& name) {
  const sectile::tool::kernel_facts& kernel = sectile::tool::find_kernel(name);
  const bool counts_all_heads = kernel.attention()->varlen;
  std::string shape;
  for (const char letter : size_letters(kernel)) {
    const int size = letter == 'D'                       ? kernel.head_dimension()
                     : letter == 'E'                     ? kernel.output().cols()
                     : letter == 'F'                     ? kernel.input(1).cols()
                     : letter == 'S'                     ? 70
                     : letter == 'T'                     ? 150
                     : letter == 'G'                     ? 2
                     : letter == 'H' && counts_all_heads ? 4
                                                         : 1;
    shape += (shape.empty() ? "" : "x") + std::to_string(size);
  }
  return shape;
}

}  // namespace

TEST_CASE("help and version go to stdout") {
  const scratch_folder folder;
  for (const char* arguments :
       {"--help", "run --help", "random --help", "explain --help", "instructions --help", "layout --help", "list -h"}) {
    CAPTURE(arguments);
    const outcome help = sectile_in(folder, arguments);
    CHECK(help.status == 0);
    CHECK(contains(help.out, "Usage: sectile"));
    CHECK(help.err == "");
  }
  const outcome version = sectile_in(folder, "--version");
  CHECK(version.status == 0);
  CHECK(version.out.starts_with("sectile "));
}

TEST_CASE("a command line that makes no sense is refused in one line") {
  const scratch_folder folder;
  check_refusal(folder, "", "which command?");
  check_refusal(folder, "runn", "there is no command 'runn'; there are list, run,");
  check_refusal(folder, "--frobnicate", "there is no command '--frobnicate'");
  check_refusal(folder, "run", "kernel is required");
  check_refusal(folder, "run gemm_bf16 --frobnicate", "--frobnicate");
  check_refusal(folder, "run gemm_bf16 extra", "extra");
  check_refusal(folder, "run gemm_bf16 --on tpu", "tpu");
  check_refusal(folder, "run gemm_bf16 --seed -1", "'-1' is not a whole number");
  check_refusal(folder, "run gemm_bf16 --seed 99999999999999999999", "--seed");
  check_refusal(folder, "run gemm_bf16 --schedule-seed x", "'x' is not a whole number");
  check_refusal(folder, "run gemm_bf16 --workers 0", "--workers");
  check_refusal(folder, "run gemm_bf16 --shape", "--shape");
  check_refusal(folder, "random --shape 2x2", "--out is required");
}

TEST_CASE("a full disk is not success") {
  const scratch_folder folder;
  if (!std::filesystem::exists("/dev/full")) return;
  const std::string command = "'" SECTILE_CLI "' list >/dev/full 2>/dev/null";
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 2);
}

TEST_CASE("list names every kernel in a line of its own") {
  const scratch_folder folder;
  const outcome list = sectile_in(folder, "list");
  CHECK(list.status == 0);
  for (const char* name : {"gemm_bf16 ",
                           "gemm_bf16_f32 ",
                           "gemm_bf16_nn ",
                           "gemm_bf16_nt ",
                           "gemm_bf16_tt ",
                           "gemm_bf16_blas ",
                           "gemm_bf16_rs ",
                           "gemm_f16 ",
                           "gemm_f16_f16 ",
                           "gemm_tf32 ",
                           "gemm_e4m3 ",
                           "gemm_e5m2 ",
                           "gemm_e4m3_e5m2 ",
                           "gemm_e5m2_e4m3 ",
                           "gemm_e4m3_rs ",
                           "gemm_s8 ",
                           "gemm_u8 ",
                           "gemm_s8_u8 ",
                           "gemm_u8_s8 ",
                           "gemm_s8_saturating ",
                           "gemm_b1 ",
                           "sparse_gemm_f16 ",
                           "sparse_gemm_bf16 ",
                           "sparse_gemm_tf32 ",
                           "sparse_gemm_e4m3 ",
                           "sparse_gemm_e5m2 ",
                           "sparse_gemm_s8 ",
                           "sparse_gemm_u8 ",
                           "linear_gelu_bf16 ",
                           "linear_residual_bf16 ",
                           "swiglu_bf16 ",
                           "scaled_linear_e4m3 ",
                           "scaled_linear_s8 ",
                           "scaled_linear_e4m3_e4m3 ",
                           "scaled_linear_s8_s8 ",
                           "quantized_linear_s8 ",
                           "quantized_linear_e4m3 ",
                           "quantized_linear_s4 ",
                           "chained_linear_bf16 ",
                           "scaled_sum_bf16 ",
                           "gram_bf16 ",
                           "linear_gelu_aux_bf16 ",
                           "relu_gradient_bf16 ",
                           "linear_amax_e4m3 ",
                           "linear_cross_entropy_bf16 ",
                           "softmax_bf16 ",
                           "rms_norm_bf16 ",
                           "layer_norm_bf16 ",
                           "long_softmax_bf16 ",
                           "long_rms_norm_bf16 ",
                           "long_layer_norm_bf16 ",
                           "cast_amax_bf16_e4m3 ",
                           "transposed_copy_bf16 ",
                           "attention_d64 ",
                           "attention_d128 ",
                           "attention_d64_causal ",
                           "attention_d128_causal "}) {
    CAPTURE(name);
    CHECK(contains("\n" + list.out, std::string("\n") + name));
  }
}

TEST_CASE("an unknown kernel is refused with the nearest names") {
  const scratch_folder folder;
  check_refusal(folder, "run gemm_bf61", "there is no kernel 'gemm_bf61'; did you mean gemm_bf16?");
  check_refusal(folder, "explain atention_d64", "did you mean attention_d64?");
  check_refusal(folder, "run attention_d32", "did you mean attention_d64 or attention_d128?");
  check_refusal(folder, "run zzz", "`sectile list` shows those there are");
}

namespace {

/// Runs every `step`-th kernel of the list on the model.
void run_kernels(int step) {
  const scratch_folder folder;
  std::istringstream list(sectile_in(folder, "list").out);
  int kernels = 0;
  for (std::string line; std::getline(list, line); ++kernels) {
    if (kernels % step != 0) continue;
    const std::string kernel = line.substr(0, line.find(' '));
    CAPTURE(kernel);
    const std::string shape = kernel.starts_with("attention")      ? shape_of_attention(kernel)
                              : kernel.starts_with("decode_")      ? shape_of_attention(kernel)
                              : kernel == "gemm_b1"                ? "70x260x1160"
                              : kernel == "gram_bf16"              ? "270x136"
                              : kernel.starts_with("long_")        ? "70x3x88"
                              : kernel.starts_with("grouped_")     ? "4x70x136x80"
                              : kernel.starts_with("gathered_")    ? "4x70x136x50x80"
                              : kernel.ends_with("experts_bf16")   ? "4x70x136x80"
                              : kernel.starts_with("masked_")      ? "4x72x136x80"
                              : kernel == "chained_linear_bf16"    ? "70x260x136x200"
                              : kernel.ends_with("_shuffled")      ? "70x260x192"
                              : kernel.starts_with("convolution_") ? "72x2x9x7x80"
                              : size_letters(sectile::tool::find_kernel(kernel)).size() == 2 ? "70x264"
                                                                                             : "70x260x136";
    const outcome run = sectile_in(folder, "run " + kernel + " --on model --shape " + shape);
    CHECK(run.status == 0);
    CHECK(run.err == "");
    CHECK_MESSAGE(run.out.ends_with("VERIFIED\n"), run.out);
  }
  CHECK(kernels == 110);
}

}  // namespace

TEST_CASE("kernels run on the model and are verified") { run_kernels(4); }

TEST_CASE("every kernel runs on the model and is verified" * doctest::test_suite("exhaustive")) { run_kernels(1); }

TEST_CASE("the model's options are taken") {
  const scratch_folder folder;
  for (const char* arguments :
       {"gemm_bf16_f32 --shape 1x1x1", "gemm_bf16 --shape 200x100x33 --seed 7", "attention_d128 --shape 2x1x130x128",
        "attention_d128_causal --shape 1x1x129x128 --schedule-seed 5 --workers 2",
        "gemm_bf16_f32 --shape 100x300x72 --no-check-hazards", "gemm_bf16 --shape 64x64x64 --check-hazards"}) {
    CAPTURE(arguments);
    const outcome run = sectile_in(folder, std::string("run --on model ") + arguments);
    CHECK(run.status == 0);
    CHECK(run.err == "");
    CHECK(contains(run.out, "CPU model"));
    CHECK(contains(run.out, "error:    relative L2 "));
    CHECK(run.out.ends_with("VERIFIED\n"));
  }
}

TEST_CASE("a GEMM is read for older GPUs as well, and gives the same integers") {
  const scratch_folder folder;
  for (const char* kernel : {"gemm_bf16", "gemm_f16", "gemm_tf32", "gemm_s8"}) {
    for (const char* how : {"wgmma", "wmma", "simt"}) {
      CAPTURE(kernel);
      CAPTURE(how);
      const outcome run = sectile_in(folder, std::string("run ") + kernel + " --on model --shape 70x40x72 --reading " +
                                                 how + " --out " + how + ".npy");
      CHECK(run.status == 0);
      CHECK(run.err == "");
      CHECK_MESSAGE(run.out.ends_with("VERIFIED\n"), run.out);
      CHECK(contains(run.out, ", through wmma") == (std::string(how) == "wmma"));
    }
  }
  CHECK(folder.read("wgmma.npy") == folder.read("wmma.npy"));
  CHECK(folder.read("wgmma.npy") == folder.read("simt.npy"));
  check_refusal(folder, "run gemm_e4m3 --reading wmma",
                "--reading wmma: gemm_e4m3 is read for wgmma only; gemm_bf16, gemm_f16, gemm_tf32, gemm_s8, gemm_u8, "
                "ladder_wmma have this reading");
  check_refusal(folder, "run ladder_tma --reading wmma", "--reading wmma: ladder_tma has one reading, its own; ");
  check_refusal(folder, "run ladder_tma --checked", "--checked: ladder_tma has no plan that guards could be put into");
  check_refusal(folder, "explain ladder_tma",
                "ladder_tma has no plan to explain: it is what kernels/ladder/tma.hpp says");
  check_refusal(folder, "run sparse_gemm_f16 --reading simt", "sparse_gemm_f16 is read for wgmma only");
  check_refusal(folder, "run gemm_s8 --reading simt --schedule-seed 1",
                "--schedule-seed: the model has that for wgmma only");
  check_refusal(folder, "run gemm_s8 --reading mma", "mma");
}

TEST_CASE("the machine is chosen and named") {
  const scratch_folder folder;
  const outcome forced = sectile_in(folder, "run gemm_bf16 --shape 8x8x8 --workers 1");
  CHECK(forced.status == 0);
  CHECK(contains(forced.out, "CPU model (because of --workers)"));
  check_refusal(folder, "run gemm_bf16 --on gpu --schedule-seed 3", "--schedule-seed says how the model runs");
  const outcome any = sectile_in(folder, "run gemm_bf16 --shape 8x8x8");
  CHECK(any.status == 0);
  if (contains(any.out, "machine:  CPU model (")) check_refusal(folder, "run gemm_bf16 --on gpu", "--on gpu: ");
}

TEST_CASE("schedules of the model") {
  const scratch_folder folder;
  const std::string small = "run gemm_bf16 --shape 64x64x64 ";
  const outcome all = sectile_in(folder, small + "--schedule systematic --preemptions 1");
  CHECK(all.status == 0);
  CHECK(contains(all.out, "machine:  CPU model (because of --schedule)"));
  CHECK(contains(all.out, "schedule: all "));
  CHECK(contains(all.out, " schedules with at most 1 preemption\n"));
  CHECK(contains(all.out, "VERIFIED"));
  const outcome some = sectile_in(folder, small + "--schedule systematic --schedules 7");
  CHECK(contains(some.out, "schedule: 7 schedules: the default, and the first of those with 1 preemption\n"));
  const outcome one = sectile_in(folder, small + "--replay 0:0.1");
  CHECK(one.status == 0);
  CHECK(contains(one.out, "schedule: 0:0.1 has no hazard; only its cluster ran"));
  CHECK(sectile_in(folder, small + "--schedule random").status == 0);
  CHECK(sectile_in(folder, small + "--schedule fair").status == 0);
  check_refusal(folder, small + "--schedule unfair", "unfair");
  check_refusal(folder, small + "--schedule fair --schedule-seed 1", "--schedule-seed: only --schedule random");
  check_refusal(folder, small + "--preemptions 1", "--preemptions: only --schedule systematic counts them");
  check_refusal(folder, small + "--schedule random --schedules 5", "--schedules: only --schedule systematic");
  check_refusal(folder, small + "--replay 0:1", "schedule '0:1': '.' is expected at character 4");
  const outcome of_another = sectile_in(folder, small + "--replay 7:");
  CHECK(of_another.status == 2);
  CHECK(contains(of_another.err, "--replay: schedule 7: is of cluster 7; the launch has 1"));
  check_refusal(folder, small + "--replay 0: --schedule-seed 1", "--replay is a schedule; give no other option");
}

TEST_CASE("shapes that no kernel takes are refused") {
  const scratch_folder folder;
  check_refusal(folder, "run gemm_bf16 --shape 1x2", "shape '1x2': it ends before K; expected MxNxK");
  check_refusal(folder, "run gemm_bf16 --shape 0x2x3", "M = 0: every size must be at least 1");
  check_refusal(folder, "run attention_d64 --shape 1x2x3", "expected BxHxSxD");
  check_refusal(folder, "run attention_d64 --shape 1x1x64x128",
                "has D = 128, attention_d64 takes D = 64; use attention_d128");
  check_refusal(folder, "run attention_d64 --shape 1x1x64x96", "there are kernels for D = 64 and 128");
  check_refusal(folder, "run gemm_bf16 --shape 2000000000x2000000000x2", "GB of memory");
  check_refusal(folder, "random --shape 2000000000x2000000000 --out A.npy", "it takes 8000000000000000000 bytes");
  check_refusal(folder, "random --shape 2x2x2 --out A.npy", "expected BxHxSxD");
}

TEST_CASE("random numbers are a function of the seed, and runs repeat") {
  const scratch_folder folder;
  CHECK(sectile_in(folder, "random --shape 20x30 --seed 3 --out a.npy").status == 0);
  CHECK(sectile_in(folder, "random --shape 20x30 --seed 3 --out b.npy").status == 0);
  CHECK(sectile_in(folder, "random --shape 20x30 --seed 4 --out c.npy").status == 0);
  CHECK(folder.read("a.npy") == folder.read("b.npy"));
  CHECK(folder.read("a.npy") != folder.read("c.npy"));
  const outcome f4 = sectile_in(folder, "random --shape 1x2x3x4 --type f4 --out d.npy");
  CHECK(f4.status == 0);
  CHECK(contains(f4.out, "1x2x3x4"));
  const npy_array saved = sectile::tool::read_npy(folder.path / "d.npy");
  CHECK(saved.type == npy_type::f4);
  CHECK(saved.shape == sizes{1, 2, 3, 4});
  CHECK(sectile::tool::read_npy(folder.path / "a.npy").type == npy_type::bf16);
}

TEST_CASE("files are multiplied, whatever K is, and the result is exact where it must be") {
  const scratch_folder folder;
  constexpr std::int64_t m = 37, n = 53, k = 21;  // rows of 42 bytes: TMA needs them padded to 48
  const std::vector<float> a = pattern(m * k, 7), b = pattern(n * k, 5);
  folder.write("a.npy", npy_type::bf16, {m, k}, a);
  folder.write("b.npy", npy_type::f8, {n, k}, b);
  std::vector<float> expected(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t l = 0; l < k; ++l) expected[i * n + j] += a[i * k + l] * b[j * k + l];
    }
  }
  const outcome f32 = sectile_in(folder, "run gemm_bf16_f32 --on model --a a.npy --b b.npy --out c.npy");
  CHECK(f32.status == 0);
  CHECK(contains(f32.out, "b.npy: its numbers ('<f8') are rounded to f32 and then to bf16"));
  CHECK(!contains(f32.out, "a.npy: its numbers"));
  CHECK(contains(f32.out, "written:  c.npy, 37x53 as '<f4'"));
  CHECK(folder.numbers("c.npy") == expected);

  const outcome bf16 = sectile_in(folder, "run gemm_bf16 --on model --a a.npy --b b.npy --out c.npy");
  CHECK(bf16.status == 0);
  const npy_array saved = sectile::tool::read_npy(folder.path / "c.npy");
  CHECK(saved.type == npy_type::bf16);
  CHECK(saved.shape == sizes{m, n});
  CHECK(folder.numbers("c.npy") == expected);  // small whole numbers have a place in bf16
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 5);  // nothing half written is left
}

TEST_CASE("attention runs on files") {
  const scratch_folder folder;
  for (const char* name : {"q", "k", "v"}) {
    CHECK(sectile_in(folder, std::string("random --shape 1x1x70x64 --seed 1 --out ") + name + ".npy").status == 0);
  }
  const outcome run =
      sectile_in(folder, "run attention_d64_causal --on model --q q.npy --k k.npy --v v.npy --out o.npy");
  CHECK(run.status == 0);
  CHECK(run.out.ends_with("VERIFIED\n"));
  CHECK(sectile::tool::read_npy(folder.path / "o.npy").shape == sizes{1, 1, 70, 64});
  // The first row sees one column only, so its result is V's first row.
  const std::vector<float> o = folder.numbers("o.npy"), v = folder.numbers("v.npy");
  CHECK(std::equal(o.begin(), o.begin() + 64, v.begin()));
  check_refusal(folder, "run attention_d128 --q q.npy --k k.npy --v v.npy", "q.npy has D = 64");
  check_refusal(folder, "run attention_d64 --q q.npy --v v.npy", "--k is missing: attention_d64 takes --q, --k, --v");
  check_refusal(folder, "run attention_d64 --a q.npy --b v.npy", "--a: attention_d64 takes --q, --k, --v");
}

TEST_CASE("files that do not fit are refused") {
  const scratch_folder folder;
  folder.write("a.npy", npy_type::f4, {4, 8}, pattern(32, 3));
  folder.write("b.npy", npy_type::f4, {4, 7}, pattern(28, 3));
  folder.write("cube.npy", npy_type::f4, {2, 2, 8}, pattern(32, 3));
  folder.write("nan.npy", npy_type::f4, {1, 8}, {0, 0, 0, std::numeric_limits<float>::quiet_NaN(), 0, 0, 0, 0});
  folder.write("big.npy", npy_type::f4, {1, 8}, std::vector<float>(8, std::numeric_limits<float>::max()));
  std::ofstream(folder.path / "text.npy") << "not numbers";
  std::filesystem::create_directory(folder.path / "folder");
  check_refusal(folder, "run gemm_bf16 --a a.npy", "--b is missing: gemm_bf16 takes --a, --b together");
  check_refusal(folder, "run gemm_bf16 --q a.npy", "--q: gemm_bf16 takes --a, --b");
  check_refusal(folder, "run gemm_bf16 --a a.npy --b b.npy", "both need the same K, not 8 and 7");
  check_refusal(folder, "run gemm_bf16 --a a.npy --b none.npy", "none.npy: there is no such file");
  check_refusal(folder, "run gemm_bf16 --a a.npy --b folder", "folder: it is a folder");
  check_refusal(folder, "run gemm_bf16 --a text.npy --b b.npy", "text.npy: it is no .npy file");
  check_refusal(folder, "run gemm_bf16 --a cube.npy --b b.npy", "cube.npy: it has 3 dimensions");
  check_refusal(folder, "run gemm_bf16 --a nan.npy --b a.npy", "nan.npy: element (0, 3) is nan");
  check_refusal(folder, "run gemm_bf16 --a big.npy --b a.npy", "big.npy: element (0, 0) is inf");
  check_refusal(folder, "run gemm_bf16 --a a.npy --b a.npy --shape 4x4x8", "--shape: the shape is that of the files");
  check_refusal(folder, "run gemm_bf16 --a a.npy --b a.npy --seed 1", "--seed: nothing is random");
}

TEST_CASE("an output that cannot be written is refused before the run") {
  const scratch_folder folder;
  std::filesystem::create_directory(folder.path / "folder");
  check_refusal(folder, "run gemm_bf16 --shape 8x8x8 --out no/c.npy", "no/c.npy: it cannot be written (no folder no)");
  check_refusal(folder, "run gemm_bf16 --shape 8x8x8 --out folder", "folder: it cannot be written (it is a folder)");
  check_refusal(folder, "random --shape 8x8 --out no/c.npy", "no/c.npy: it cannot be written");
  check_refusal(folder, "explain gemm_bf16 --svg no/c.svg", "no/c.svg: it cannot be written");
  check_refusal(folder, "layout 8:1 --svg no/c.svg", "no/c.svg: it cannot be written");
}

TEST_CASE("a result that is not the reference's is exit status 1") {
  const scratch_folder folder;
  // Each factor is finite in bf16; their product is infinite in f32, but not in the float64 reference.
  folder.write("a.npy", npy_type::f4, {1, 8}, std::vector<float>(8, 1e30F));
  const outcome run = sectile_in(folder, "run gemm_bf16_f32 --on model --a a.npy --b a.npy --out c.npy");
  CHECK(run.status == 1);
  CHECK(contains(run.out, "element (0, 0) is inf"));
  CHECK(contains(run.out, "FAILED"));
}

TEST_CASE("explain tells a kernel and draws its tiles") {
  const scratch_folder folder;
  const outcome one = sectile_in(folder, "explain gemm_bf16 --svg tiles.svg");
  CHECK(one.status == 0);
  for (const char* words : {"m64n256k16.f32.bf16.bf16", "Shared memory", "descriptor of A", "Barriers", "Proofs"}) {
    CAPTURE(words);
    CHECK(contains(one.out, words));
  }
  CHECK(contains(folder.read("tiles.svg"), "</svg>"));
  const outcome many = sectile_in(folder, "explain attention_d64 --svg pictures");
  CHECK(many.status == 0);
  for (const char* name : {"Q", "K", "V"}) {
    CHECK(contains(folder.read(std::string("pictures/attention_d64.") + name + ".svg"), "</svg>"));
  }
}

TEST_CASE("layouts are shown") {
  const scratch_folder folder;
  const outcome plain = sectile_in(folder, "layout '((2,2),4):((1,8),2)' --svg l.svg");
  CHECK(plain.status == 0);
  CHECK(contains(plain.out, "layout     ((2,2),4):((1,8),2)\n"));
  CHECK(contains(plain.out, "size 16, cosize 16, rank 2, depth 2\n"));
  CHECK(contains(plain.out, "injective, compact\n"));
  CHECK(contains(folder.read("l.svg"), "</svg>"));
  CHECK(contains(sectile_in(folder, "layout '(4,4):(1,2)'").out, "not injective"));
  CHECK(contains(sectile_in(folder, "layout '(4,4):(1,8)'").out, "not compact: 16 of 28 offsets are used"));
  const outcome swizzled = sectile_in(folder, "layout '(8,64):(64,1)' --swizzle 3,3,3");
  CHECK(swizzled.status == 0);
  CHECK(contains(swizzled.out, "Sw<3,3,3> o 0 o (8,64):(64,1)"));
  CHECK(contains(swizzled.out, "Memory"));
  check_refusal(folder, "layout 8:1 --swizzle 3,4", "--swizzle 3,4: expected bits,base,shift as in 3,4,3");
  check_refusal(folder, "layout 8:1 --swizzle 3,4,1", "is not a swizzle");
  check_refusal(folder, "layout 'Sw<3,4,3> o 8:1' --swizzle 3,4,3", "a swizzle of its own");
  check_refusal(folder, "layout '(1073741824,1073741824):(1,1)' --swizzle 1,0,1", "2^24");
}

TEST_CASE("a layout that cannot be read is shown with a caret under the place") {
  const scratch_folder folder;
  const outcome wrong = sectile_in(folder, "layout '((2,3),4):((1,x),2)'");
  CHECK(wrong.status == 2);
  CHECK(wrong.out == "");
  CHECK(wrong.err ==
        "sectile: layout: position 14: there is no name 'x'\n"
        "  ((2,3),4):((1,x),2)\n"
        "                ^\n");
}
