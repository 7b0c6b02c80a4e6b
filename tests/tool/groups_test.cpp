// Products of groups in the tool: ends that are made, ends from files, and what is told of them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/tool/cli.hpp"
#include "tool/input_error.hpp"
#include "tool/problem.hpp"
#include "tool/roofline/work.hpp"

namespace {

using namespace cli;
using sectile::tool::find_kernel, sectile::tool::random_problem, sectile::tool::reading;

/// Two groups of rows, of 2 x 3 matrices: 3 of 5 rows are the second's.
void write_groups(const scratch_folder& folder) {
  folder.write("x.npy", npy_type::f4, {5, 3}, {1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 1, 0, 0, 0, 1});
  folder.write("w.npy", npy_type::f4, {2, 2, 3}, {1, 1, 1, 1, 0, -1, 2, 3, 4, 5, 6, 7});
  folder.write("ends.npy", npy_type::i4, {2}, {2, 5});
}
constexpr const char* from_files = "run grouped_gemm_bf16 --on model --x x.npy --w w.npy --ends ";

}  // namespace

TEST_CASE("groups are unlike each other, some are empty, and the last ends where the rows do") {
  const auto p = random_problem(find_kernel("grouped_gemm_bf16"), reading::wgmma, "7x300x8x8", 0);
  CHECK(p.inputs[0].shape == sizes{300, 8});
  CHECK(p.inputs[1].shape == sizes{7, 8, 8});
  CHECK(p.output_shapes[0] == sizes{300, 8});
  CHECK(p.inputs[2].values == std::vector<float>{30, 90, 90, 210, 240, 300, 300});
}

TEST_CASE("groups come from files, and each has its matrix") {
  const scratch_folder folder;
  write_groups(folder);
  const outcome ran = sectile_in(folder, std::string(from_files) + "ends.npy --out y.npy");
  CHECK_MESSAGE(ran.status == 0, ran.err);
  CHECK(contains(ran.out, "Y_e = X_e W_e^T with E = 2, T = 5, N = 2, K = 3\n"));
  CHECK(folder.numbers("y.npy") == std::vector<float>{6, -2, 15, -2, 2, 5, 3, 6, 4, 7});
}

TEST_CASE("ends that are none are refused, and groups that do not fit together") {
  const scratch_folder folder;
  write_groups(folder);
  folder.write("falls.npy", npy_type::i4, {2}, {6, 5});
  folder.write("short.npy", npy_type::i4, {2}, {2, 4});
  folder.write("three.npy", npy_type::i4, {3}, {2, 4, 5});
  for (const char* file : {"falls.npy", "short.npy"})
    check_refusal(folder, std::string(from_files) + file, "ends of groups do not fall, from 0 or more up to 5");
  check_refusal(folder, std::string(from_files) + "three.npy", "ends is E, so both need the same E, not 2 and 3");
}

TEST_CASE("rooms are filled in part, and nobody's rows stay as they were") {
  const auto p = random_problem(find_kernel("masked_gemm_bf16"), reading::wgmma, "5x200x8x8", 0);
  CHECK(p.inputs[2].values == std::vector<float>{10, 20, 0, 40, 10});
  CHECK(p.inputs[2].note == "counts: 5 groups of up to 40 rows, in rooms of 40");
  CHECK_THROWS_WITH_AS(random_problem(find_kernel("masked_gemm_bf16"), reading::wgmma, "3x200x8x8", 0),
                       "T = 200 rows are no rooms of as many rows each for 3 groups", sectile::tool::input_error);
  const scratch_folder folder;
  folder.write("x.npy", npy_type::f4, {4, 3}, {1, 2, 3, 9, 9, 9, 1, 0, 0, 0, 1, 0});
  folder.write("w.npy", npy_type::f4, {2, 2, 3}, {1, 1, 1, 1, 0, -1, 2, 3, 4, 5, 6, 7});
  folder.write("counts.npy", npy_type::i4, {2}, {1, 2});
  folder.write("three.npy", npy_type::i4, {2}, {1, 3});
  const std::string command = "run masked_gemm_bf16 --on model --x x.npy --w w.npy --counts ";
  const outcome ran = sectile_in(folder, command + "counts.npy --out y.npy");
  CHECK_MESSAGE(ran.status == 0, ran.err);
  std::vector<float> y = folder.numbers("y.npy");
  for (const std::size_t i : {2U, 3U}) CHECK(std::isnan(std::exchange(y[i], 0.0F)));
  CHECK(y == std::vector<float>{6, -2, 0, 0, 2, 5, 3, 6});
  check_refusal(folder, command + "three.npy", "three.npy: a group has from 0 up to 2 rows, its room, not 3");
  CHECK(contains(sectile_in(folder, "explain masked_gemm_bf16").out,
                 "X and Y: the rows of all groups, each in a room of its own"));
}

