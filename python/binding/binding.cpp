// The module sectile._binding: loads libraries of operators and calls them. It is written for Python's stable ABI, so
// that one file serves all versions from 3.11 on.
#include "exchange.hpp"

#include <dlfcn.h>

#include <initializer_list>
#include <limits>

#include <sectile/dsl/operator/abi.hpp>

namespace sectile::python {

namespace {

constexpr int most_operands = 8;
PyObject* error = nullptr;  // sectile.Error
thread_local std::int32_t held = 0;  // SMs that a persistent kernel takes at most; 0: all

const operator_facts* facts_of(PyObject* handle) {
  return static_cast<const operator_facts*>(PyCapsule_GetPointer(handle, "sectile.operator"));
}

/// (name, modes, type, bits, role, by columns, sparse, in place)
PyObject* describe(const operator_operand& o) {
  PyObject* const modes = PyTuple_New(o.modes);
  if (modes == nullptr) return nullptr;
  for (int d = 0; d < o.modes; ++d) PyTuple_SetItem(modes, d, PyUnicode_FromString(o.mode[d]));
  return Py_BuildValue("(sNsiiiii)", o.name, modes, o.type, o.bits, static_cast<int>(o.role), o.by_columns, o.sparse,
                       o.in_place);
}

/// (handle, name, summary, operands, whether it must have a workspace, whether there is machine code)
PyObject* describe(const operator_facts& facts) {
  PyObject* const operands = PyTuple_New(facts.count);
  if (operands == nullptr) return nullptr;
  for (int i = 0; i < facts.count; ++i) PyTuple_SetItem(operands, i, describe(facts.operands[i]));
  PyObject* const handle = PyCapsule_New(const_cast<operator_facts*>(&facts), "sectile.operator", nullptr);
  return Py_BuildValue("(NssNii)", handle, facts.name, facts.summary, operands, facts.needs_workspace,
                       facts.launch != nullptr ? 1 : 0);
}

/// load(path): the operators of a library, which stays loaded.
PyObject* load(PyObject*, PyObject* path) {
  PyObject* const bytes = PyUnicode_EncodeFSDefault(path);
  if (bytes == nullptr) return nullptr;
  void* const library = dlopen(PyBytes_AsString(bytes), RTLD_NOW | RTLD_LOCAL);
  Py_DECREF(bytes);
  if (library == nullptr) return PyErr_Format(error, "the library cannot be loaded: %s", dlerror());
  const auto give = reinterpret_cast<const operator_set* (*)()>(dlsym(library, "sectile_operators"));
  if (give == nullptr)
    return PyErr_Format(error, "%U is no library of operators: it has no sectile_operators; sectile_add_operator() of "
                        "Sectile's CMake functions makes one", path);
  const operator_set& set = *give();
  if (set.abi != operator_abi)
    return PyErr_Format(error, "%U was built by another version of Sectile: its operators speak ABI %u, this package "
                        "speaks ABI %u; build both from one version", path, set.abi, operator_abi);
  PyObject* const all = PyTuple_New(set.count);
  if (all == nullptr) return nullptr;
  for (std::uint32_t i = 0; i < set.count; ++i) PyTuple_SetItem(all, i, describe(*set.at[i]));
  return all;
}

/// The arguments of one call, held while it lasts.
struct taken_arguments {
  operator_argument argument[most_operands]{};
  borrowed_tensor tensor[most_operands], metadata[most_operands];
  int count = 0;
  bool on_gpu = false;

  bool take(const operator_facts& facts, PyObject* given, std::intptr_t stream) {
    count = static_cast<int>(PyTuple_Size(given));
    if (count != facts.count) {
      PyErr_Format(error, "%s takes %d arguments, one for each operand, not %d", facts.name, facts.count, count);
      return false;
    }
    for (int i = 0; i < count; ++i)
      if (!take_one(facts.operands[i], i, PyTuple_GetItem(given, i), stream)) return false;
    return true;
  }

 private:
  bool take_one(const operator_operand& o, int i, PyObject* given, std::intptr_t stream) {
    if (o.role == operator_role::scalar) {
      argument[i].number = PyFloat_AsDouble(given);
      return !(PyErr_Occurred() && say_of(o));
    }
    if (given == Py_None) return true;  // which the call refuses
    PyObject* values = given;
    if (o.sparse) {
      if (!PyTuple_Check(given) || PyTuple_Size(given) != 2) {
        PyErr_Format(error, "operand %s: it is sparse: pass (values, metadata)", o.name);
        return false;
      }
      values = PyTuple_GetItem(given, 0);
      if (!metadata[i].take(PyTuple_GetItem(given, 1), stream)) return !say_of(o);
      argument[i].metadata = &metadata[i].tensor();
    }
    if (!tensor[i].take(values, stream)) return !say_of(o);
    if (tensor[i].is_read_only() && o.role == operator_role::output) {
      PyErr_Format(error, "operand %s: it is an output, and the tensor may only be read", o.name);
      return false;
    }
    argument[i].tensor = &tensor[i].tensor();
    on_gpu = on_gpu || tensor[i].tensor().where.kind == dlpack::on_cuda;
    return true;
  }
  /// Makes the library's exception one sentence about the operand: of what PyTorch says the first line is one, the rest
  /// are addresses. True.
  static bool say_of(const operator_operand& o) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject* const text = value != nullptr ? PyObject_Str(value) : nullptr;
    PyObject* const lines = text != nullptr ? PyUnicode_Splitlines(text, 0) : nullptr;
    PyObject* const first = lines != nullptr && PyList_Size(lines) > 0 ? PyList_GetItem(lines, 0) : type;
    PyErr_Clear();
    PyErr_Format(error, "operand %s: %S", o.name, first);
    for (PyObject* done : {lines, text, type, value, trace}) Py_XDECREF(done);
    return true;
  }
};

/// The stream that a call is queued on: as given, else the current one of the library that the first tensor on a GPU
/// belongs to, else the default one.
bool find_stream(const taken_arguments& all, PyObject* given, PyObject* arguments, void** stream) {
  if (given != Py_None) {
    *stream = reinterpret_cast<void*>(PyLong_AsSsize_t(given));
    return !PyErr_Occurred();
  }
  *stream = nullptr;
  for (int i = 0; i < all.count; ++i) {
    if (all.argument[i].tensor == nullptr || all.argument[i].tensor->where.kind != dlpack::on_cuda) continue;
    PyObject* object = PyTuple_GetItem(arguments, i);
    if (PyTuple_Check(object)) object = PyTuple_GetItem(object, 0);
    const exchange_functions* functions = exchange_of(object);
    if (functions == nullptr || functions->current_stream == nullptr) continue;
    return functions->current_stream(dlpack::on_cuda, all.argument[i].tensor->where.index, stream) == 0;
  }
  return true;
}

/// What a call is about, from (handle, arguments, stream, ...). False with an exception set.
struct begun_call {
  const operator_facts* facts = nullptr;
  taken_arguments all;
  char sentence[2048] = "";
  operator_call call{};

