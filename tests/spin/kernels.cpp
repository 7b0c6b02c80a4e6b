#include "tests/spin/kernels.hpp"

#include <algorithm>
#include <map>
#include <sectile/dsl/tell/promela/text.hpp>
#include <sectile/dsl/tell/timeline/example_sizes.hpp>

#include "tests/spin/walked_kernel.hpp"
#include "tool/records.hpp"

namespace sectile::witness {
namespace {

std::string problem_text(const plan& p, const tell::tile_counts& n, bool last) {
  return tell::say(tell::sizes_text(p, tell::sizes_of(p, n)), last ? "" : ", not the last part");
}

/// So many tiles of a cluster below each other, each with so many trips.
tell::tile_counts sized(const plan& p, int tiles, int trips) {
  constexpr int parts_streamed = 3;
  const int parts = p.how.streamed ? parts_streamed : p.how.split;
  // Where nothing is summed over, loops go along the output's columns, if there are any.
  const bool sums = problem_text(p, {.others = 2}, true) != problem_text(p, {}, true);
  return {.rows = tiles * p.how.cluster.rows,
          .cols = p.how.cluster.cols * (sums ? 1 : trips),
          .others = sums ? trips * parts : 1};
}

/// Asked before, of a kernel with other types but the same protocol.
struct known_answers {
  struct known {
    std::string kernel;
    spin_answer answer;
  };
  std::map<std::string, known> by_text{};
};

/// Most have few states: those that have more are asked about again, by a verifier that takes longer to compile.
spin_answer ask(const std::string& text, const spin_tools& tools, const spin_bounds& bounds) {
  const spin_answer quick = ask_spin(text, tools, {.seconds = 5});
  return quick.whole || !bounds.optimised ? quick : ask_spin(text, tools, bounds);
}

witnessed_kernel witness(const walked_kernel& kernel, const tell::tile_counts& n, bool last, const spin_tools& tools,
                         const spin_bounds& bounds) {
  static known_answers asked;
  const plan& p = *kernel.planned;
  witnessed_kernel w{.kernel = kernel.name, .problem = problem_text(p, n, last), .proof = kernel.proof};
  const tell::protocol_walk walk = kernel.walk(tell::sizes_of(p, n).extent, last);
  const std::string text = tell::promela_text(walk, "");
  const auto [at, fresh] = asked.by_text.try_emplace(text);
  if (fresh) at->second = {kernel.name, ask(text, tools, bounds)};
  if (!fresh && at->second.kernel != kernel.name) w.as = at->second.kernel;
  w.spin = at->second.answer;
  return w;
}

}  // namespace

std::vector<std::string> kernels_with_roles() {
  std::vector<std::string> names;
  for (const tool::kernel_facts& k : tool::kernel_list())
    if (k.planned != nullptr) names.emplace_back(k.name);
  for (const walked_kernel& k : kernels_with_workspace()) names.push_back(k.name);
  return names;
}

std::vector<witnessed_kernel> witness_kernel(const std::string& name, const spin_tools& tools,
                                             const spin_bounds& bounds) {
  const walked_kernel kernel = find_walked(name);
  const plan& p = *kernel.planned;
  std::vector<witnessed_kernel> all;
  const auto grow = [&](int tiles, int first, int end, bool last) {
    for (int trips = first; trips < end; ++trips) {
      witnessed_kernel w = witness(kernel, sized(p, tiles, trips), last, tools, bounds);
      if (!w.spin.whole && !all.empty()) {
        all.back().left = w.problem + " has " + too_many_states(w.spin);
        break;
      }
      const bool same = !all.empty() && all.back().problem == w.problem;
      if (!same) all.push_back(std::move(w));
    }
  };
  const int trips = p.loops.count > 0 ? p.how.stages + 1 : 1;
  grow(1, 1, trips + 1, true);
  if (p.how.uses_workspace()) grow(1, 1, trips + 1, false);
  if (p.how.streamed)
    for (const bool last : {true, false}) grow(3, 1, 3, last);
  else if (p.how.persistent)
    grow(2, 1, std::min(trips, 2) + 1, true);
  return all;
}

state_growth growth_of(const std::string& name, const spin_tools& tools, const spin_bounds& bounds) {
  constexpr int further_trips = 3;
  const walked_kernel kernel = find_walked(name);
  const plan& p = *kernel.planned;
  state_growth g;
  for (int further = 0; further <= further_trips; ++further) {
    const witnessed_kernel w = witness(kernel, sized(p, 1, p.how.stages + 1 + further), true, tools, bounds);
    if (further == 0)
      g.problem = w.problem;
    else
      g.more.push_back(w.spin.states - g.states);
    g.states = w.spin.states;
    g.whole = g.whole && w.spin.whole && w.spin.wrong.empty();
  }
  for (const std::uint64_t more : g.more) g.states -= more;
  return g;
}

}  // namespace sectile::witness