TEST_CASE("groups whose sums are scaled by blocks of K") {
  const scratch_folder folder;
  for (const char* problem : {"grouped_block_scaled_gemm_e4m3 --shape 5x150x136x288",
                              "masked_block_scaled_gemm_e4m3 --shape 3x150x136x160"}) {
    const outcome ran = sectile_in(folder, std::string("run --on model ") + problem);
    CAPTURE(ran.err);
    CHECK_MESSAGE(ran.out.ends_with("VERIFIED\n"), ran.out);
  }
  CHECK(contains(sectile_in(folder, "run --help").out, "SX: KB x T"));
}

TEST_CASE("each row of a group is multiplied once, whatever the product sums over") {
  for (const char* kernel : {"grouped_gemm_bf16", "grouped_weights_bf16"}) {
    const auto sizes = sizes_asked(find_kernel(kernel), "E=10,T=300,N=20,K=40");
    CHECK(work_of(find_kernel(kernel), sizes).operations == 2.0 * 300 * 20 * 40);
  }
  const auto& gated = find_kernel("gated_experts_bf16");
  CHECK(work_of(gated, sizes_asked(gated, "E=10,T=300,N=20,K=40")).operations == 4.0 * 300 * 20 * 40);
}

TEST_CASE("maps of groups have four dimensions, and a group's end is an edge") {
  const scratch_folder folder;
  const std::string said = sectile_in(folder, "explain grouped_gemm_bf16").out;
  for (const char* words : {"X    cp.async.bulk.tensor.4d.shared::cluster", "W    cp.async.bulk.tensor.3d.",
                            "Y    cp.async.bulk.tensor.4d.global", "read by each role: where groups along T end",
                            "tiles of each group are visited in bands", "X and Y: the rows of all groups"})
    CHECK_MESSAGE(contains(said, words), said);
  const std::string drawn = sectile_in(folder, "figure grouped_gemm_bf16 X.global").out;
  CHECK_MESSAGE(contains(drawn, "the rows of all E groups one behind the other"), drawn);
  CHECK_FALSE(contains(drawn, "the batches"));
}

TEST_CASE("sequences of queries and of keys are unlike each other, and empty in other places") {
  const auto p = random_problem(find_kernel("attention_d128_causal_varlen"), reading::wgmma, "5x4x90x128x2", 0);
  CHECK(p.inputs[0].shape == sizes{4, 90, 128});
  CHECK(p.inputs[1].shape == sizes{2, 90, 128});
  CHECK(p.inputs[3].values == std::vector<float>{11, 33, 33, 78, 90});
  CHECK(p.inputs[4].values == std::vector<float>{20, 20, 60, 70, 90});
  CHECK(p.output_shapes[0] == sizes{4, 90, 128});
  CHECK(p.output_shapes[1] == sizes{4, 90});
  CHECK_THROWS_WITH_AS(random_problem(find_kernel("attention_d128_causal_varlen"), reading::wgmma, "5x3x90x128x2", 0),
                       "H = 3 heads cannot share the keys of G = 2: each of these has as many",
                       sectile::tool::input_error);
}

