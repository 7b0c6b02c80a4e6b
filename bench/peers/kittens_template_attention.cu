// libattentions_kittens: the attention in ThunderKittens' template. Both files of its define the same names.
#include "bench/peers/kittens_template_attention.hpp"

#include "bench/peers/kittens_attentions.hpp"
#include "bench/timing.hpp"

void sectile::bench::queue_kittens_template(const attention_call& a) {
  check(kittens_template_attention(a.q, a.k, a.v, a.o, a.batch, a.heads, a.length, a.on),
        "running ThunderKittens' attention in its template");
}
