// Products from registers, masks, row vectors and casts as machine code, with the launch: compiled, and never run.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/attention.hpp>

using sectile::bf16, sectile::tensor;
using kernel = sectile::kernels::attention<64, sectile::kernels::attention_mask::causal>;
static_assert(sectile::verified<kernel>);

void launch_attention(const bf16* q, const bf16* k, const bf16* v, bf16* o, int b, int h, int s, float scale) {
  sectile::launch<kernel>(tensor(q, b, h, s, 64), tensor(k, b, h, s, 64), tensor(v, b, h, s, 64),
                          tensor(o, b, h, s, 64), scale);
}
