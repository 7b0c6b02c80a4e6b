// The module sectile._binding: loads libraries of operators and calls them. It is written for Python's stable ABI, so
// that one file serves all versions from 3.11 on.
#include "arguments.hpp"
#include "sparse_tables.hpp"

#include <dlfcn.h>

#include <limits>

namespace sectile::python {

namespace {

thread_local std::int32_t held = 0;  // SMs that a persistent kernel takes at most; 0: all

const operator_facts* facts_of(PyObject* handle) {
  return static_cast<const operator_facts*>(PyCapsule_GetPointer(handle, "sectile.operator"));
}

/// (name, modes, type, bits, role, by columns, sparse, in place, image)
PyObject* describe(const operator_operand& o) {
  PyObject* const modes = PyTuple_New(o.modes);
  if (modes == nullptr) return nullptr;
  for (int d = 0; d < o.modes; ++d) PyTuple_SetItem(modes, d, PyUnicode_FromString(o.mode[d]));
  return Py_BuildValue("(sNsiiiiii)", o.name, modes, o.type, o.bits, static_cast<int>(o.role), o.by_columns, o.sparse,
                       o.in_place, o.image);
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

/// What a call is about, from (handle, arguments, stream, ...). False with an exception set.
struct begun_call {
  const operator_facts* facts = nullptr;
  taken_arguments all;
  char sentence[2048] = "";
  operator_call call{};

  bool begin(PyObject* const* words) {
    facts = facts_of(words[0]);
    if (facts == nullptr) return false;
    if (!all.take(*facts, words[1], words[2])) return false;
    call = {.arguments = all.argument, .count = all.count, .stream = all.stream, .multiprocessors = held};
    call.sentence = sentence;
    call.room = sizeof sentence;
    return true;
  }
  bool is_for_gpu() const { return all.on_gpu; }
};

/// call(handle, arguments, stream or None, workspace or None)
PyObject* call(PyObject*, PyObject* const* words, Py_ssize_t count) {
  if (count != 4) return PyErr_Format(PyExc_TypeError, "call(handle, arguments, stream, workspace)");
  begun_call c;
  if (!c.begin(words)) return nullptr;
  if (!c.all.take_workspace(words[3], c.call)) return nullptr;
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

/// needs_copy(handle, arguments): for each operand what a launch would need a copy of: 1 its tensor, 2 its metadata.
PyObject* needs_copy(PyObject*, PyObject* const* words, Py_ssize_t count) {
  if (count != 2) return PyErr_Format(PyExc_TypeError, "needs_copy(handle, arguments)");
  PyObject* const with_stream[] = {words[0], words[1], Py_None};
  begun_call c;
  if (!c.begin(with_stream)) return nullptr;
  PyObject* const all = PyTuple_New(c.all.count);
  for (int i = 0; all != nullptr && i < c.all.count; ++i)
    PyTuple_SetItem(all, i, PyLong_FromLong(c.all.needs_copy(*c.facts, i)));
  return all;
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
    {"needs_copy", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(needs_copy)), METH_FASTCALL, nullptr},
    {"sparse_tables", sparse_tables, METH_O, nullptr},
    {"set_error", set_error, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef module{PyModuleDef_HEAD_INIT, "sectile._binding", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

}  // namespace sectile::python

PyMODINIT_FUNC PyInit__binding() { return PyModule_Create(&sectile::python::module); }
