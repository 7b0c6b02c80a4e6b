// How Python objects hand over their tensors: by DLPack's table of C functions, which their type may have (PyTorch from
// 2.10 on: tens of nanoseconds), else by the method __dlpack__, which makes a capsule.
#pragma once
#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <sectile/dsl/operator/dlpack.hpp>

namespace sectile::python {

struct version {
  std::uint32_t major, minor;
};
/// DLManagedTensorVersioned
struct managed_tensor {
  version made_by;
  void* context;
  void (*release)(managed_tensor*);
  std::uint64_t flags;  // bit 0: may only be read
  dlpack::tensor tensor;
};
/// DLManagedTensor
struct managed_tensor_before_1 {
  dlpack::tensor tensor;
  void* context;
  void (*release)(managed_tensor_before_1*);
};
/// DLPackExchangeAPI
struct exchange_functions {
  version made_by;
  exchange_functions* older;
  void* allocate;
  void* from_object;
  void* to_object;
  int (*view)(void* object, dlpack::tensor* out);  // may be nullptr
  int (*current_stream)(std::int32_t device_kind, std::int32_t device, void** stream);
};

/// Those of an object's type; nullptr if it has none.
const exchange_functions* exchange_of(PyObject* object);

/// A tensor for as long as a call lasts.
class borrowed_tensor {
 public:
  borrowed_tensor() = default;
  borrowed_tensor(const borrowed_tensor&) = delete;
  borrowed_tensor& operator=(const borrowed_tensor&) = delete;
  ~borrowed_tensor();
  /// `stream`: on which it is going to be used, as CUDA's number. False with a Python exception set.
  bool take(PyObject* object, std::intptr_t stream);
  const dlpack::tensor& tensor() const { return tensor_; }
  bool is_read_only() const { return read_only_; }

 private:
  bool take_capsule(PyObject* object, std::intptr_t stream);
  bool take_without_gradient(PyObject* object, std::intptr_t stream);
  dlpack::tensor tensor_{};
  bool read_only_ = false;
  managed_tensor* managed_ = nullptr;
  managed_tensor_before_1* managed_before_1_ = nullptr;
};

}  // namespace sectile::python
