// The workspace of a launch on the GPU that the tool makes for this launch alone.
#pragma once

#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/workspace.hpp>
#include <string>

namespace sectile::tool {

/// Device memory, which is given back when whatever uses it has ended.
class device_workspace {
 public:
  explicit device_workspace(std::size_t bytes) : bytes_(bytes) {
    hopper::check_cuda(cudaMalloc(&data_, bytes), "no room for a workspace of " + std::to_string(bytes) + " bytes");
  }
  device_workspace(const device_workspace&) = delete;
  device_workspace& operator=(const device_workspace&) = delete;
  ~device_workspace() { cudaFree(data_); }
  workspace view() const { return {data_, bytes_}; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

}  // namespace sectile::tool
