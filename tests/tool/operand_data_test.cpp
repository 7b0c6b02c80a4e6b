// Operands: random numbers of every type, files that stand for them, and how they lie in memory.
#include "tool/operand_data.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sectile/layouts/shuffled_rows.hpp>
#include <set>
#include <string>
#include <vector>

#include "tool/input_error.hpp"
#include "tool/sparse_data.hpp"
#include "tool/storage_types.hpp"

namespace {

using namespace sectile;
using namespace sectile::tool;

constexpr element inputs[] = {element_of<f16>(),  element_of<bf16>(), element_of<tf32>(), element_of<e4m3>(),
                              element_of<e5m2>(), element_of<s8>(),   element_of<u8>(),   element_of<b1x8>()};

/// A file that is gone after the test.
struct file {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("sectile_operand_test_" + std::to_string(getpid()) + ".npy");
  file(npy_type type, std::vector<std::int64_t> shape, const std::vector<float>& values) {
    write_npy(path, from_floats("x.npy", type, std::move(shape), values));
  }
  explicit file(const npy_array& array) { write_npy(path, array); }
  ~file() { std::filesystem::remove(path); }
  file(const file&) = delete;
  file& operator=(const file&) = delete;
};

/// What reading the file as numbers of T says if it refuses, behind the file's name.
std::string refusal(const element& type, const file& from) {
  try {
    read_operand(type, from.path, 2, "A, M x K");
  } catch (const input_error& error) {
    const std::string text = error.what();
    return text.substr(text.find(": ") + 2);
  }
  return "accepted";
}

}  // namespace

TEST_CASE("random numbers are numbers of their type, and fill its range") {
  for (const element& type : inputs) {
    CAPTURE(type.name);
    const operand_data data = random_operand(type, {64, 512}, 3);
    CHECK(random_operand(type, {64, 512}, 3).values == data.values);
    CHECK(random_operand(type, {64, 512}, 4).values != data.values);
    const std::set<float> different(data.values.begin(), data.values.end());
    if (type.kind == number::bits) CHECK(different == std::set<float>{0, 1});
    if (type.kind == number::signed_integer) CHECK((different.size() == 256 && *different.begin() == -128));
    if (type.kind == number::unsigned_integer) CHECK((different.size() == 256 && *different.begin() == 0));
    if (type.kind != number::floating) continue;
    CHECK(different.size() > 50);
    with_storage_type(type, [&]<class T>(std::type_identity<T>) {
      CHECK(std::ranges::all_of(data.values, [](float x) { return static_cast<float>(T(x)) == x; }));
    });
  }
}

TEST_CASE("integers of 4 bits: two to a byte, whole and in range") {
  const operand_data data = random_operand(element_of<s4x2>(), {3, 64}, 1);
  const std::set<float> different(data.values.begin(), data.values.end());
  CHECK((different.size() == 16 && *different.begin() == -8));
  tensor_buffer tensor(element_of<s4x2>(), {1, 4});
  tensor.fill({-8, 7, -1, 2});
  CHECK((tensor.bytes[0] == std::byte{0x78} && tensor.bytes[1] == std::byte{0x2F}));
  const file numbers(npy_type::i1, {1, 4}, {-8, 7, 0, 2});
  CHECK(read_operand(element_of<s4x2>(), numbers.path, 2, "W, N x K").values == std::vector<float>{-8, 7, 0, 2});
  CHECK_THROWS_WITH_AS(read_operand(element_of<u4x2>(), numbers.path, 2, "W, N x K"),
                       doctest::Contains("element (0, 0) is -8; u4 numbers are whole and go from 0 to 15"),
                       input_error);
}

TEST_CASE("a tensor of shuffled elements has each number at its place of the row") {
  for (const element& type : {element_of<shuffled<s4x2>>(), element_of<shuffled<s8>>()}) {
    CAPTURE(type.name);
    const operand_data data = random_operand(type, {2, 128}, 5);
    tensor_buffer tensor(type, {2, 128});
    tensor.fill(data.values);
    const int bits = type.bits;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 128; ++j) {
        const int place = place_of_column(bits, j);
        const auto byte = static_cast<int>(tensor.bytes[static_cast<std::size_t>((i * 128 + place) * bits / 8)]);
        const int code = byte >> place * bits % 8 & ((1 << bits) - 1);
        CHECK((code ^ 1 << (bits - 1)) - (1 << (bits - 1)) == data.values[static_cast<std::size_t>(i * 128 + j)]);
      }
  }
}

