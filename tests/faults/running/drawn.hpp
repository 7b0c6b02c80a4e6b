// A product whose clusters draw their tiles, for the cases that get the counter wrong.
#pragma once
#include "running.hpp"

/// Operands of 2 x 3 tiles, and the workspace with the counter.
struct drawn_operands {
  host_matrix<bf16> A{200, 312}, B{136, 312}, C{200, 136};
  host_workspace memory{workspace_bytes<drawn_product>(A.in(), B.in(), C.view())};

  template <class K = drawn_product, class... Given>
  void run(Given... given) {
    run_on_model_with<K>({.workers = 1}, A.in(), B.in(), C.view(), given...);
  }
};
