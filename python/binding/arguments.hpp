// The arguments of one call, from Python's objects to what an operator takes.
#pragma once
#include "exchange.hpp"

#include <sectile/dsl/operator/abi.hpp>

namespace sectile::python {

/// sectile.Error; a class that is set when the package is loaded.
extern PyObject* error;

/// Turns the exception that is set, of whatever library, into sectile.Error with one sentence: `what`, its name, and
/// the first line of the text. False.
bool say_of(const char* what, const char* name);

/// Held while the call lasts.
struct taken_arguments {
  operator_argument argument[most_operator_operands]{};
  void* stream = nullptr;
  bool on_gpu = false;
  int count = 0;

  /// `given`: a tuple in the order of the operands. `stream_given`: a number of CUDA's, or None for the current stream
  /// of the library that the first tensor on a GPU belongs to. False with sectile.Error set.
  bool take(const operator_facts& facts, PyObject* given, PyObject* stream_given);
  /// Memory to work in, or None.
  bool take_workspace(PyObject* given, operator_call& call);
  /// Of operand i: 1 where a launch would need a copy of the tensor as it lies in memory, 2 of the metadata, 3 of both.
  int needs_copy(const operator_facts& facts, int i) const;

 private:
  bool take_number(const operator_operand& o, PyObject* given, double& number);
  bool take_path(const operator_operand& o, PyObject* given, std::int32_t (&path)[path_numbers]);
  bool take_tensors(const operator_facts& facts, PyObject* given, bool by_table);
  bool take_tensor(const operator_operand& o, PyObject* given, bool by_table, borrowed_tensor& to,
                   const dlpack::tensor*& told);
  void note_stream(PyObject* object, const dlpack::tensor& t);

  borrowed_tensor tensor_[most_operator_operands], metadata_[most_operator_operands], room_;
  bool knows_stream_ = false;
};

}  // namespace sectile::python
