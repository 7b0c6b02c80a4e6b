// A product in more parts than a cluster has CTAs, for the cases that get their workspace wrong.
#pragma once
#include "running.hpp"

struct in_parts : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 12};
};

/// Operands of 2 x 3 tiles and 13 trips, and the workspace that they take.
struct operands_in_parts {
  host_matrix<bf16> A{200, 824}, B{136, 824}, C{200, 136};
  host_workspace memory{workspace_bytes<in_parts>(A.in(), B.in(), C.view())};

  template <class K = in_parts>
  void run(workspace given) {
    run_on_model_with<K>({.workers = 1}, A.in(), B.in(), C.view(), given);
  }
};