TEST_CASE("packed sequences are run, checked one by one, and told of") {
  const scratch_folder folder;
  const outcome ran = sectile_in(folder, "run --on model attention_d128_causal_varlen --shape 5x4x200x128x2");
  CHECK_MESSAGE(ran.out.ends_with("VERIFIED\n"), ran.out);
  CHECK(contains(ran.out, "causal, sequence by sequence, with B = 5, H = 4, S = 200, D = 128, G = 2"));
  for (const char* back : {"keys_backward --shape 5x2x200x128x4", "queries_backward --shape 5x4x200x128x2"}) {
    const outcome made = sectile_in(folder, std::string("run --on model attention_d128_causal_varlen_") + back);
    CHECK_MESSAGE(made.out.ends_with("VERIFIED\n"), (made.out + made.err));
    CHECK(contains(made.out, "causal, sequence by sequence, with B = 5"));
  }
  const std::string said = sectile_in(folder, "explain attention_d128_causal_varlen").out;
  for (const char* words :
       {"query_ends  vector", "read by each role: where groups along T end",
        "  Q and O: the rows of all groups, one behind the other, in a tensor map of 5 dimensions, in "
        "which the end of a group along S is an edge\n",
        "  K and V: the rows of all groups", "Q     cp.async.bulk.tensor.5d.shared::cluster"})
    CHECK_MESSAGE(contains(said, words), said);
  CHECK(contains(sectile_in(folder, "figure attention_d128_causal_varlen K.global").out,
                 "G matrices of T x D, the rows of all B groups one behind the other"));
  const auto& kernel = find_kernel("attention_d128_causal_varlen");  // 8 sequences of 100 rows, which see half the keys
  CHECK(work_of(kernel, sizes_asked(kernel, "B=8,H=4,S=800,D=128,G=2")).operations ==
        8.0 * 4 * (100 * 101 / 2) * 2 * 2 * 128);
}

TEST_CASE("ends of queries and of keys come from files, each with its rule") {
  const scratch_folder folder;
  std::vector<float> rows(3 * 128, 1);
  for (const char* file : {"q.npy", "k.npy", "v.npy"}) folder.write(file, npy_type::f4, {1, 3, 128}, rows);
  folder.write("ends.npy", npy_type::i4, {2}, {1, 3});
  folder.write("falls.npy", npy_type::i4, {2}, {4, 3});
  const std::string command =
      "run attention_d128_causal_varlen --on model --q q.npy --k k.npy --v v.npy --query-ends ends.npy --key-ends ";
  const outcome ran = sectile_in(folder, command + "ends.npy --out o.npy");
  CHECK_MESSAGE(ran.out.ends_with("VERIFIED\n"), (ran.out + ran.err));
  check_refusal(folder, command + "falls.npy", "falls.npy: ends of groups do not fall");
}

