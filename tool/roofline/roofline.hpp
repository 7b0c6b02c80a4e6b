// The bound of a problem: the time that the tensor cores alone and memory alone need for it, on one GPU.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tool/roofline/ceilings.hpp"
#include "tool/roofline/work.hpp"

namespace sectile::tool {

struct roofline {
  kernel_work work{};
  const gpu_ceilings* gpu = nullptr;
  const product_ceiling* products = nullptr;  // nullptr: nothing is multiplied, or nobody has measured such products

  double memory_us() const { return work.bytes() / gpu->bytes_per_us; }
  double tensor_us() const { return products ? work.operations / products->operations_per_us : 0; }
  bool bound_by_memory() const { return memory_us() >= tensor_us(); }
  double bound_us() const { return bound_by_memory() ? memory_us() : tensor_us(); }
};

roofline roofline_of(const kernel_facts& kernel, const named_sizes& sizes, const gpu_ceilings& gpu);

/// Why the cost model predicts nothing of the kernel; "" if it does.
std::string why_not_predicted(const kernel_facts& kernel);
/// The microseconds that it predicts on the GPU that CUDA calls so. Precondition: it does, and the sizes can be.
double predicted_us(const kernel_facts& kernel, const named_sizes& sizes, const std::string& gpu);

/// Throws launch_error or input_error, as a launch would, where the kernel takes no such sizes.
void require_taken(const kernel_facts& kernel, const named_sizes& sizes);

/// The bound line by line.
std::string bound_text(const roofline& bound);
/// The same for a page: what bounds the kernel at these sizes, on the GPU whose ceilings were measured first, and what
/// the cost model says that a trip of its longest loop waits for ("predicted": null where it says nothing).
nlohmann::json bound_facts(const kernel_facts& kernel, const named_sizes& sizes);
/// "190.2 us, 0.92 of the bound (722 TFLOP/s, 529 GB/s)".
std::string reached_text(const roofline& bound, double microseconds);

}  // namespace sectile::tool
