// A kernel as an operator: what it tells of its operands, and calls as another language makes them.
#include <sectile/dsl/operator/operator_of.hpp>
#include <sectile/dsl/operator/set.hpp>

#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "tests/programs/convolutions.hpp"
#include "tests/programs/groups.hpp"

namespace st = sectile;
namespace dlpack = sectile::dlpack;

namespace {

struct scaled {
  static constexpr auto operands =
      st::operands(st::input<"A(M,K)", st::bf16>(), st::input<"B(N,K)", st::bf16>(),
                   st::output<"C(M,N)", st::bf16>(), st::scalar<"alpha", float>());
  static constexpr st::configuration how{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto alpha) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) sum += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, sum * alpha);
  }
};

constexpr st::operator_of<scaled> made("scaled", "C = alpha A B^T");

/// The same, times a whole number.
struct repeated {
  static constexpr auto operands = st::operands(st::input<"A(M,K)", st::bf16>(), st::input<"B(N,K)", st::bf16>(),
                                                st::output<"C(M,N)", st::bf16>(), st::scalar<"times", int>());
  static constexpr st::configuration how = scaled::how;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto times) { scaled::body(sm, A, B, C, times); }
};

/// A tensor of DLPack's and its memory.
struct held {
  std::vector<std::int64_t> extent, stride;
  alignas(16) std::uint16_t element[64 * 64]{};
  dlpack::tensor tensor{};

  held(std::int64_t rows, std::int64_t cols, float filled) : extent{rows, cols}, stride{cols, 1} {
    for (std::uint16_t& e : element) e = st::bf16(filled).bits;
    tensor.data = element;
    tensor.rank = 2;
    tensor.type = {dlpack::bfloat_number, 16, 1};
    tensor.extent = extent.data();
    tensor.stride = stride.data();
  }
  held(const held&) = delete;
  float at(int i) const { return static_cast<float>(st::bf16(element[i])); }
};

struct call_of_scaled {
  held A{48, 64, 1}, B{64, 64, 0.5F}, C{48, 64, 0};
  double alpha = 0.25;
  char sentence[256] = "";

  st::operator_call call(st::operator_argument (&arguments)[4]) {
    arguments[0].tensor = &A.tensor, arguments[1].tensor = &B.tensor, arguments[2].tensor = &C.tensor;
    arguments[3].number = alpha;
    return {.arguments = arguments, .count = 4, .sentence = sentence, .room = sizeof sentence};
  }
  /// "" if it ran
  std::string run() {
    st::operator_argument arguments[4];
    const st::operator_call c = call(arguments);
    return made.facts().on_model(&c) == 0 ? "" : sentence;
  }
};

}  // namespace

TEST_CASE("an operator tells of its operands") {
  const st::operator_facts& facts = made.facts();
  REQUIRE(facts.count == 4);
  CHECK(!facts.launch);  // plain C++
  const st::operator_operand &b = facts.operands[1], &c = facts.operands[2], &alpha = facts.operands[3];
  CHECK(b.name == std::string("B"));
  CHECK(b.modes == 2);
  CHECK(b.mode[0] == std::string("N"));
  CHECK(b.type == std::string("bf16"));
  CHECK(b.role == st::operator_role::input);
  CHECK(c.role == st::operator_role::output);
  CHECK(alpha.role == st::operator_role::scalar);
  CHECK(alpha.modes == 0);
}

TEST_CASE("a call on host memory runs on the model") {
  call_of_scaled c;
  CHECK(c.run() == "");
  CHECK(c.C.at(0) == 8);  // 64 * 0.5 * 0.25
  CHECK(c.C.at(48 * 64 - 1) == 8);
  st::operator_argument arguments[4];
  const st::operator_call call = c.call(arguments);
  std::uint64_t bytes = 1;
  CHECK(made.facts().workspace_bytes(&call, &bytes) == 0);
  CHECK(bytes == 0);
}

TEST_CASE("a whole number is given as one") {
  constexpr st::operator_of<repeated> whole("repeated", "C = times A B^T");
  call_of_scaled c;
  const auto with = [&](double times) {
    c.alpha = times;
    st::operator_argument arguments[4];
    const st::operator_call call = c.call(arguments);
    return whole.facts().on_model(&call) == 0 ? std::string() : c.sentence;
  };
  CHECK(with(-2) == "");
  CHECK(c.C.at(0) == -64);
  CHECK(with(2.5) == "operand times: 2.500000 is no int");
  CHECK(with(5e9) == "operand times: 5000000000.000000 is no int");
}

TEST_CASE("what DLPack leaves open is read as it says") {
  call_of_scaled c;
  c.A.tensor.stride = nullptr;                          // packed
  c.B.tensor.type = {dlpack::unsigned_number, 16, 1};   // a library without bf16
  c.C.tensor.data = c.C.element - 8;
  c.C.tensor.byte_offset = 16;
  CHECK(c.run() == "");
  CHECK(c.C.at(0) == 8);
}

