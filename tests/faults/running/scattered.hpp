// A product whose rows are added to those of C, for the cases that get an index wrong, or what meets in the workspace.
#pragma once
#include "running.hpp"

/// Of C each row is the sum of two.
struct scattered_operands {
  host_matrix<bf16> A{6, 64}, B{64, 64}, C{3, 64};
  s32 place[6]{5, 0, 3, 1, 4, 2};
  host_workspace room{workspace_bytes<scattered_product>(A.in(), tensor(place, 6), B.in(), C.view())};

  template <class K = scattered_product>
  void run() {
    run_on_model_with<K>({.workers = 1}, A.in(), tensor(place, 6), B.in(), C.view(), room.view());
  }
};
