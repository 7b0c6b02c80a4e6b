#pragma once
// All of layouts/ that a kernel may include: values and constexpr functions, no strings and no pictures (for those:
// text.hpp, descriptor_text.hpp, picture.hpp).

#include <sectile/layouts/algebra.hpp>
#include <sectile/layouts/attempt.hpp>
#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/canonical_layout.hpp>
#include <sectile/layouts/coordinate.hpp>
#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/divide.hpp>
#include <sectile/layouts/element.hpp>
#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/fragment_layout.hpp>
#include <sectile/layouts/layout.hpp>
#include <sectile/layouts/major.hpp>
#include <sectile/layouts/metadata.hpp>
#include <sectile/layouts/modes.hpp>
#include <sectile/layouts/notation.hpp>
#include <sectile/layouts/operand_exchange.hpp>
#include <sectile/layouts/operand_tile.hpp>
#include <sectile/layouts/product.hpp>
#include <sectile/layouts/queries.hpp>
#include <sectile/layouts/recast.hpp>
#include <sectile/layouts/row_pairs.hpp>
#include <sectile/layouts/slice.hpp>
#include <sectile/layouts/sparse.hpp>
#include <sectile/layouts/sparse_layout.hpp>
#include <sectile/layouts/staging.hpp>
#include <sectile/layouts/swizzle.hpp>
#include <sectile/layouts/swizzled.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>
#include <sectile/layouts/tiler.hpp>
#include <sectile/layouts/tma_box.hpp>
#include <sectile/layouts/unrolled.hpp>
