// The CUDA device that a call's tensors are on, made the current one while it lasts.
#pragma once
#include <sectile/dsl/launch/device.hpp>

namespace sectile {

class device_of_call {
 public:
  explicit device_of_call(int wanted) : before_(wanted) {
    hopper::usable_driver();
    hopper::check_cuda(cudaGetDevice(&before_), "asking for the current device");
    if (before_ != wanted) hopper::check_cuda(cudaSetDevice(wanted), "going to the device of the tensors");
    moved_ = before_ != wanted;
  }
  device_of_call(const device_of_call&) = delete;
  device_of_call& operator=(const device_of_call&) = delete;
  ~device_of_call() {
    if (moved_) cudaSetDevice(before_);
  }

 private:
  int before_;
  bool moved_ = false;
};

}  // namespace sectile
