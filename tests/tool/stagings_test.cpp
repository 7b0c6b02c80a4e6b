// The descriptors and boxes of every shipped kernel's plan are those that follow from the stagings of its operands by
// the algebra of layouts/. Kernels are compiled with closed forms of the same (see layouts/staging.hpp).
#include <doctest/doctest.h>

#include <sectile/layouts/operand_tile_layout.hpp>
#include <sectile/layouts/staging.hpp>
#include <string>

#include "tool/kernel_list.hpp"

namespace {

using namespace sectile;

/// Calls f(name, plan) for each shipped kernel.
template <class F>
int for_shipped_plans(F f) {
  int kernels = 0;
  for (const tool::kernel_facts& kernel : tool::kernel_list())
    if (kernel.planned != nullptr) {
      f(std::string(kernel.name), *kernel.planned);
      ++kernels;
    }
  return kernels;
}

/// Compares the descriptors of all instructions on a tile. mn, k: elements of one, as they are stored.
int compare_descriptors(const operand_tile& t, int mn, int k) {
  const swizzled_layout staged = tile_layout(t);
  int compared = 0;
  for (int mn0 = 0; mn0 < t.mn; mn0 += mn)
    for (int k0 = 0; k0 < t.k; k0 += k, ++compared) {
      const matrix_descriptor found = descriptor_of(staged, t.major, t.element_bits, mn, k, mn0, k0);
      const matrix_descriptor planned = descriptor_at(t, mn0, k0);
      CHECK(found.start_bytes == planned.start_bytes);
      CHECK(found.swizzle == planned.swizzle);
      for (int i = 0; i < mn; i += 8)
        for (int j = 0; j < k; j += 8)
          CHECK(read_offset(found, t.major, i, j, t.element_bits) ==
                read_offset(planned, t.major, i, j, t.element_bits));
    }
  return compared;
}

}  // namespace

TEST_CASE("descriptors of the shipped kernels follow from their stagings") {
  int compared = 0;
  const int kernels = for_shipped_plans([&](const std::string& name, const plan& p) {
    CAPTURE(name);
    for (int i = 0; i < p.products.count; ++i) {
      const product_plan& q = p.products.at[i];
      const wgmma_instruction& w = q.instruction;
      if (q.a_operand >= 0) compared += compare_descriptors(q.a, 64, w.sparse ? w.k / 2 : w.k);
      compared += compare_descriptors(q.b, w.n, w.k);
    }
  });
  CHECK(kernels > 40);
  CHECK(compared > 700);
}

TEST_CASE("boxes of the shipped kernels follow from their stagings") {
  int boxes = 0;
  for_shipped_plans([&](const std::string& name, const plan& p) {
    CAPTURE(name);
    for (int o = 0; o < p.operands; ++o) {
      const operand_plan& op = p.operand[o];
      if (op.ring < 0 || op.facts.is_vector()) continue;
      CAPTURE(op.facts.name);
      // A slice of the tile, its contiguous mode as K.
      const int bits = op.facts.type.bits;
      const operand_tile slice{op.facts.strided() / op.slices, op.facts.contiguous(), bits, major::k, op.swizzle};
      const staged_boxes found = boxes_of(tile_layout(slice), major::k, bits);
      CHECK(found.box.extent[0] == op.box.extent[0]);
      CHECK(found.box.extent[1] == op.box.extent[1]);
      CHECK(found.box.element_bits == op.box.element_bits);
      CHECK(found.box.swizzle == op.box.swizzle);
      CHECK(size(found.starts) == op.panels * op.boxes_per_panel);
      ++boxes;
    }
  });
  CHECK(boxes > 80);
}
