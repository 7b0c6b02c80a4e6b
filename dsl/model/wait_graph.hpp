// Who waits for whom, when nobody can go on: threads that are alike, what each of them lacks, and who would bring it.
#pragma once

#include <sectile/dsl/model/mbarrier.hpp>
#include <string>
#include <vector>

namespace sectile::model {

struct cluster;
struct cta;
struct cuda_thread;

/// Neighbouring threads of one CTA that wait for the same thing, or have all exited.
struct party {
  const cta* block;
  int first, last;
  bool exited;

  const cuda_thread& thread() const;
};

/// What somebody waits for and has not got.
struct lack {
  std::string what{};                    ///< "free stage 0 of A and B", "come to cluster_sync"
  std::vector<const cuda_thread*> of{};  ///< one thread of each role that would bring it; empty: nobody is known
  std::vector<const mbarrier::copy*> not_issued{};  ///< copies of the phase before that have no like in this one
  bool all_known = false;                           ///< who comes here is known, so that nobody else would
};

/// All parties of the cluster, in order.
std::vector<party> parties_of(const cluster& c);
lack lack_of(const cuda_thread& t);

/// Parties each of which waits for the next, and the last for the first; empty if there are none. Indices into `all`.
std::vector<std::size_t> find_cycle(const std::vector<party>& all);
/// The party that a thread belongs to.
std::size_t party_with(const std::vector<party>& all, const cuda_thread& t);

}  // namespace sectile::model
