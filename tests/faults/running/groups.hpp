// A product of groups whose clusters draw their tiles, for the cases that get the counter wrong.
#pragma once
#include "running.hpp"

/// Three groups, of two tiles, of none and of one, in two columns, and the workspace with the counter.
struct groups_to_draw {
  host_matrix<bf16> X{300, 64}, W{3 * 104, 64}, Y{300, 104};
  s32 ends[3]{200, 200, 300};
  tensor_view<const bf16> weights = tensor<const bf16>(W.value.data(), 3, 104, 64);
  host_workspace memory{workspace_bytes<drawn_groups>(X.in(), weights, tensor<const s32>(ends, 3), Y.view())};

  template <template <class> class Machine>
  void run() {
    run_on_model_with<on_machine<drawn_groups, Machine>>({.workers = 1}, X.in(), weights, tensor<const s32>(ends, 3),
                                                         Y.view(), memory.view());
  }
};
