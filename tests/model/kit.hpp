// What the tests of the model share: matrices of bf16, tensor maps of them, and a way to catch a report.
#pragma once

#include <cstdint>
#include <optional>
#include <sectile/dsl/model/numerics.hpp>
#include <sectile/dsl/model/simulate.hpp>
#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/fragment.hpp>
#include <string>
#include <vector>

namespace kit {

namespace model = sectile::model;
using sectile::bf16;
using sectile::swizzle_mode;

/// Row-major bf16 matrix.
struct matrix {
  int rows, cols;
  std::vector<std::uint16_t> data;

  matrix(int r, int c, std::uint16_t fill = 0) : rows(r), cols(c), data(static_cast<std::size_t>(r * c), fill) {}
  std::uint16_t& operator()(int r, int c) { return data[static_cast<std::size_t>(r * cols + c)]; }
  const std::uint16_t* row(int r) const { return data.data() + r * cols; }
  friend bool operator==(const matrix&, const matrix&) = default;
};

/// Values in -2 .. 2 with all mantissa bits in use.
inline matrix random_matrix(int rows, int cols, std::uint32_t seed) {
  matrix made(rows, cols);
  for (std::uint16_t& x : made.data) {
    seed = seed * 1664525u + 1013904223u;
    x = bf16(static_cast<float>(static_cast<int>(seed >> 12 & 0xFFFF) - 0x8000) / 0x4000).bits;
  }
  return made;
}

template <class Matrix>
model::tensor_map map_of(Matrix& x, int box_rows, int box_cols, swizzle_mode mode) {
  const std::int64_t extent[] = {x.cols, x.rows};
  const std::int64_t stride[] = {x.cols * 2};
  const sectile::tma_box box{2, {box_cols, box_rows}, 16, mode};
  return model::make_tensor_map(x.data.data(), 2, extent, stride, box, 16);
}

/// One element of A * B^T (both K-contiguous, K a multiple of 16) as a chain of wgmmas computes it.
inline float dot(const std::uint16_t* a, const std::uint16_t* b, int k) {
  float sum = 0;
  for (int i = 0; i < k; i += 16) sum = model::dot_accumulate(model::bf16_format, a + i, b + i, 16, sum);
  return sum;
}

/// K-major or MN-major bf16 operand that starts where a swizzle pattern does.
inline std::uint64_t descriptor(std::uint32_t start, unsigned lbo, unsigned sbo, swizzle_mode mode) {
  return sectile::encode(sectile::matrix_descriptor{start, lbo, sbo, 0, mode});
}

struct caught {
  model::hazard_kind kind;
  std::string message;

  bool says(const std::string& part) const { return message.find(part) != std::string::npos; }
};

/// The hazard that a run reports, if it does.
template <class F>
std::optional<caught> hazard_of(const model::grid& shape, const model::options& how, F&& entry) {
  try {
    model::simulate(shape, how, entry);
  } catch (const model::hazard& h) {
    return caught{h.kind, h.what()};
  }
  return std::nullopt;
}

template <class F>
std::optional<caught> hazard_of(const model::grid& shape, F&& entry) {
  return hazard_of(shape, model::options{.workers = 1}, entry);
}

/// The fair schedule and a few random ones.
inline std::vector<model::options> schedules(int random) {
  std::vector<model::options> all(1);
  for (int seed = 0; seed < random; ++seed) {
    all.push_back({.schedule = model::schedule_mode::random, .seed = static_cast<std::uint64_t>(seed)});
  }
  for (model::options& o : all) o.workers = 1;
  return all;
}

}  // namespace kit
