#include "probe.hpp"

#include "gpu_runner.hpp"

namespace sectile::conformance {

void probe() {
  gpu_runner gpu;
  probe_specials(gpu);
  probe_precision(gpu);
  probe_integers(gpu);
  probe_sparse(gpu);
  probe_mma_sync();
  probe_descriptors(gpu);
}

}  // namespace sectile::conformance
