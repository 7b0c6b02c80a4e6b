// A tensor map that is a little wrong is noticed before anything is launched: each field of what the model and CUDA's
// driver are told is spoiled in turn, for operands of every form.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/map_arguments.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/convolution.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/sparse_gemm.hpp>
#include <string>

#include "tests/programs/vectors_with_tiles.hpp"

namespace {

using namespace sectile;

/// How the maps are spoiled: those asked for, and what the driver is then told. Only those of inputs or of outputs.
struct spoiler {
  operand_kind kind = operand_kind::input;
  void (*request)(map_request& r) = nullptr;
  void (*arguments)(hopper::map_arguments& a) = nullptr;
};
spoiler now;

told_map tell_driver(const map_request& asked, operand_kind kind, void*) {
  map_request r = asked;
  if (now.request && kind == now.kind) now.request(r);
  hopper::map_arguments a(r);
  if (now.arguments && kind == now.kind) now.arguments(a);
  return a.told(r.base);
}
told_map tell_model(const map_request& asked, operand_kind kind, void* to) {
  map_request r = asked;
  if (now.request && kind == now.kind) now.request(r);
  return model::encode_map_at(r, kind, to);
}

/// What is said of a launch of K whose maps are spoiled; "" if it is prepared.
template <class K, class... Arguments>
std::string complaint(map_encoder encode, const spoiler& how, const Arguments&... arguments) {
  now = how;
  launch_arguments<K, model::tensor_map> given(arguments...);
  known_path path{};
  try {
    prepare(launchable_of<K>, given.given, encode, given.places, path);
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}

template <class T>
T* somewhere(int megabytes) {  // nobody looks there
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(1 + megabytes) << 28);
}

/// C = A B^T with sizes that hang over and rows that lie apart.
template <class In, class Out>
std::string gemm(map_encoder encode, const spoiler& how) {
  using kernel = kernels::gemm<In, In, Out>;
  return complaint<kernel>(encode, how, matrix(somewhere<const In>(0), 200, 160, 192),
                           matrix(somewhere<const In>(1), 72, 160, 256), matrix(somewhere<Out>(2), 200, 72, 80));
}
std::string attention(map_encoder encode, const spoiler& how) {
  using kernel = kernels::attention<128, kernels::attention_mask::none>;
  const auto at = [](int n) { return tensor(somewhere<const bf16>(n), 2, 3, 200, 128); };
  return complaint<kernel>(encode, how, at(0), at(1), at(2), tensor(somewhere<bf16>(3), 2, 3, 200, 128), 0.1f);
}
/// Heads of packed sequences.
std::string packed(map_encoder encode, const spoiler& how) {
  using kernel = kernels::attention_of<kernels::attention_form{.dim = 64, .varlen = true}>;
  const auto at = [](int n, int rows) { return tensor(somewhere<const bf16>(n), 3, rows, 64); };
  const auto ends = tensor(somewhere<const s32>(4), 5);
  return complaint<kernel>(encode, how, at(0, 200), at(1, 300), at(2, 300), tensor(somewhere<bf16>(3), 3, 200, 64),
                           0.1f, ends, ends, workspace(somewhere<std::byte>(5), 128));
}
/// Images whose rows lie apart, by a filter whose numbers differ along rows and columns.
std::string convolution(map_encoder encode, const spoiler& how) {
  using kernel = kernels::convolution_bf16;
  const tensor_view<const bf16> images{somewhere<const bf16>(0), 4, {2, 21, 17, 72}, {40000, 1600, 80, 1}};
  const filter_path path{{3, 5}, {2, 3}, {1, 2}, {4, 2}};
  return complaint<kernel>(encode, how, im2col(images, path), filters(tensor(somewhere<const bf16>(1), 40, 3, 5, 72)),
                           matrix(somewhere<bf16>(2), 2 * 8 * 5, 40));
}
std::string sparse_gemm(map_encoder encode, const spoiler& how) {
  using kernel = kernels::sparse_gemm<bf16, bf16, bf16>;
  return complaint<kernel>(encode, how, sparse(somewhere<const bf16>(0), somewhere<const std::uint32_t>(1), 200, 256),
                           matrix(somewhere<const bf16>(2), 72, 256), matrix(somewhere<bf16>(3), 200, 72));
}

void check_noticed(const spoiler& how, const std::string& what, bool model_too = true) {
  CAPTURE(what);
  for (const auto run : {gemm<bf16, bf16>, gemm<e4m3, float>, attention, sparse_gemm})
    for (const map_encoder encode : {tell_driver, tell_model}) {
      if (encode == map_encoder{tell_model} && !model_too) continue;
      const std::string said = run(encode, how);
      CHECK(said.find("the tensor map of ") == 0);
      CHECK(said.find(" is not what the plan says: its " + what) != std::string::npos);
    }
}

TEST_CASE("right maps are taken") {
  for (const auto run : {gemm<bf16, bf16>, gemm<e4m3, float>, gemm<tf32, float>, gemm<s8, s32>, attention, packed,
                         sparse_gemm, convolution})
    for (const map_encoder encode : {tell_driver, tell_model}) CHECK(run(encode, {}) == "");
}
TEST_CASE("wrong requests are not") {
  for (const operand_kind kind : {operand_kind::input, operand_kind::output}) {
    const auto spoil = [&](void (*request)(map_request&), const char* what) { check_noticed({kind, request}, what); };
    spoil([](map_request& r) { r.base = static_cast<const char*>(r.base) + 16; }, "base");
    spoil([](map_request& r) { ++r.extent[0]; }, "extent of dimension 0");
    spoil([](map_request& r) { --r.extent[0]; }, "extent of dimension 0");
    spoil([](map_request& r) { ++r.extent[1]; }, "extent of dimension 1");
    spoil([](map_request& r) { --r.extent[1]; }, "extent of dimension 1");
    spoil([](map_request& r) { r.stride_bytes[1] += 16; }, "stride in bytes of dimension 1");
    spoil([](map_request& r) { r.stride_bytes[1] = 0; }, "stride in bytes of dimension 1");
    spoil([](map_request& r) { r.box.extent[1] /= 2; }, "box");
  }
  const auto narrow = [](map_request& r) {
    r.box.swizzle = r.box.swizzle == swizzle_mode::b32 ? swizzle_mode::none : swizzle_mode::b32;
    r.box.extent[0] = 8 * span_bytes(r.box.swizzle) / r.box.element_bits;
  };
  check_noticed({operand_kind::input, narrow}, "swizzle span");
  check_noticed({operand_kind::output, narrow}, "swizzle span");
}
TEST_CASE("the way of a filter over images counts") {
  const auto spoil = [](void (*request)(map_request&), const char* what) {
    for (const map_encoder encode : {tell_driver, tell_model}) {
      const std::string said = convolution(encode, {operand_kind::input, request});
      CAPTURE(said);
      CHECK(said.find(std::string("the tensor map of operand X is not what the plan says: its ") + what) == 0);
    }
  };
  spoil(
      [](map_request& r) {
        if (r.im2col) r.extent[1] += 3;
      },
      "places of dimension 1");
  spoil(
      [](map_request& r) {
        if (r.im2col) r.stride_bytes[3] += 16;
      },
      "stride in bytes of dimension 3");
  spoil(
      [](map_request& r) {
        if (r.im2col) r.bounds.lower[0] += 1;
      },
      "lower corner of dimension 1");
  spoil(
      [](map_request& r) {
        if (r.im2col) r.bounds.lower[1] -= 1;
      },
      "lower corner of dimension 2");
  spoil(
      [](map_request& r) {
        if (r.im2col) r.bounds.upper[0] -= 1;
      },
      "upper corner of dimension 1");
  spoil(
      [](map_request& r) {
        if (r.im2col) r.bounds.upper[1] += 1;
      },
      "upper corner of dimension 2");
  spoil(
      [](map_request& r) {
        if (r.im2col) r.bounds.stride[0] = 2;
      },
      "step of dimension 1");
  spoil(
      [](map_request& r) {
        if (r.im2col) r.bounds.stride[1] = 3;
      },
      "step of dimension 2");
  spoil(
      [](map_request& r) {
        if (r.im2col) r.box.extent[1] /= 2;
      },
      "boxes in bytes");
  spoil([](map_request& r) { r.im2col = false; }, "im2col mode");
}
TEST_CASE("batches count, too") {
  const auto swapped = [](map_request& r) {
    std::swap(r.extent[2], r.extent[3]);
    std::swap(r.stride_bytes[2], r.stride_bytes[3]);
  };
  CHECK(attention(tell_driver, {operand_kind::input, swapped}).find("extent of dimension") != std::string::npos);
  const auto two = [](map_request& r) { r.box.extent[3] = 2; };
  CHECK(attention(tell_driver, {operand_kind::output, two}).find("box extent of dimension 3") != std::string::npos);
  const auto apart = [](map_request& r) { r.stride_bytes[3] += 16; };  // of two batches
  CHECK(attention(tell_model, {operand_kind::input, apart}).find("stride in bytes of dimension 3") !=
        std::string::npos);
}
TEST_CASE("groups are in two dimensions behind all others") {
  for (const operand_kind kind : {operand_kind::input, operand_kind::output})
    for (const map_encoder encode : {tell_driver, tell_model}) {
      const auto said = [&](void (*request)(map_request&)) { return packed(encode, {kind, request}); };
      const auto has = [](const std::string& all, const char* what) {
        CHECK_MESSAGE(all.find(what) != std::string::npos, all);
      };
      has(said([](map_request& r) { --r.extent[1]; }), "extent of dimension 1 is 1073741823, not 1073741824");
      has(said([](map_request& r) { ++r.extent[2]; }), "extent of dimension 2 is 4, not 3");
      has(said([](map_request& r) { --r.extent[3]; }), "extent of dimension 3 is ");
      has(said([](map_request& r) { r.stride_bytes[3] += 16; }), "stride in bytes of dimension 3");
      has(said([](map_request& r) { --r.extent[4]; }), "extent of dimension 4 is 1073741824, not 1073741825");
      has(said([](map_request& r) { r.stride_bytes[4] -= 16; }), "stride in bytes of dimension 4");
    }
}
TEST_CASE("columns that fill no 16 bytes are no store's") {
  using kernel = kernels::gemm_bf16;
  const auto run = [](const spoiler& how) {
    return complaint<kernel>(tell_driver, how, matrix(somewhere<const bf16>(0), 64, 64),
                             matrix(somewhere<const bf16>(1), 45, 64), matrix(somewhere<bf16>(2), 64, 45, 48));
  };
  CHECK(run({}) == "");
  const auto ragged = [](map_request& r) { r.extent[0] = 45; };
  const auto up = [](map_request& r) { r.extent[0] = 48; };
  CHECK(run({operand_kind::output, ragged}).find("extent of dimension 0 is 45, not 40") != std::string::npos);
  CHECK(run({operand_kind::output, up}).find("extent of dimension 0 is 48, not 40") != std::string::npos);
}
TEST_CASE("wrong arguments of the driver are noticed") {
  for (const operand_kind kind : {operand_kind::input, operand_kind::output}) {
    const auto spoil = [&](void (*arguments)(hopper::map_arguments&), const char* what) {
      check_noticed({kind, nullptr, arguments}, what, false);
    };
    spoil([](hopper::map_arguments& a) { a.swizzle = a.swizzle == 3 ? 2 : 3; }, "swizzle span");
    spoil([](hopper::map_arguments& a) { a.swizzle = 0; }, "swizzle span");
    spoil([](hopper::map_arguments& a) { --a.rank; }, "rank");
    spoil([](hopper::map_arguments& a) { a.stride[0] += 16; }, "stride in bytes of dimension 1");
    spoil([](hopper::map_arguments& a) { a.step[1] = 2; }, "box");
    spoil([](hopper::map_arguments& a) { a.zeros = false; }, "filling with zeros");
  }
}
TEST_CASE("L2 fetches no more than its lines for tiles that have parts of rows") {
  static int promotion[2];  // of the last input, and of the last output
  const auto asked = [](const auto& run) {
    run(tell_driver, {operand_kind::input, nullptr, [](hopper::map_arguments& a) { promotion[0] = a.promotion; }});
    run(tell_driver, {operand_kind::output, nullptr, [](hopper::map_arguments& a) { promotion[1] = a.promotion; }});
    return promotion[0] * 10 + promotion[1];
  };
  CHECK(asked(gemm<bf16, bf16>) == 23);
  CHECK(asked(attention) == 33);  // a tile has all of a row
}
TEST_CASE("L2 need not keep what one cluster's tiles alone are made of") {
  static std::string once;
  const auto asked = [](int m, int n, int k = 640) {
    once.clear();
    const spoiler look{operand_kind::input, [](map_request& r) { once += r.once ? 'x' : '.'; }};
    CHECK(complaint<kernels::gemm_bf16>(tell_driver, look, matrix(somewhere<const bf16>(0), m, k),
                                        matrix(somewhere<const bf16>(1), n, k),
                                        matrix(somewhere<bf16>(2), m, n)) == "");
    return once;
  };
  static_assert(kernels::gemm_bf16::how.cluster.rows == 2 && kernels::gemm_bf16::how.cluster.cols == 1);
  CHECK(asked(256, 256) == "xx");  // rows and columns of one cluster's tiles
  CHECK(asked(256, 264) == ".x");
  CHECK(asked(257, 256) == "x.");
  CHECK(asked(257, 264) == "..");
  CHECK(asked(256, 256, 656) == "xx");
  CHECK(asked(256, 256, 648) == "..");  // rows share sectors of 32 bytes
  once.clear();
  attention(tell_driver, {operand_kind::input, [](map_request& r) { once += r.once ? 'x' : '.'; }});
  CHECK(once == "...");  // of several products nothing is said
}
TEST_CASE("TMA does not round") {
  const auto rounded = [](hopper::map_arguments& a) { a.type = hopper::map_type::tfloat32; };
  CHECK(gemm<tf32, float>(tell_driver, {operand_kind::input, nullptr, rounded}).find("its rounding is 1, not 0") !=
        std::string::npos);
  const auto wide = [](hopper::map_arguments& a) { a.type = hopper::map_type::float32; };
  CHECK(gemm<bf16, bf16>(tell_driver, {operand_kind::input, nullptr, wide}).find("bits of an element is 32, not 16") !=
        std::string::npos);
}

}  // namespace