TEST_CASE("a call that cannot be made is refused with a sentence") {
  call_of_scaled c;
  SUBCASE("elements") {
    c.A.tensor.type = {dlpack::floating_number, 16, 1};
    CHECK(c.run() == "operand A: the tensor's elements are f16, the kernel expects bf16; convert the tensor first");
  }
  SUBCASE("lanes") {
    c.A.tensor.type.lanes = 2;
    CHECK(c.run().starts_with("operand A: the tensor's elements are DLPack's type 4 of 16 bits x 2"));
  }
  SUBCASE("modes") {
    c.B.tensor.rank = 1;
    CHECK(c.run() == "operand B: the tensor has 1 mode, the kernel expects 2");
  }
  SUBCASE("more modes than any operand has") {
    c.B.extent = {1, 1, 1, 1, 1, 64, 64}, c.B.stride = {1, 1, 1, 1, 1, 64, 1};
    c.B.tensor.extent = c.B.extent.data(), c.B.tensor.stride = c.B.stride.data(), c.B.tensor.rank = 7;
    CHECK(c.run() == "operand B: the tensor has 7 modes, the kernel expects 2");
  }
  SUBCASE("sizes") {
    c.B.extent[1] = 32;
    CHECK(c.run() == "operand B: K = 32, but operand A has K = 64");
  }
  SUBCASE("null") {
    c.C.tensor.data = nullptr;
    CHECK(c.run() == "operand C: the pointer is null");
  }
  SUBCASE("a device that the model is not") {
    c.B.tensor.where = {dlpack::on_cuda, 1};
    CHECK(c.run() ==
          "operand B: the tensor is on CUDA device 1, the kernel runs on the CPU, on the model, where operand A is; "
          "move the tensors to one place");
  }
  SUBCASE("no tensor") {
    st::operator_argument arguments[4];
    const st::operator_call call = c.call(arguments);
    arguments[1].tensor = nullptr;
    CHECK(made.facts().on_model(&call) == 1);
    CHECK(c.sentence == std::string("operand B: a tensor is needed"));
  }
  SUBCASE("little room for the sentence") {
    c.C.tensor.data = nullptr;
    st::operator_argument arguments[4];
    st::operator_call call = c.call(arguments);
    call.room = 10;
    CHECK(made.facts().on_model(&call) == 1);
    CHECK(c.sentence == std::string("operand C"));
  }
  CHECK(c.C.at(0) == 0);
}

TEST_CASE("where a call's tensors are") {
  call_of_scaled c;
  st::operator_argument arguments[4];
  st::operator_call call = c.call(arguments);
  const auto taken = [&](st::operator_place place) -> std::string {
    try {
      return std::to_string(st::take_tensors(made.facts(), call, place).device);
    } catch (const st::launch_error& refused) {
      return refused.what();
    }
  };
  for (dlpack::tensor* t : {&c.A.tensor, &c.B.tensor, &c.C.tensor}) t->where = {dlpack::on_cuda, 3};
  CHECK(taken(st::operator_place::gpu) == "3");
  c.A.tensor.where = {dlpack::on_cuda_host, 0};  // which every device reaches
  CHECK(taken(st::operator_place::gpu) == "3");
  c.C.tensor.where.index = 2;
  CHECK(taken(st::operator_place::gpu) ==
        "operand C: the tensor is on CUDA device 2, operand B on CUDA device 3; move the tensors to one device");
  const auto from = [&](std::int32_t kind) {
    c.B.tensor.where = {kind, 1};
    return taken(st::operator_place::gpu);
  };
  const std::string but = ", the kernel runs on the GPU, where operand A is; move the tensors to one place";
  CHECK(from(dlpack::on_cpu) == "operand B: the tensor is in host memory" + but);
  CHECK(from(10) == "operand B: the tensor is on a device of DLPack's kind 10" + but);
  for (dlpack::tensor* t : {&c.A.tensor, &c.B.tensor, &c.C.tensor}) t->where = {dlpack::on_cuda_managed, 0};
  CHECK(taken(st::operator_place::model) == "0");
  call.count = 3;
  CHECK(taken(st::operator_place::model) == "scaled takes 4 arguments, one for each operand, not 3");
}

