// A tensor as libraries hand it to each other: the layout that DLPack publishes (its version 1), of which Sectile reads
// what is here. Source: the specification, dmlc.github.io/dlpack.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sectile::dlpack {

enum device_kind : std::int32_t { on_cpu = 1, on_cuda = 2, on_cuda_host = 3, on_cuda_managed = 13 };
enum number_kind : std::uint8_t {
  signed_number = 0,
  unsigned_number = 1,
  floating_number = 2,
  bfloat_number = 4,
  complex_number = 5,
  bool_number = 6,
  e4m3_number = 10,
  e5m2_number = 12
};

struct device {
  std::int32_t kind = on_cpu;
  std::int32_t index = 0;
};
struct element_kind {
  std::uint8_t kind = floating_number;
  std::uint8_t bits = 32;
  std::uint16_t lanes = 1;
};
struct tensor {
  void* data = nullptr;
  device where{};
  std::int32_t rank = 0;
  element_kind type{};
  std::int64_t* extent = nullptr;
  std::int64_t* stride = nullptr;  // elements; before 1.2 nullptr says that it is packed
  std::uint64_t byte_offset = 0;
};
static_assert(sizeof(tensor) == 48 && offsetof(tensor, extent) == 24 && offsetof(tensor, byte_offset) == 40);

}  // namespace sectile::dlpack