TEST_CASE("what is written to a file is read back") {
  for (const element& type : inputs) {
    CAPTURE(type.name);
    const operand_data data = random_operand(type, {5, 24}, 1);
    for (const storage_order order : {row_major, col_major}) {
      if (type.kind == number::bits && order == col_major) continue;
      tensor_buffer tensor(type, data.shape, order);
      tensor.fill(data.values);
      if (type.kind != number::bits)
        CHECK(tensor.values() == std::vector<double>(data.values.begin(), data.values.end()));
      const file saved(tensor.to_npy("x.npy"));
      const operand_data back = read_operand(type, saved.path, 2, "A, M x K");
      CHECK(back.shape == data.shape);
      CHECK(back.values == data.values);
    }
  }
}

TEST_CASE("lines are padded to 16 bytes, in either order, and strides say so") {
  std::vector<float> values(2 * 3 * 5);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  for (const storage_order order : {row_major, col_major}) {
    tensor_buffer tensor(element_of<bf16>(), {2, 3, 5}, order);
    tensor.fill(values);
    const argument a = tensor.as_argument();
    CHECK(a.bytes == std::ssize(tensor.bytes));
    CHECK(a.stride[order == row_major ? 2 : 1] == 1);
    CHECK(a.stride[order == row_major ? 1 : 2] == 8);
    CHECK(a.stride[0] == 8 * (order == row_major ? 3 : 5));
    for (std::int64_t i = 0; i < 30; ++i) {
      const std::int64_t at = i / 15 * a.stride[0] + i / 5 % 3 * a.stride[1] + i % 5 * a.stride[2];
      bf16 x;
      std::memcpy(&x, tensor.bytes.data() + 2 * at, 2);
      CHECK(static_cast<float>(x) == static_cast<float>(i));
    }
  }
  tensor_buffer bits(element_of<b1x8>(), {2, 16});
  bits.fill({1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,  //
             0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0});
  CHECK(bits.as_argument().stride[0] == 128);
  CHECK((bits.bytes[0] == std::byte{1} && bits.bytes[1] == std::byte{2}));
  CHECK((bits.bytes[16] == std::byte{0x80} && bits.bytes[17] == std::byte{3}));
}

TEST_CASE("what no kernel has written is no result") {
  CHECK(std::isnan(tensor_buffer(element_of<f32>(), {1, 4}).values()[0]));
  CHECK(std::isnan(tensor_buffer(element_of<bf16>(), {1, 4}).values()[3]));
  CHECK(tensor_buffer(element_of<s32>(), {1, 4}).values()[0] < -1e9);
}

TEST_CASE("numbers of a file are rounded to floats, which a note says") {
  const file f4(npy_type::f4, {1, 3}, {1.0F + 0x1p-11F, -3.0F, 0x1p-30F});
  const auto read = [&](const element& type) { return read_operand(type, f4.path, 2, "A, M x K"); };
  CHECK(read(element_of<bf16>()).values == std::vector<float>{1, -3, 0x1p-30F});
  CHECK(read(element_of<tf32>()).values == std::vector<float>{1, -3, 0x1p-30F});
  CHECK(read(element_of<e5m2>()).values == std::vector<float>{1, -3, 0});
  CHECK(read(element_of<tf32>()).note.ends_with("its numbers ('<f4') are rounded to tf32"));
  const file f8(npy_type::f8, {1, 1}, {2});
  CHECK(read_operand(element_of<e4m3>(), f8.path, 2, "").note.ends_with("are rounded to f32 and then to e4m3"));
  const file i1(npy_type::i1, {1, 1}, {2});
  CHECK(read_operand(element_of<f16>(), i1.path, 2, "").note.ends_with("are taken as f16"));
  const file f2(npy_type::f2, {1, 1}, {2});
  CHECK(read_operand(element_of<f16>(), f2.path, 2, "").note == "");
}

