// fault: a multicast of a tile that differs between the CTAs of the cluster
// reported: DeepGEMM#415, DeepGEMM#429
// caught: compile time
// expect: operand A: CTA 0 copies the box at 0, 768 of the tensor to byte 0 of a stage of CTA 1; it is no part of the tile that is loaded there
// expect-clang: refused_because<sectile::rule::multicast_peers_disagree, 0, 0, 768, 0, 1>
// expect-nvcc: refused_because<sectile::rule::multicast_peers_disagree, 0LL, 0LL, 768LL, 0LL, 1LL>
#include "fault.hpp"

constexpr plan tampered(plan p) {
  operand_plan& op = p.operand[a];
  op.varies_with_row = false;
  op.slices = 2;
  op.box.extent[1] /= 2;
  return p;
}
static_assert(verified<with_plan<shared_product, tampered>>);
