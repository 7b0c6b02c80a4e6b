// Random problems for all shipped kernels: sizes from 1 up, padded and skewed tensors between guard bands, four kinds
// of data. Problem number i of a seed is a pure function of both, the same on every machine.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tool/kernel_list.hpp"

namespace sectile::gpu_test {

/// Where the elements of a tensor lie, and where the tensor lies in an arena of bytes.
struct placed_tensor {
  element type{};
  int rank = 0;
  int contiguous = 0;                                   // mode
  std::int64_t extent[max_rank]{}, stride[max_rank]{};  // elements
  std::int64_t first = 0, bytes = 0;                    // in the arena

  std::int64_t elements() const {
    std::int64_t n = 1;
    for (int d = 0; d < rank; ++d) n *= extent[d];
    return n;
  }
};

/// whole: small whole numbers, few enough that most sums are exact. normal: mean 0, variance 1; integers of any value.
/// wide: those times powers of two from 2^-12 to 2^12. extreme: integers at the ends of their range, and sums that
/// leave s32.
enum class data_kind : std::uint8_t { whole, normal, wide, extreme };

struct random_problem {
  std::uint64_t seed = 0, index = 0;
  const tool::kernel_facts* kernel = nullptr;
  tool::reading how = tool::reading::wgmma;
  data_kind data = data_kind::whole;
  double density = 1;          // of numbers that are not 0, in `whole`
  std::uint8_t poison = 0xFF;  // of every byte that no input fills
  bool twice = false;          // run again, and compare
  placed_tensor tensor[4]{};   // inputs, then the output
  int inputs = 0;
  placed_tensor metadata{};                                  // of a sparse input 0, whose tensor is that of its values
  std::int64_t m = 0, n = 0, k = 0;                          // of a product
  std::int64_t batch = 0, heads = 0, queries = 0, keys = 0;  // of attention
  float scale = 0;
  std::int64_t arena = 0;  // bytes in all

  const placed_tensor& output() const { return tensor[inputs]; }
};

/// Which kernels and readings the problems are drawn from.
struct problem_source {
  std::uint64_t seed = 1;
  std::vector<const tool::kernel_facts*> kernels;
  bool portable = true;  // the readings for older GPUs as well
};

random_problem make_problem(const problem_source& from, std::uint64_t index);

/// "problem 17 of seed 1: gemm_s8 (wgmma), 131 x 300 x 48, whole; A 131:64 48:1 at +16, ..."
std::string describe(const random_problem& p);

}  // namespace sectile::gpu_test
