#include "arguments.hpp"

#include <cstring>
#include <initializer_list>

namespace sectile::python {

PyObject* error = nullptr;

namespace {

bool refuse(const char* what, const char* name, const char* why) {
  PyErr_Format(error, "%s%s: %s", what, name, why);
  return false;
}

PyObject* name_of_type(PyObject* object) {
  return PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__");
}

/// JAX counts on its arrays to stay what they are, and hands them over like any others.
bool is_never_written(PyObject* object) {
  PyObject* const module = PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__module__");
  const char* const name = module != nullptr && PyUnicode_Check(module) ? PyUnicode_AsUTF8AndSize(module, nullptr) : "";
  const bool never = std::strncmp(name, "jax", 3) == 0;
  Py_XDECREF(module);
  PyErr_Clear();
  return never;
}

/// Modes lie one inside the other with nothing between them.
bool is_packed(const dlpack::tensor& t) {
  std::int64_t packed = 1;
  for (int d = t.rank - 1; t.stride != nullptr && d >= 0; packed *= t.extent[d--])
    if (t.extent[d] != 1 && t.stride[d] != packed) return false;
  return true;
}

std::uint64_t bytes_of(const dlpack::tensor& t) {
  std::uint64_t bytes = (t.type.bits * t.type.lanes + 7u) / 8u;
  for (int d = 0; d < t.rank; ++d) bytes *= static_cast<std::uint64_t>(t.extent[d]);
  return bytes;
}

std::uintptr_t address_of(const dlpack::tensor& t) {
  return reinterpret_cast<std::uintptr_t>(t.data) + static_cast<std::uintptr_t>(t.byte_offset);
}

/// Whether TMA walks over it, or the threads where it is a vector. Other rules than those of the order in memory are
/// the launch's, which refuses what breaks them, copied or not.
bool lies_as_needed(const operator_operand& o, const dlpack::tensor& t) {
  const int modes = o.image ? 4 : o.modes, contiguous = modes - (o.by_columns ? 2 : 1);
  if (t.rank != modes || t.stride == nullptr || t.data == nullptr) return true;
  const std::int64_t bytes = t.type.bits / 8;
  bool good = t.rank < 2 || address_of(t) % 16 == 0;
  for (int d = 0; d < t.rank; ++d) {
    if (t.extent[d] == 1) continue;
    const std::int64_t step = t.stride[d];
    // An output whose elements share memory is refused: written back, one would undo the other.
    if (step == 0 && o.role == operator_role::output) return true;
    good = good && (d == contiguous ? step == 1 : step >= 0 && step * bytes % 16 == 0);
  }
  return good;
}

}  // namespace

bool say_of(const char* what, const char* name) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject* const text = value != nullptr ? PyObject_Str(value) : nullptr;
  PyObject* const lines = text != nullptr ? PyUnicode_Splitlines(text, 0) : nullptr;
  PyObject* const first = lines != nullptr && PyList_Size(lines) > 0 ? PyList_GetItem(lines, 0) : type;
  PyErr_Clear();
  PyErr_Format(error, "%s%s: %S", what, name, first);
  for (PyObject* done : {lines, text, type, value, trace}) Py_XDECREF(done);
  return false;
}

bool taken_arguments::take(const operator_facts& facts, PyObject* given, PyObject* stream_given) {
  count = static_cast<int>(PyTuple_Size(given));
  if (count != facts.count) {
    PyErr_Format(error, "%s takes %d arguments, one for each operand, not %d", facts.name, facts.count, count);
    return false;
  }
  if (stream_given != Py_None) {
    stream = reinterpret_cast<void*>(PyLong_AsSsize_t(stream_given));
    if (PyErr_Occurred())
      return say_of("stream", ", a number of CUDA's (.cuda_stream of a torch.cuda.Stream, .ptr of CuPy's)");
    knows_stream_ = true;
  }
  for (int i = 0; i < count; ++i)
    if (facts.operands[i].role == operator_role::scalar &&
        !take_number(facts.operands[i], PyTuple_GetItem(given, i), argument[i].number))
      return false;
  // Those by the table first: they tell which stream the others are to be ready for.
  return take_tensors(facts, given, true) && take_tensors(facts, given, false);
}

bool taken_arguments::take_number(const operator_operand& o, PyObject* given, double& number) {
  // A tensor on a GPU would be waited for.
  if (!PyFloat_Check(given) && !PyLong_Check(given) && PyObject_HasAttrString(given, "__dlpack__")) {
    PyObject* const type = name_of_type(given);
    PyErr_Format(error, "operand %s: it is a number, and a %S is none; its item() is, for which the host waits", o.name,
                 type);
    Py_XDECREF(type);
    return false;
  }
  number = PyFloat_AsDouble(given);
  return !PyErr_Occurred() || say_of("operand ", o.name);
}