TEST_CASE("a sparse operand comes with its metadata, one of less than a byte in bytes") {
  const st::operator_operand operands[] = {{.name = "A", .modes = 2, .type = "bf16", .bits = 16, .sparse = 1},
                                           {.name = "W", .modes = 2, .type = "s4", .bits = 4}};
  st::operator_facts facts = made.facts();
  facts.operands = operands, facts.count = 2;
  held A{64, 32, 1}, words{4, 64, 0}, W{8, 16, 0};
  words.tensor.type = {dlpack::signed_number, 32, 1};
  W.tensor.type = {dlpack::unsigned_number, 8, 1};
  const std::int64_t rows = st::metadata_rows(64), cols = st::metadata_cols(64, 16);
  words.extent = {rows, cols}, words.stride = {cols, 1};
  st::operator_argument arguments[2] = {{.tensor = &A.tensor, .metadata = &words.tensor}, {.tensor = &W.tensor}};
  const st::operator_call call{.arguments = arguments, .count = 2};
  const st::given_tensors all = st::take_tensors(facts, call, st::operator_place::model);
  CHECK(all.argument[0].extent[1] == 64);  // of the whole matrix
  CHECK(all.argument[0].metadata == words.tensor.data);
  CHECK((all.argument[1].extent[0] == 8 && all.argument[1].extent[1] == 32));
  CHECK((all.argument[1].stride[0] == 32 && all.argument[1].stride[1] == 1));

  const auto refusal = [&]() -> std::string {
    try {
      st::take_tensors(facts, call, st::operator_place::model);
      return "";
    } catch (const st::launch_error& refused) {
      return refused.what();
    }
  };
  CHECK(refusal() == "");
  words.stride = {2 * cols, 2};
  CHECK(refusal() == "operand A: its metadata are not packed");
  words.extent[0] += 1;
  CHECK(refusal() == "operand A: its metadata have " + std::to_string((rows + 1) * cols) +
                         " words, a matrix of 64 x 64 takes " + std::to_string(rows * cols));
  words.tensor.type = {dlpack::floating_number, 32, 1};
  CHECK(refusal() == "operand A: its metadata are words of 32 bits, not f32");
  arguments[0].metadata = nullptr;
  CHECK(refusal() == "operand A: it is sparse: a tensor of its metadata is needed beside the stored values");
}

TEST_CASE("an image comes with the path of the filter that goes over it") {
  using kernel = st::test::convolutions::with<st::test::convolutions::small>;
  constexpr st::operator_of<kernel> convolved("convolved", "Y = X * W");
  const st::operator_operand& x = convolved.facts().operands[0];
  CHECK((x.image == 1 && x.modes == 3 && x.mode[1] == std::string("M")));
  CHECK(convolved.facts().operands[1].image == 0);

  // Two images of 5 x 6 pixels and 8 channels, all 1; 16 filters of 3 x 2 places, all 1/2, stride 2 x 1, padding 1 x 0.
  held X{10, 48, 1}, W{6, 128, 0.5F}, Y{30, 16, 0};
  X.extent = {2, 5, 6, 8}, X.stride = {240, 48, 8, 1}, X.tensor.rank = 4;
  W.extent = {6, 16, 8}, W.stride = {128, 8, 1}, W.tensor.rank = 3;
  for (held* h : {&X, &W}) h->tensor.extent = h->extent.data(), h->tensor.stride = h->stride.data();
  st::operator_argument arguments[3] = {
      {.tensor = &X.tensor, .path = {3, 2, 2, 1, 1, 0, 1, 1}}, {.tensor = &W.tensor}, {.tensor = &Y.tensor}};
  char sentence[256] = "";
  const st::operator_call call{.arguments = arguments, .count = 3, .sentence = sentence, .room = sizeof sentence};
  const auto run = [&]() -> std::string { return convolved.facts().on_model(&call) == 0 ? "" : sentence; };
  CHECK(run() == "");
  CHECK(Y.at(0) == 16);        // the first of three rows of a filter is padding
  CHECK(Y.at(5 * 16) == 24);   // it is there
  CHECK(Y.at(29 * 16) == 16);  // the last one is padding
  arguments[0].path[2] = 0;
  CHECK(run() == "operand X: along H the stride is 0; TMA takes 1 to 8");
  arguments[0].path[2] = 2, X.tensor.rank = 3;
  CHECK(run() == "operand X: the tensor has 3 modes, the kernel expects 4");
}

TEST_CASE("the operators of a library are one set") {
  const st::operator_in_set added(made.facts());
  const st::operator_set& all = st::operator_set_here();
  REQUIRE(all.count == 1);
  CHECK(all.at[0] == &made.facts());
  CHECK(all.abi == st::operator_abi);
}

TEST_CASE("an operator is given the rows of groups as one matrix") {
  using kernel = st::test::groups::rows<st::bf16, st::test::groups::plain>;
  constexpr st::operator_of<kernel> grouped("grouped", "Y = X W^T for each group of rows");
  const auto modes = [&](int i) {
    std::string all;
    for (int d = 0; d < grouped.facts().operands[i].modes; ++d) all += grouped.facts().operands[i].mode[d];
    return all;
  };
  CHECK(modes(0) == "TK");
  CHECK(modes(1) == "ENK");
  CHECK(modes(2) == "E");
  CHECK(modes(3) == "TN");
}
