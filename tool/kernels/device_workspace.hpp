// The workspace of a launch on the GPU that the tool makes for this launch alone.
#pragma once

#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/workspace.hpp>
#include <string>

namespace sectile::tool {

/// Device memory in the order of a stream, which may be recorded: what was queued before this goes has it to itself.
class device_workspace {
 public:
  device_workspace(std::size_t bytes, cudaStream_t on) : on_(on), bytes_(bytes) {
    hopper::check_cuda(cudaMallocAsync(&data_, bytes, on),
                       "no room for a workspace of " + std::to_string(bytes) + " bytes");
  }
  device_workspace(const device_workspace&) = delete;
  device_workspace& operator=(const device_workspace&) = delete;
  ~device_workspace() { cudaFreeAsync(data_, on_); }
  workspace view() const { return {data_, bytes_}; }

 private:
  cudaStream_t on_;
  void* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace sectile::tool
