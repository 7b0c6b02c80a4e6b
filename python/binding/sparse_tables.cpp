#include "sparse_tables.hpp"

#include <initializer_list>

#include <sectile/layouts/metadata.hpp>

namespace sectile::python {

namespace {

template <class At>
PyObject* table(int count, At at) {
  PyObject* const all = PyTuple_New(count);
  for (int i = 0; all != nullptr && i < count; ++i) PyTuple_SetItem(all, i, PyLong_FromLong(at(i)));
  return all;
}

}  // namespace

PyObject* sparse_tables(PyObject*, PyObject* given) {
  const int bits = static_cast<int>(PyLong_AsLong(given));
  if (PyErr_Occurred()) return nullptr;
  if (bits != 8 && bits != 16 && bits != 32) return PyErr_Format(PyExc_ValueError, "no element of %d bits is sparse", bits);
  const int group = sparse_group(bits), kept = sparse_kept(bits);
  return Py_BuildValue(
      "(iiNNN)", group, kept,
      table(1 << group, [=](int mask) {
        const unsigned set = static_cast<unsigned>(mask);
        return fits_group(bits, set) ? nibble_of_mask(bits, set) : -1;
      }),
      table(16 * kept, [=](int i) {
        return is_legal_nibble(bits, i / kept) ? kept_index(bits, i / kept, i % kept) : -1;
      }),
      table(metadata_words * 8, [=](int i) {
        const group_coord at = metadata_group_of(bits, i / 8, i % 8 * 4);
        return at.row * metadata_groups + at.group;
      }));
}

}  // namespace sectile::python
