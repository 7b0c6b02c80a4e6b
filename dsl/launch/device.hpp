// What a launch needs to know of the CUDA device and driver, with every refusal as a sentence.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <sectile/dsl/hopper/tma.hpp>
#include <sectile/dsl/launch/prepare.hpp>

namespace sectile::hopper {

inline void check_cuda(cudaError_t e, const std::string& doing) {
  if (e == cudaSuccess) return;
  cudaGetLastError();  // the error is reported here; leave none behind
  throw launch_error(doing + ": " + cudaGetErrorString(e));
}

inline int attribute(cudaDeviceAttr what, int device) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, what, device), "asking the device for an attribute");
  return value;
}

/// Throws unless the current device can run a kernel with this plan. Returns its number.
inline int check_device() {
  constexpr int least_driver = 12030;
  int driver = 0, count = 0, device = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
    throw launch_error("there is no NVIDIA driver on this machine; run on the model instead");
  if (driver < least_driver)
    throw launch_error("the NVIDIA driver supports CUDA " + std::to_string(driver / 1000) + "." +
                       std::to_string(driver % 1000 / 10) + ", TMA multicast kernels need CUDA 12.3 or newer");
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found == cudaErrorNoDevice || (found == cudaSuccess && count == 0))
    throw launch_error("there is no GPU on this machine; run on the model instead");
  check_cuda(found, "looking for GPUs");
  check_cuda(cudaGetDevice(&device), "asking for the current device");
  const int major = attribute(cudaDevAttrComputeCapabilityMajor, device);
  const int minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
  if (major != 9 || minor != 0)
    throw launch_error("device " + std::to_string(device) + " is sm_" + std::to_string(10 * major + minor) +
                       "; this kernel is built for sm_90a (H100, H200)");
  return device;
}

/// Throws unless the GPU can reach the pointer.
inline void check_pointer(const operand_facts& f, const void* p, int device) {
  cudaPointerAttributes a{};
  check_cuda(cudaPointerGetAttributes(&a, p), "operand " + std::string(f.name) + ": looking up the pointer");
  if (a.type == cudaMemoryTypeUnregistered)
    throw launch_error("operand " + std::string(f.name) + ": the pointer is host memory, the kernel needs device memory");
  if (a.type == cudaMemoryTypeDevice && a.device != device)
    throw launch_error("operand " + std::string(f.name) + ": the memory is on device " + std::to_string(a.device) +
                       ", the current device is " + std::to_string(device));
}

inline CUtensorMapDataType map_type(const element& e) {
  if (e == element_of<bf16>()) return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  if (e == element_of<f16>()) return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  if (e == element_of<s32>()) return CU_TENSOR_MAP_DATA_TYPE_INT32;
  if (e.bits == 32) return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;  // tf32, too: TMA would round it, wgmma cuts it itself
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

/// The tensor map enumerates swizzles in the opposite order of the matrix descriptor.
inline CUtensorMapSwizzle map_swizzle(swizzle_mode m) {
  switch (m) {
    case swizzle_mode::none: return CU_TENSOR_MAP_SWIZZLE_NONE;
    case swizzle_mode::b32: return CU_TENSOR_MAP_SWIZZLE_32B;
    case swizzle_mode::b64: return CU_TENSOR_MAP_SWIZZLE_64B;
    case swizzle_mode::b128: return CU_TENSOR_MAP_SWIZZLE_128B;
  }
  return CU_TENSOR_MAP_SWIZZLE_NONE;
}

/// Encodes a tensor map through the driver (no link-time dependency on libcuda).
inline tensor_map encode_map(const map_request& r, operand_kind) {
  static const auto encode = [] {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    check_cuda(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found),
               "looking for cuTensorMapEncodeTiled");
    if (found != cudaDriverEntryPointSuccess)
      throw launch_error("the NVIDIA driver has no cuTensorMapEncodeTiled; CUDA 12.3 or newer is needed");
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry);
  }();
  tensor_map map{};
  cuuint64_t extent[max_rank]{}, stride[max_rank]{};
  cuuint32_t box[max_rank]{}, step[max_rank]{1, 1, 1, 1, 1};
  for (int i = 0; i < r.box.rank; ++i) {
    extent[i] = static_cast<cuuint64_t>(r.extent[i]);
    box[i] = static_cast<cuuint32_t>(r.box.extent[i]);
    if (i) stride[i - 1] = static_cast<cuuint64_t>(r.stride_bytes[i]);
  }
  static_assert(sizeof(tensor_map) == sizeof(CUtensorMap) && alignof(tensor_map) >= alignof(CUtensorMap));
  const CUresult e = encode(reinterpret_cast<CUtensorMap*>(&map), map_type(r.type), static_cast<cuuint32_t>(r.box.rank),
                            const_cast<void*>(r.base), extent, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                            map_swizzle(r.box.swizzle), CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (e != CUDA_SUCCESS) throw launch_error("the driver refused a tensor map (CUresult " + std::to_string(e) + ")");
  return map;
}

}  // namespace sectile::hopper
