// Rung 14: attention with other tiles. Q, K, V and O together are well over the L2 cache.
#include "bench/attention_problem.hpp"
#include "bench/experiments.hpp"

namespace sectile::bench {

namespace {

template <int Queries, int Keys, int Stages>
struct tile : plain_attention {
  static constexpr configuration how = [] {
    configuration c = plain_attention::how.with_tile({{"S", Queries}, {"T", Keys}, {"D", attention_dimension}});
    c.stages = Stages;
    c.consumers = Queries / wgmma_rows;
    c.pingpong = c.consumers > 1;
    return c;
  }();
};
struct no_turns : plain_attention {
  static constexpr configuration how = [] {
    configuration c = plain_attention::how;
    c.pingpong = false;
    return c;
  }();
};
struct not_persistent : plain_attention {
  static constexpr configuration how = [] {
    configuration c = plain_attention::how;
    c.persistent = false;
    return c;
  }();
};

}  // namespace

void try_attention(experiments& to) {
  attention_problem x(2, 16, 4096);
  check(cudaDeviceSynchronize(), "filling the operands");
  rung_trials t{"attention", "2x16x4096x128", x.flops(), bf16_bar};
  const auto add = [&]<class K>(K, const char* name, const char* title) {
    trial one{name, title, occupancy_of_program<K>(), {[&x](int, cudaStream_t on) { x.run<K>(on); }}};
    x.o.poison();
    check(cudaDeviceSynchronize(), "poisoning the output");
    one.runner.queue(0, to.on.handle);
    to.on.wait();
    one.error = x.error();
    t.all.push_back(std::move(one));
  };
  add(plain_attention{}, "as it is", "as it is: 128 queries, 128 keys, 2 stages, in turns");
  add(no_turns{}, "no turns", "not in turns");
  add(not_persistent{}, "they end", "CTAs that end");
  add(tile<128, 128, 1>{}, "1 stage", "1 stage");
  add(tile<128, 64, 4>{}, "64 keys", "64 keys, 4 stages");
  add(tile<128, 96, 2>{}, "96 keys", "96 keys");
  add(tile<64, 128, 2>{}, "64 queries", "64 queries, 1 consumer");
  add(tile<192, 64, 2>{}, "192 queries", "192 queries, 3 consumers, 64 keys");
  t.time(to);
}

}  // namespace sectile::bench
