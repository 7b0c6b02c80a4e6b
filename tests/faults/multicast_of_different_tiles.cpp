// fault: a multicast of a tile that differs between the CTAs of the cluster
// reported: DeepGEMM#415, DeepGEMM#429
// caught: compile time
// expect: operand A: CTAs of a cluster that share its loads ask for different tiles
// expect-clang: refused_because<sectile::rule::multicast_peers_disagree>
// expect-nvcc: refused_because<sectile::rule::multicast_peers_disagree>
#include "fault.hpp"

constexpr plan tampered(plan p) {
  operand_plan& op = p.operand[a];
  op.varies_with_row = false;
  op.slices = 2;
  op.box.extent[1] /= 2;
  return p;
}
static_assert(verified<with_plan<shared_product, tampered>>);
