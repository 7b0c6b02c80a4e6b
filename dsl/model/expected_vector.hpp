// What a warp means to write into a vector, compared with what arrives there, element by element: the numbers are told
// by rows and columns when the body stores or combines them. How lanes join them on the way is not asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sectile/dsl/model/observed_vector.hpp>

namespace sectile::model {

struct cuda_thread;

/// Thread t is about to write `bits` to the element at `to`, or to combine with it the number that they are. Throws a
/// hazard unless it is what t's warp has told of that element, for the first time.
void check_vector(cuda_thread& t, const std::byte* to, std::uint32_t bits, const char* verb);

}  // namespace sectile::model
