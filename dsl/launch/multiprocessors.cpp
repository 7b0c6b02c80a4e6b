#include <algorithm>
#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/multiprocessors.hpp>
#include <string>

namespace sectile {

namespace {

thread_local int held = 0;

}  // namespace

multiprocessors_at_most::multiprocessors_at_most(int most) : before_(held) {
  if (most < 0)
    throw launch_error("launches are held to ", most, " SMs; the number is 1 or more, or 0 for all that there are");
  held = most;
}
multiprocessors_at_most::~multiprocessors_at_most() { held = before_; }
int multiprocessors_at_most::count() { return held; }

int clusters_within_hold(int resident, int ctas) {
  if (held == 0) return resident;
  if (held < ctas)
    throw launch_error("launches are held to ", held, held == 1 ? " SM" : " SMs", ", and a cluster of this kernel has ",
                       ctas, " CTAs, each on an SM of its own; hold them to more, or use a smaller cluster");
  return std::min(resident, held / ctas);
}

}  // namespace sectile
