// What the layouts of sparse matrices say, as tables: Python compresses with them, on whatever device its tensors are.
#pragma once
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

namespace sectile::python {

/// sparse_tables(bits of an element): (elements of a group, those that are kept, for each set of elements that are not
/// zero the metadata or -1, for each metadata the kept elements or -1, for each of the eight groups of each of a block's
/// words the row times 16 plus the group).
PyObject* sparse_tables(PyObject*, PyObject* bits);

}  // namespace sectile::python
