// Running a shipped kernel on the GPU or on the CPU model, with arguments whose types are known at run time only.
#pragma once

#include <cstdint>
#include <sectile/dsl/launch/tensor_view.hpp>
#include <span>
#include <string>

namespace sectile::tool {

enum class machine { gpu, model };

/// One argument of a launch, in the order of the kernel's operands: a tensor in host memory, or a number.
struct argument {
  void* data = nullptr;  // aligned to 16 bytes
  std::int64_t bytes = 0;
  int rank = 0;
  std::int64_t extent[max_rank]{};
  std::int64_t stride[max_rank]{};  // elements
  float number = 0;                 // of a scalar
};

/// How the model runs; see model_options.
struct model_run {
  bool check_hazards = true;
  bool random_schedule = false;
  std::uint64_t schedule_seed = 0;
  int workers = 0;  // 0: one per core
};

/// Runs kernel number `kernel` on the model, with a progress bar. Throws launch_error for arguments that no machine
/// takes and model::hazard for what the model finds.
void run_on_model(int kernel, std::span<const argument> arguments, const model_run& how);

/// Why no kernel can run on a GPU here, in one sentence; "" if one can.
std::string why_no_gpu();

/// Copies the tensors to the current GPU, runs the kernel there, and copies the output back. Throws launch_error where
/// there is no GPU, no room or an argument that no machine takes, and std::runtime_error for what fails while it runs.
void run_on_gpu(int kernel, std::span<const argument> arguments);

}  // namespace sectile::tool
