// What both files of libattentions_kittens know.
#pragma once
#include "bench/peers/attentions.hpp"

namespace sectile::bench {

void queue_kittens_template(const attention_call& a);

}  // namespace sectile::bench
