// The C functions by which attentions.py reaches another system's attention. Texts are good for ever, but for reasons,
// which are good until the thread's next call.
#include "bench/peers/attentions.hpp"

#include <exception>

namespace {

using sectile::bench::attention_candidate;

const std::vector<attention_candidate>& candidates(int causal) {
  static const std::vector<attention_candidate> all[] = {sectile::bench::attention_candidates(false),
                                                         sectile::bench::attention_candidates(true)};
  return all[causal != 0];
}

const attention_candidate& candidate(int causal, int which) {
  return candidates(causal).at(static_cast<std::size_t>(which));
}

}  // namespace

extern "C" {

const char* attentions_library() {
  static const std::string name = sectile::bench::attention_library_name();
  return name.c_str();
}

int attentions_count(int causal) { return static_cast<int>(candidates(causal).size()); }

const char* attentions_name(int causal, int which) { return candidate(causal, which).name.c_str(); }

/// Null, or why nothing was queued.
const char* attentions_run(int causal, int which, const void* q, const void* k, const void* v, void* o, float* sums,
                           int batch, int heads, int length, void* stream) {
  thread_local std::string why;
  try {
    candidate(causal, which).queue({q, k, v, o, sums, batch, heads, length, static_cast<cudaStream_t>(stream)});
  } catch (const std::exception& e) {
    why = e.what();
    return why.c_str();
  }
  return nullptr;
}

}  // extern "C"
