// What the cases that are caught when they run are made of: small tensors, and a place in the list of cases.
#pragma once
#include <sectile/dsl/launch/model.hpp>
#include <vector>

#include "../fault.hpp"

/// A row-major matrix on the host, rows and columns as a kernel sees them.
template <class T>
struct host_matrix {
  std::int64_t rows, cols;
  std::vector<T> value;

  host_matrix(std::int64_t r, std::int64_t c) : rows(r), cols(c), value(static_cast<std::size_t>(r * c)) {
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = T(static_cast<float>(static_cast<int>(i * 7 % 15) - 7));
  }
  tensor_view<T> view() { return matrix(value.data(), rows, cols); }
  tensor_view<const T> in() { return matrix<const T>(value.data(), rows, cols); }
};

/// Runs a kernel that takes A (M x K), B (N x K) and C (M x N) on the model: some tiles, five trips, one with a tail.
template <class K>
void run_product() {
  host_matrix<bf16> A(200, 312), B(136, 312), C(200, 136);
  run_on_model_with<K>({.workers = 1}, A.in(), B.in(), C.view());
}

/// A case of the gallery, by the name of its file.
struct running_case {
  running_case(void (*run)(), const char* file = __builtin_FILE());
};
