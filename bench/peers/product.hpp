// What each library that `python3 bench/peers` races is: products C = A B^T that are prepared once and queued at will.
// c_interface.cpp puts C functions around it, so that all run in one process, on the same memory, in turns.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "bench/command_line.hpp"

using cudaStream_t = struct CUstream_st*;  // as CUDA's headers have it, which tests do without

namespace sectile::bench {

/// Types of A and B; C is bf16, of integers s32. A sparse A has at most two of four neighbours that are not 0.
enum class product_type : int { bf16, e4m3, s8, sparse_bf16 };
constexpr int product_types = 4;

/// One size of C = A B^T, all matrices row-major and packed, A of m x k, B of n x k, C of m x n.
class product {
 public:
  product() = default;
  virtual ~product() = default;
  product(const product&) = delete;
  product& operator=(const product&) = delete;

  /// Ways to compute it; whoever times them takes the fastest.
  virtual std::size_t candidates() const { return 1; }
  virtual std::string name(std::size_t candidate) const = 0;
  /// What run() takes in place of an A in device memory, which it may point into. Good as long as the product is. May
  /// write to C, and waits for the stream.
  virtual const void* left_of(const void* a, const void* /*b*/, void* /*c*/, cudaStream_t) { return a; }
  /// Queues the product.
  virtual void run(std::size_t candidate, const void* left, const void* b, void* c, cudaStream_t on) = 0;
};

/// Defined once in each library: null where it has no product of these types, and throws where not of this size.
std::unique_ptr<product> make_product(product_type type, const shape& size);
/// The library and its version, for the report.
std::string library_name();

}  // namespace sectile::bench
