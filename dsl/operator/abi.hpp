// What a library of operators shows to whoever loads it: one symbol, sectile_operators, which gives an operator_set.
// Plain data and functions that throw nothing, so that any language can use it. Whatever changes here changes
// operator_abi.
#pragma once
#include <cstdint>

#include <sectile/dsl/operator/dlpack.hpp>

namespace sectile {

inline constexpr std::uint32_t operator_abi = 4;
/// Operands that an operator has at most.
inline constexpr std::int32_t most_operator_operands = 16;

enum class operator_role : std::int32_t { input = 0, output = 1, scalar = 2 };

struct operator_operand {
  const char* name = "";
  const char* mode[5]{};  // as written, outermost first
  std::int32_t modes = 0;
  operator_role role = operator_role::input;
  const char* type = "";        // of an element: "bf16"
  std::int32_t bits = 0;        // of an element in memory
  std::int32_t by_columns = 0;  // whether the last mode but one is the contiguous one
  std::int32_t sparse = 0;      // an argument has the stored values and the metadata
  std::int32_t in_place = 0;    // an input that may be an output's own tensor
  std::int32_t image = 0;       // images N x H x W x C that a filter goes over; the modes are those of what it meets
};

/// Numbers that say how a filter goes over an image: rows and columns of the filter, of its stride, of the padding and
/// of its dilation.
inline constexpr int path_numbers = 8;

/// One argument: a tensor, the values of a sparse one and its metadata, images and a filter's path, or a number.
struct operator_argument {
  const dlpack::tensor* tensor = nullptr;
  const dlpack::tensor* metadata = nullptr;
  double number = 0;
  std::int32_t path[path_numbers]{};
};

struct operator_call {
  const operator_argument* arguments = nullptr;  // in the order of the operands
  std::int32_t count = 0;
  void* workspace = nullptr;
  std::uint64_t workspace_bytes = 0;
  void* stream = nullptr;            // of CUDA's
  std::int32_t multiprocessors = 0;  // that a persistent kernel takes at most; 0: all
  char* sentence = nullptr;          // gets why the call was refused; ends with '\0'
  std::uint64_t room = 0;            // bytes there
};

/// The functions return 0, or 1 and a sentence.
struct operator_facts {
  const char* name = "";
  const char* summary = "";
  const operator_operand* operands = nullptr;
  std::int32_t count = 0;
  std::int32_t needs_workspace = 0;  // whether no call does without
  std::int32_t (*workspace_bytes)(const operator_call*, std::uint64_t* bytes) = nullptr;
  std::int32_t (*on_model)(const operator_call*) = nullptr;
  std::int32_t (*launch)(const operator_call*) = nullptr;  // nullptr: there is no machine code in this library
};

struct operator_set {
  std::uint32_t abi = operator_abi;
  std::uint32_t count = 0;
  const operator_facts* const* at = nullptr;
};

}  // namespace sectile