  bool begin(PyObject* const* words) {
    facts = facts_of(words[0]);
    if (facts == nullptr) return false;
    std::intptr_t stream = 0;
    if (words[2] != Py_None) stream = PyLong_AsSsize_t(words[2]);
    if (PyErr_Occurred() || !all.take(*facts, words[1], stream)) return false;
    call = {.arguments = all.argument, .count = all.count, .multiprocessors = held, .sentence = sentence,
            .room = sizeof sentence};
    return find_stream(all, words[2], words[1], &call.stream);
  }
  bool is_for_gpu() const { return all.on_gpu; }
};

/// call(handle, arguments, stream or None, workspace or None)
PyObject* call(PyObject*, PyObject* const* words, Py_ssize_t count) {
  if (count != 4) return PyErr_Format(PyExc_TypeError, "call(handle, arguments, stream, workspace)");
  begun_call c;
  if (!c.begin(words)) return nullptr;
  borrowed_tensor room;
  if (words[3] != Py_None) {
    if (!room.take(words[3], reinterpret_cast<std::intptr_t>(c.call.stream))) return nullptr;
    const dlpack::tensor& t = room.tensor();
    std::uint64_t bytes = t.type.bits / 8u;
    for (int d = 0; d < t.rank; ++d) bytes *= static_cast<std::uint64_t>(t.extent[d]);
    c.call.workspace = static_cast<char*>(t.data) + t.byte_offset;
    c.call.workspace_bytes = bytes;
  }
  if (c.is_for_gpu() && c.facts->launch == nullptr)
    return PyErr_Format(error, "%s has no machine code for a GPU in this library, which was built without nvcc; give it "
                        "tensors in host memory, for the model, or build it where nvcc is", c.facts->name);
  std::int32_t refused = 0;
  if (c.is_for_gpu()) {
    refused = c.facts->launch(&c.call);
  } else {
    Py_BEGIN_ALLOW_THREADS
    refused = c.facts->on_model(&c.call);
    Py_END_ALLOW_THREADS
  }
  if (refused != 0) return PyErr_Format(error, "%s", c.sentence);
  Py_RETURN_NONE;
}

/// workspace_bytes(handle, arguments, None)
PyObject* workspace_bytes(PyObject*, PyObject* const* words, Py_ssize_t count) {
  if (count != 3) return PyErr_Format(PyExc_TypeError, "workspace_bytes(handle, arguments, stream)");
  begun_call c;
  std::uint64_t bytes = 0;
  if (!c.begin(words)) return nullptr;
  if (c.facts->workspace_bytes(&c.call, &bytes) != 0) return PyErr_Format(error, "%s", c.sentence);
  return PyLong_FromUnsignedLongLong(bytes);
}

/// hold(SMs): what calls of this thread are held to from now on. What they were held to.
PyObject* hold(PyObject*, PyObject* given) {
  const long most = PyLong_AsLong(given);
  if (PyErr_Occurred()) return nullptr;
  if (most < 0 || most > std::numeric_limits<std::int32_t>::max())
    return PyErr_Format(error, "kernels are held to %ld SMs; the number is 1 or more, or 0 for all that there are", most);
  PyObject* const before = PyLong_FromLong(held);
  if (before != nullptr) held = static_cast<std::int32_t>(most);
  return before;
}

/// set_error(class)
PyObject* set_error(PyObject*, PyObject* given) {
  Py_INCREF(given);
  Py_XDECREF(error);
  error = given;
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"load", load, METH_O, nullptr},
    {"call", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)), METH_FASTCALL, nullptr},
    {"workspace_bytes", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(workspace_bytes)), METH_FASTCALL,
     nullptr},
    {"hold", hold, METH_O, nullptr},
    {"set_error", set_error, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef module{PyModuleDef_HEAD_INIT, "sectile._binding", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

}  // namespace sectile::python

PyMODINIT_FUNC PyInit__binding() { return PyModule_Create(&sectile::python::module); }