bool taken_arguments::take_path(const operator_operand& o, PyObject* given, std::int32_t (&path)[path_numbers]) {
  if (!PySequence_Check(given) || PySequence_Size(given) != path_numbers)
    return refuse("operand ", o.name,
                  "a filter's path is 8 numbers: rows and columns of the filter, of its stride, of the padding and of "
                  "its dilation");
  for (int i = 0; i < path_numbers; ++i) {
    PyObject* const number = PySequence_GetItem(given, i);
    const long value = number != nullptr ? PyLong_AsLong(number) : -1;
    Py_XDECREF(number);
    if (PyErr_Occurred()) return say_of("operand ", o.name);
    path[i] = static_cast<std::int32_t>(value);
    if (path[i] != value) return refuse("operand ", o.name, "a number of a filter's path is no int of 32 bits");
  }
  return true;
}

bool taken_arguments::take_tensors(const operator_facts& facts, PyObject* given, bool by_table) {
  for (int i = 0; i < count; ++i) {
    const operator_operand& o = facts.operands[i];
    PyObject* values = PyTuple_GetItem(given, i);
    if (o.role == operator_role::scalar || values == Py_None) continue;  // None: the call refuses it
    if (o.sparse) {
      if (!PyTuple_Check(values) || PyTuple_Size(values) != 2)
        return refuse("operand ", o.name, "it is sparse: pass (values, metadata)");
      if (!take_tensor(o, PyTuple_GetItem(values, 1), by_table, metadata_[i], argument[i].metadata)) return false;
      values = PyTuple_GetItem(values, 0);
    }
    if (o.image) {
      if (!PyTuple_Check(values) || PyTuple_Size(values) != 2)
        return refuse("operand ", o.name, "it is an image that a filter goes over: pass (tensor, path)");
      if (!take_path(o, PyTuple_GetItem(values, 1), argument[i].path)) return false;
      values = PyTuple_GetItem(values, 0);
    }
    if (!take_tensor(o, values, by_table, tensor_[i], argument[i].tensor)) return false;
  }
  return true;
}

bool taken_arguments::take_tensor(const operator_operand& o, PyObject* given, bool by_table, borrowed_tensor& to,
                                  const dlpack::tensor*& told) {
  if ((exchange_of(given) != nullptr) != by_table) return true;
  if (!to.take(given, reinterpret_cast<std::intptr_t>(stream))) return say_of("operand ", o.name);
  if (!by_table && o.role == operator_role::output && is_never_written(given))
    return refuse("operand ", o.name,
                  "it is an output, and arrays of JAX are never written to; leave out= away, or pass "
                  "a tensor of another library");
  if (to.is_read_only() && o.role == operator_role::output)
    return refuse("operand ", o.name, "it is an output, and the tensor may only be read");
  told = &to.tensor();
  if (to.tensor().where.kind == dlpack::on_cuda) {
    on_gpu = true;
    if (!knows_stream_) note_stream(given, to.tensor());
  }
  return true;
}

void taken_arguments::note_stream(PyObject* object, const dlpack::tensor& t) {
  const exchange_functions* functions = exchange_of(object);
  if (functions == nullptr || functions->current_stream == nullptr) return;
  if (functions->current_stream(dlpack::on_cuda, t.where.index, &stream) == 0) knows_stream_ = true;
}

bool taken_arguments::take_workspace(PyObject* given, operator_call& call) {
  if (given == Py_None) return true;
  if (!room_.take(given, reinterpret_cast<std::intptr_t>(stream))) return say_of("workspace", "");
  const dlpack::tensor& t = room_.tensor();
  if (room_.is_read_only()) return refuse("workspace", "", "it is written, and the tensor may only be read");
  if (!is_packed(t)) return refuse("workspace", "", "its elements are not packed; a tensor of bytes will do");
  const bool shared = t.where.kind == dlpack::on_cuda_host || t.where.kind == dlpack::on_cuda_managed;
  if (!shared && t.where.kind != (on_gpu ? dlpack::on_cuda : dlpack::on_cpu))
    return refuse("workspace", "",
                  on_gpu ? "it is not on the GPU, where the kernel runs; make it there"
                         : "it is not in host memory, where the model runs; make it there");
  call.workspace = reinterpret_cast<void*>(address_of(t));
  call.workspace_bytes = bytes_of(t);
  return true;
}

int taken_arguments::needs_copy(const operator_facts& facts, int i) const {
  int parts = 0;
  if (argument[i].tensor != nullptr && !lies_as_needed(facts.operands[i], *argument[i].tensor)) parts = 1;
  if (argument[i].metadata != nullptr &&
      (!is_packed(*argument[i].metadata) || address_of(*argument[i].metadata) % 16 != 0))
    parts += 2;
  return parts;
}

}  // namespace sectile::python
