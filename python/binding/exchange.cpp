#include "exchange.hpp"

#include <initializer_list>

namespace sectile::python {

namespace {

/// A reference that goes with its scope.
class owned {
 public:
  explicit owned(PyObject* object) : object_(object) {}
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  ~owned() { Py_XDECREF(object_); }
  operator PyObject*() const { return object_; }

 private:
  PyObject* object_;
};

const exchange_functions* look_up(PyObject* type) {
  const owned capsule(PyObject_GetAttrString(type, "__dlpack_c_exchange_api__"));
  if (!capsule) {
    PyErr_Clear();
    return nullptr;
  }
  auto* found = static_cast<exchange_functions*>(PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
  if (!found) PyErr_Clear();
  while (found != nullptr && found->made_by.major != 1) found = found->older;
  return found != nullptr && found->view != nullptr ? found : nullptr;
}

/// The object's capsule. A library that knows no versions of DLPack is asked without.
PyObject* ask_for_capsule(PyObject* object, std::intptr_t stream) {
  const owned method(PyObject_GetAttrString(object, "__dlpack__"));
  if (!method) {
    PyErr_Clear();
    const owned type(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__"));
    PyErr_Format(PyExc_TypeError, "a tensor is needed, and a %S is none: it has no __dlpack__", static_cast<PyObject*>(type));
    return nullptr;
  }
  const owned device(PyObject_CallMethod(object, "__dlpack_device__", nullptr));
  if (!device) return nullptr;
  const owned kind(PySequence_GetItem(device, 0));
  if (!kind) return nullptr;
  const bool on_cuda = PyLong_AsLong(kind) == dlpack::on_cuda;
  if (PyErr_Occurred()) return nullptr;
  const owned nothing(PyTuple_New(0)), newest(Py_BuildValue("{s:(ii)}", "max_version", 1, 0)), plain(PyDict_New());
  if (on_cuda)  // 0 is ambiguous, 1 is the default stream of old
    for (PyObject* words : {static_cast<PyObject*>(newest), static_cast<PyObject*>(plain)}) {
      const owned number(PyLong_FromSsize_t(stream == 0 ? 1 : stream));
      if (PyDict_SetItemString(words, "stream", number) < 0) return nullptr;
    }
  PyObject* capsule = PyObject_Call(method, nothing, newest);
  if (capsule == nullptr && PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    capsule = PyObject_Call(method, nothing, plain);
  }
  return capsule;
}

/// An attribute that is True.
bool is_set(PyObject* object, PyObject* name) {
  const owned value(PyObject_GetAttr(object, name));
  if (!value) PyErr_Clear();
  return value == Py_True;
}

/// Whether a tensor of PyTorch has to be followed by the gradients: it requires one, and PyTorch records what happens.
bool wants_gradient(PyObject* object) {
  static PyObject* const requires_grad = PyUnicode_InternFromString("requires_grad");
  if (!is_set(object, requires_grad)) return false;
  const owned torch(PyImport_ImportModule("torch"));
  const owned recording(torch ? PyObject_CallMethod(torch, "is_grad_enabled", nullptr) : nullptr);
  if (!recording) PyErr_Clear();
  return recording == Py_True;
}

/// Whether the numbers are what memory holds with the other sign: the imaginary part of a conjugate is, and DLPack's
/// table of functions does not tell. Complex numbers have no parts of other types than these.
bool has_other_sign(PyObject* object, const dlpack::element_kind& kind) {
  if (kind.kind != dlpack::floating_number || kind.bits < 16) return false;
  const owned said(PyObject_CallMethod(object, "is_neg", nullptr));
  if (!said) PyErr_Clear();
  return said == Py_True;
}

bool refuse_gradient() {
  PyErr_SetString(PyExc_ValueError,
                  "the tensor requires a gradient, which this call would lose; call it under torch.no_grad(), pass "
                  "the tensor's detach(), or take a layer of sectile.torch or sectile.nn, which has gradients");
  return false;
}

}  // namespace

const exchange_functions* exchange_of(PyObject* object) {
  struct known {
    PyObject* type = nullptr;
    const exchange_functions* functions = nullptr;
  };
  constexpr int kept = 8;
  static known all[kept];
  static int next = 0;
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  for (const known& k : all)
    if (k.type == type) return k.functions;
  known& k = all[next++ % kept];
  Py_INCREF(type);  // so that no other type comes to stand there
  Py_XDECREF(k.type);
  k = {type, look_up(type)};
  return k.functions;
}

borrowed_tensor::~borrowed_tensor() {
  if (managed_ != nullptr && managed_->release != nullptr) managed_->release(managed_);
  if (managed_before_1_ != nullptr && managed_before_1_->release != nullptr)
    managed_before_1_->release(managed_before_1_);
}

bool borrowed_tensor::take(PyObject* object, std::intptr_t stream) {
  if (const exchange_functions* functions = exchange_of(object)) {
    if (wants_gradient(object)) return refuse_gradient();
    if (functions->view(object, &tensor_) != 0) return false;
    if (!has_other_sign(object, tensor_.type)) return true;
    PyErr_SetString(PyExc_ValueError, "memory holds its numbers with the other sign; resolve_neg() of it writes them out");
    return false;
  }
  if (take_capsule(object, stream)) return true;
  return take_without_gradient(object, stream);
}

/// A PyTorch without the table hands over no tensor that requires a gradient, whether it is wanted or not.
bool borrowed_tensor::take_without_gradient(PyObject* object, std::intptr_t stream) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  const owned name(PyUnicode_FromString("requires_grad"));
  if (!is_set(object, name)) {
    PyErr_Restore(type, value, trace);
    return false;
  }
  for (PyObject* done : {type, value, trace}) Py_XDECREF(done);
  if (wants_gradient(object)) return refuse_gradient();
  const owned detached(PyObject_CallMethod(object, "detach", nullptr));
  return detached && take_capsule(detached, stream);
}

bool borrowed_tensor::take_capsule(PyObject* object, std::intptr_t stream) {
  const owned capsule(ask_for_capsule(object, stream));
  if (!capsule) return false;
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    managed_ = static_cast<managed_tensor*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    PyCapsule_SetName(capsule, "used_dltensor_versioned");
    if (managed_->made_by.major != 1) {
      PyErr_Format(PyExc_BufferError, "the tensor comes by DLPack %u, Sectile reads version 1",
                   static_cast<unsigned>(managed_->made_by.major));
      return false;
    }
    tensor_ = managed_->tensor;
    read_only_ = (managed_->flags & 1) != 0;
    return true;
  }
  if (!PyCapsule_IsValid(capsule, "dltensor")) {
    PyErr_SetString(PyExc_TypeError, "its __dlpack__ gives no capsule of DLPack that is still full");
    return false;
  }
  managed_before_1_ = static_cast<managed_tensor_before_1*>(PyCapsule_GetPointer(capsule, "dltensor"));
  PyCapsule_SetName(capsule, "used_dltensor");
  tensor_ = managed_before_1_->tensor;
  return true;
}

}  // namespace sectile::python