TEST_CASE("unsigned words are the bits of floats that are as wide") {
  const file u1(npy_type::u1, {1, 3}, {0x38, 0xC4, 0x01});
  CHECK(read_operand(element_of<e4m3>(), u1.path, 2, "").values == std::vector<float>{1, -3, 0x1p-9F});
  CHECK(read_operand(element_of<e4m3>(), u1.path, 2, "")
            .note.ends_with("its 8-bit words ('|u1') are taken for raw e4m3"));
  CHECK(read_operand(element_of<u8>(), u1.path, 2, "").values == std::vector<float>{0x38, 0xC4, 1});
  CHECK(read_operand(element_of<bf16>(), u1.path, 2, "").values == std::vector<float>{0x38, 0xC4, 1});
  const file u2(npy_type::u2, {1, 2}, {1.0F, -3.0F});  // raw bf16: 3F80, C040
  CHECK(read_operand(element_of<bf16>(), u2.path, 2, "").values == std::vector<float>{1, -3});
  CHECK(read_operand(element_of<f16>(), u2.path, 2, "").values == std::vector<float>{1.875F, -2.125F});
  CHECK(
      read_operand(element_of<f16>(), u2.path, 2, "").note.ends_with("its 16-bit words ('<u2') are taken for raw f16"));
  const file bits(npy_type::u1, {1, 2}, {0x81, 0x02});
  const operand_data unpacked = read_operand(element_of<b1x8>(), bits.path, 2, "");
  CHECK(unpacked.shape == std::vector<std::int64_t>{1, 16});
  CHECK(unpacked.values == std::vector<float>{1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("numbers that the type cannot hold are refused, with their place") {
  const file large(npy_type::f4, {2, 2}, {1, 2, 3, 464});
  CHECK(refusal(element_of<e4m3>(), large) == "element (1, 1) is 464; e4m3 numbers go up to 448");
  CHECK(refusal(element_of<e5m2>(), large) == "accepted");
  CHECK(refusal(element_of<s8>(), large) == "element (1, 1) is 464; s8 numbers are whole and go from -128 to 127");
  const file fraction(npy_type::f4, {1, 2}, {1, 2.5F});
  CHECK(refusal(element_of<u8>(), fraction) == "element (0, 1) is 2.5; u8 numbers are whole and go from 0 to 255");
  const file negative(npy_type::i1, {1, 2}, {1, -1});
  CHECK(refusal(element_of<u8>(), negative) == "element (0, 1) is -1; u8 numbers are whole and go from 0 to 255");
  const file over(npy_type::f4, {1, 1}, {65520});
  CHECK(refusal(element_of<f16>(), over) == "element (0, 0) is inf as f16; a result made of it cannot be checked");
  const file nan(npy_type::e4m3, {1, 1}, {std::nanf("")});
  CHECK(refusal(element_of<e4m3>(), nan) == "element (0, 0) is nan as e4m3; a result made of it cannot be checked");
  const file infinite(npy_type::f4, {1, 1}, {-INFINITY});
  CHECK(refusal(element_of<e5m2>(), infinite).starts_with("element (0, 0) is -inf"));
  CHECK(refusal(element_of<b1x8>(), fraction) ==
        "its type is '<f4'; b1 is read from '|u1', 8 columns a byte, the first in bit 0");
}

TEST_CASE("a matrix is pruned to half of each group, refused where it is not sparse, and compressed") {
  operand_data a{.shape = {2, 8}, .values = {1, -4, 2, 3, 0, 0, 5, 6, 1, 0, 0, 2, 7, 8, 9, -9}};
  CHECK_THROWS_WITH_AS(
      require_sparse(element_of<f16>(), a, "a.npy"),
      "a.npy: the matrix is not 2:4 sparse: row 0, columns 0 to 3 hold 4 non-zero values (1, -4, 2, 3), at "
      "most 2 may be; --prune keeps the largest of each group",
      input_error);
  prune(element_of<f16>(), a);
  CHECK(a.values == std::vector<float>{0, -4, 0, 3, 0, 0, 5, 6, 1, 0, 0, 2, 0, 0, 9, -9});
  require_sparse(element_of<f16>(), a, "a.npy");
  sparse_buffer compressed(element_of<f16>(), a);
  const argument whole = compressed.as_argument();
  CHECK((whole.extent[0] == 2 && whole.extent[1] == 8 && whole.stride[0] == 8));
  CHECK(whole.bytes == 2 * 8 * 2);
  CHECK(whole.metadata_bytes == 512);
  std::vector<float> kept;
  for (const std::size_t i : {0, 1, 2, 3, 8, 9, 10, 11}) {
    f16 x;
    std::memcpy(&x, compressed.values.data() + 2 * i, 2);
    kept.push_back(static_cast<float>(x));
  }
  CHECK(kept == std::vector<float>{-4, 3, 5, 6, 1, 2, 9, -9});
  operand_data pairs{.shape = {1, 4}, .values = {1, -4, 2, 0}};
  prune(element_of<tf32>(), pairs);
  CHECK(pairs.values == std::vector<float>{0, -4, 2, 0});
}

TEST_CASE("vectors and numbers lie in memory as a launch takes them") {
  tensor_buffer vector(element_of<bf16>(), {5}), number(element_of<f32>(), {});
  vector.fill({1, 2, 3, 4, 5});
  number.fill({7});
  CHECK(vector.values() == std::vector<double>{1, 2, 3, 4, 5});
  CHECK(number.values() == std::vector<double>{7});
  const argument v = vector.as_argument(), one = number.as_argument();
  CHECK(v.rank == 1);
  CHECK(v.extent[0] == 5);
  CHECK(v.stride[0] == 1);
  CHECK(one.rank == 0);
  CHECK(one.bytes >= 4);
  CHECK(random_operand(element_of<f32>(), {}, 1).values.size() == 1);
}