TEST_CASE("a vector that comes with tiles is a line") {
  using kernel = test::scales::factor_in_registers<with_tiles>;
  const auto scaled = [](map_encoder encode, const spoiler& how, std::int64_t batch) {
    return complaint<kernel>(encode, how, tensor(somewhere<const bf16>(0), 100, 200),
                             tensor(somewhere<const bf16>(1), 70, 200),
                             tensor_view<const f16>{somewhere<const f16>(2) + 3, 2, {2, 200}, {210, 1}},
                             tensor_view<const s8>{somewhere<const s8>(3) + 7, 3, {2, 4, 100}, {batch, 100, 1}},
                             tensor_view<float>{somewhere<float>(4), 3, {2, 100, 70}, {7200, 72, 1}});
  };
  for (const auto encode : {tell_model, tell_driver}) {
    CHECK(scaled(encode, {}, 400) == "");
    const auto said = [&](void (*request)(map_request&)) {
      return scaled(encode, {operand_kind::vector, request, nullptr}, 400);
    };
    const auto tells = [](const std::string& all, const char* part) { return all.find(part) != std::string::npos; };
    // From 3 elements in front of it, 210 + 200; and 7, 400 + 3 * 100 + 100.
    CHECK(tells(said([](map_request& r) { ++r.extent[0]; }), "extent of dimension 0 is 414, not 413"));
    CHECK(tells(said([](map_request& r) { r.box.extent[0] += 8; }), "boxes in bytes"));
    CHECK(tells(said([](map_request& r) { r.base = static_cast<const std::byte*>(r.base) + 16; }), "scale"));
    const std::int64_t most = most_on_a_line - 400;  // elements between the batches
    CHECK(scaled(encode, {}, most) == "");
    CHECK(tells(scaled(encode, {}, most + 1), "from its first element to its last are 2147482625; of a vector that comes "
                                              "with tiles at most 2147482624 may be"));
  }
}