TEST_CASE("rows of groups are picked by an index: made, from files, and with numbers that no row has") {
  const auto p = random_problem(find_kernel("gathered_experts_bf16"), reading::wgmma, "2x6x8x4x8", 0);
  CHECK(p.inputs[0].shape == sizes{4, 8});
  CHECK(p.inputs[1].values == std::vector<float>{0, 1, 2, 3, 0, 2});
  CHECK(p.inputs[1].note == "token: rows of X in no order");
  const scratch_folder folder;
  folder.write("x.npy", npy_type::f4, {3, 8}, std::vector<float>(24, 1));
  folder.write("w.npy", npy_type::f4, {2, 2, 8}, std::vector<float>(32, 1));
  folder.write("token.npy", npy_type::i4, {5}, {2, 0, -1, 1, 2});
  folder.write("wrong.npy", npy_type::i4, {5}, {2, 0, 3, 1, 2});
  folder.write("ends.npy", npy_type::i4, {2}, {2, 5});
  const std::string command =
      "run gathered_experts_bf16 --on model --x x.npy --g w.npy --u w.npy --ends ends.npy --token ";
  const outcome ran = sectile_in(folder, command + "token.npy --out h.npy");
  CHECK_MESSAGE(ran.out.ends_with("VERIFIED\n"), (ran.out + ran.err));
  CHECK(contains(ran.out, "rows of X_e picked by token with E = 2, T = 5, N = 2, R = 3, K = 8\n"));
  CHECK(folder.numbers("h.npy") == std::vector<float>{64, 64, 64, 64, 0, 0, 64, 64, 64, 64});
  check_refusal(folder, command + "wrong.npy",
                "wrong.npy: X has rows 0 to 2, and -1 is a row of zeros; there is no row 3");
  const auto& kernel = find_kernel("gathered_experts_bf16");
  CHECK(work_of(kernel, sizes_asked(kernel, "E=10,T=300,N=20,R=50,K=40")).operations == 4.0 * 300 * 20 * 40);
}

TEST_CASE("rows of groups become those of tokens by an index, which is made") {
  const auto& kernel = find_kernel("scattered_experts_bf16");
  const auto p = random_problem(kernel, reading::wgmma, "2x3x8x6x8", 0);
  CHECK(p.output_shapes[0] == sizes{3, 8});
  CHECK(p.inputs[3].values == std::vector<float>{0, 1, 2, 3, 4, 5});
  CHECK(p.inputs[3].note == "place: each place in Y once, in no order");
  CHECK_THROWS_WITH_AS(random_problem(kernel, reading::wgmma, "2x4x8x6x8", 0),
                       "6 rows are stored, and Y has 4: each is the sum of as many; use a multiple of 4",
                       sectile::tool::input_error);
  CHECK(work_of(kernel, sizes_asked(kernel, "E=10,R=50,N=20,T=300,K=40")).operations == 2.0 * 300 * 20 * 40);
  const scratch_folder folder;
  check_refusal(folder,
                "run scattered_experts_bf16 --on model --h h.npy --w w.npy --weight v.npy --place p.npy --ends e.npy",
                "scattered_experts_bf16 takes random operands alone: no file says how many rows Y has; say --shape");
}

TEST_CASE("what is told of rows that an index names") {
  const scratch_folder folder;
  const std::string said = sectile_in(folder, "explain scattered_experts_bf16").out;
  for (const char* words : {"scattered output", "which rows of Y those that are stored become a part of",
                            "Y: a warp leaves each of its rows, 512 bytes of a tile, where place says, in a workspace"})
    CHECK_MESSAGE(contains(said, words), said);
}

TEST_CASE("what is told of rows that an index picks") {
  const scratch_folder folder;
  const std::string said = sectile_in(folder, "explain gathered_experts_bf16").out;
  for (const char* words : {"128 producer threads", "X      gathered input", "which rows of X are picked",
                            "X: 128 rows that token picks, 16384 bytes, which the 128 threads of the producer copy"})
    CHECK_MESSAGE(contains(said, words), said);
  CHECK(contains(sectile_in(folder, "figure gathered_experts_bf16 X.global").out, "rows that token picks"));
  const outcome protocol = sectile_in(folder, "export --promela gathered_experts_bf16");
  if (!contains(protocol.err, "was built without the protocol"))
    CHECK(contains(protocol.out, "128 threads will arrive at full[0]"));
}

TEST_CASE("groups have a timeline") {
  const scratch_folder folder;
  for (const char* kernel :
       {"grouped_gemm_bf16", "masked_gemm_bf16", "grouped_weights_bf16", "gated_experts_bf16", "gathered_experts_bf16",
        "gathered_weights_bf16", "scattered_experts_bf16", "attention_d128_causal_varlen"})
    CHECK(contains(sectile_in(folder, std::string("figure ") + kernel + " timeline").out, "</svg>"));
}
