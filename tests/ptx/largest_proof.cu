// Eight CTAs of four roles that share rows: the longest of the proofs is within what nvcc works out in one constant.
#include <sectile/kernels/long_rows.hpp>

namespace {

using namespace sectile;
using longest = member<kernels::long_layer_norm<float>, 5>;

static_assert(plan_of<longest>.how.ctas() == 8 && plan_of<longest>.how.consumers == 3);
static_assert(verified<longest>);

}  // namespace
