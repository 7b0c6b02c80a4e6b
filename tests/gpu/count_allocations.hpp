// How many times this thread has asked C++ for memory. The driver asks elsewhere.
#pragma once

namespace sectile::gpu_test {

long allocations();

}  // namespace sectile::gpu_test
