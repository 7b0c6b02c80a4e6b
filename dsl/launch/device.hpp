// What a launch needs to know of the CUDA device, with every refusal as a sentence.
#pragma once
#include <atomic>

#include <sectile/dsl/hopper/tensor_map.hpp>
#include <sectile/dsl/launch/map_arguments.hpp>
#include <sectile/dsl/launch/driver.hpp>
#include <sectile/dsl/launch/memory.hpp>
#include <sectile/dsl/launch/number_per_context.hpp>
#include <sectile/dsl/launch/prepare.hpp>
#include <string>

namespace sectile::hopper {

/// Version of CUDA that the driver supports, 12030 for 12.3. Throws if there is no driver or no GPU.
inline int usable_driver() {
  static const int version = [] {  // asked again after a throw
    int driver = 0, count = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
      throw launch_error("there is no NVIDIA driver on this machine; run on the model instead");
    const cudaError_t found = cudaGetDeviceCount(&count);
    if (found == cudaErrorNoDevice || (found == cudaSuccess && count == 0)) {
      cudaGetLastError();
      throw launch_error(
          "there is no GPU on this machine, or none that this process may use (CUDA_VISIBLE_DEVICES); run "
          "on the model instead");
    }
    check_cuda(found, "looking for GPUs");
    return driver;
  }();
  return version;
}

struct device_facts {
  int number = 0;
  int capability = 0;  // 80 for sm_80
};

inline device_facts current_device() {
  static std::atomic<int> known[most_devices]{};
  usable_driver();
  device_facts d;
  check_cuda(cudaGetDevice(&d.number), "asking for the current device");
  if (d.number < most_devices) d.capability = known[d.number].load(std::memory_order_relaxed);
  if (d.capability == 0) {
    d.capability = 10 * attribute(cudaDevAttrComputeCapabilityMajor, d.number) +
                   attribute(cudaDevAttrComputeCapabilityMinor, d.number);
    if (d.number < most_devices) known[d.number].store(d.capability, std::memory_order_relaxed);
  }
  return d;
}

/// What a kernel asks of the device, besides the number of its CTAs.
struct kernel_shape {
  int threads = 0;
  int shared_bytes = 0;
  int cluster = 0;  // CTAs; 0: a launch without clusters
  bool overlaps = false;  // it may begin while the kernel before ends: it waits for that by itself
};

/// CUDA's description of a launch.
struct launch_config {
  cudaLaunchAttribute attributes[2]{};
  cudaLaunchConfig_t all{};

  launch_config(const kernel_shape& shape, int ctas, cudaStream_t stream) {
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim = {static_cast<unsigned>(shape.cluster), 1, 1};
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    all.gridDim = dim3(static_cast<unsigned>(ctas));
    all.blockDim = dim3(static_cast<unsigned>(shape.threads));
    all.dynamicSmemBytes = static_cast<std::size_t>(shape.shared_bytes);
    all.stream = stream;
    all.attrs = attributes;
    all.numAttrs = shape.cluster > 0 ? (shape.overlaps ? 2 : 1) : 0;
  }
  launch_config(const launch_config&) = delete;
  launch_config& operator=(const launch_config&) = delete;
};

/// Lets a kernel use as much shared memory as it needs, on the current device.
inline void reserve_shared_memory(const void* kernel, const kernel_shape& shape, int device) {
  const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (shape.shared_bytes > most)
    throw unfit_configuration("the tiles of this kernel take ", shape.shared_bytes, " bytes of shared memory, device ",
                              device, " has ", most, " for a CTA; use smaller tiles");
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shape.shared_bytes),
             "reserving shared memory for the kernel");
}

/// Clusters of a kernel that fit on the current device at once. Precondition: its shared memory is reserved.
inline int count_resident_clusters(const void* kernel, const kernel_shape& shape, int device) {
  const launch_config config(shape, shape.cluster, nullptr);
  int clusters = 0;
  check_cuda(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config.all), "asking how many clusters fit");
  if (clusters < 1)
    throw unfit_configuration("no cluster of ", shape.cluster, " CTAs with ", shape.threads, " threads and ",
                              shape.shared_bytes, " bytes of shared memory each fits on device ", device,
                              ", which has ", attribute(cudaDevAttrMultiProcessorCount, device),
                              " SMs; use a smaller cluster, or a larger share of the GPU (MIG, MPS)");
  return clusters;
}

/// Calls queue(), which returns CUDA's answer. If a launch fails for which something was `prepared` before, that may
/// hold no longer (a cudaDeviceReset by another thread, a driver that counts contexts otherwise): prepares again and
/// tries once more.
template <class Queue, class Prepare>
cudaError_t queue_prepared(bool prepared, const Queue& queue, const Prepare& prepare) {
  const cudaError_t e = queue();
  if (e == cudaSuccess || !prepared || loses_context(e)) return e;
  cudaGetLastError();
  prepare();
  return queue();
}

/// "base 0x7f00, extents 64 x 128, ..." for the driver's refusal of a map.
inline std::string map_text(const map_request& r) {
  std::string extents, strides, box;
  for (int i = 0; i < r.box.rank; ++i) {
    extents += (i ? " x " : "") + std::to_string(r.extent[i]);
    strides += (i ? ", " : "") + std::to_string(r.stride_bytes[i]);
    box += (i ? " x " : "") + std::to_string(r.box.extent[i]);
  }
  return "a tensor map of " + extents + " elements of " + std::to_string(r.box.element_bits) + " bits at " +
         address_text(r.base) + " with strides of " + strides + " bytes and boxes of " + box;
}

/// A map of an image through the driver.
inline CUresult encode_image(const map_arguments& a, const void* base, CUtensorMap* map) {
  static const auto encode = driver_function<decltype(cuTensorMapEncodeIm2col)>("cuTensorMapEncodeIm2col", 12000);
  if (!encode) throw launch_error("the NVIDIA driver has no cuTensorMapEncodeIm2col; CUDA 12.3 or newer is needed");
  return encode(map, static_cast<CUtensorMapDataType>(a.type), a.rank, const_cast<void*>(base), a.extent, a.stride,
                a.lower, a.upper, a.box[0], a.box[1], a.step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                static_cast<CUtensorMapSwizzle>(a.swizzle), CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

/// Encodes a tensor map through the driver. Returns what the driver was told.
inline told_map encode_map(const map_request& r, tensor_map& map) {
  static const auto encode = driver_function<decltype(cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled", 12000);
  if (!encode) throw launch_error("the NVIDIA driver has no cuTensorMapEncodeTiled; CUDA 12.3 or newer is needed");
  static_assert(static_cast<int>(map_type::uint8) == CU_TENSOR_MAP_DATA_TYPE_UINT8 &&
                static_cast<int>(map_type::int32) == CU_TENSOR_MAP_DATA_TYPE_INT32 &&
                static_cast<int>(map_type::float16) == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 &&
                static_cast<int>(map_type::float32) == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 &&
                static_cast<int>(map_type::bfloat16) == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 &&
                static_cast<int>(map_type::float32_ftz) == CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ &&
                static_cast<int>(map_type::tfloat32) == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32);
  static_assert(map_swizzle(swizzle_mode::none) == CU_TENSOR_MAP_SWIZZLE_NONE &&
                map_swizzle(swizzle_mode::b32) == CU_TENSOR_MAP_SWIZZLE_32B &&
                map_swizzle(swizzle_mode::b64) == CU_TENSOR_MAP_SWIZZLE_64B &&
                map_swizzle(swizzle_mode::b128) == CU_TENSOR_MAP_SWIZZLE_128B);
  static_assert(CU_TENSOR_MAP_L2_PROMOTION_L2_128B == 2 && CU_TENSOR_MAP_L2_PROMOTION_L2_256B == 3);
  const map_arguments a(r);
  static_assert(sizeof map.opaque == sizeof(CUtensorMap) && alignof(tensor_map) >= alignof(CUtensorMap));
  const CUresult e =
      a.im2col
          ? encode_image(a, r.base, reinterpret_cast<CUtensorMap*>(&map))
          : encode(reinterpret_cast<CUtensorMap*>(&map), static_cast<CUtensorMapDataType>(a.type), a.rank,
                   const_cast<void*>(r.base), a.extent, a.stride, a.box, a.step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                   static_cast<CUtensorMapSwizzle>(a.swizzle), static_cast<CUtensorMapL2promotion>(a.promotion),
                   a.zeros ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE : CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
  if (e != CUDA_SUCCESS) fail(e, "encoding " + map_text(r));
  map.policy = r.once ? give_up_first : keep_as_usual;
  return a.told(r.base);
}
inline told_map encode_map_at(const map_request& r, operand_kind, void* to) {
  return encode_map(r, *static_cast<tensor_map*>(to));
}

// ---- queueing (launch.cpp)

/// Queues a launch by calling queue(of), which returns CUDA's answer, and writes it down; waits for it if launches do.
void queue_launch(launch_record r, cudaStream_t stream, cudaError_t (*queue)(void* of), void* of);
template <class Queue>
void queue_launch(const launch_record& r, cudaStream_t stream, Queue queue) {
  queue_launch(r, stream, [](void* of) { return (*static_cast<Queue*>(of))(); }, &queue);
}

/// A launch of kernel k on operands of these sizes.
inline launch_record record_of(const launchable& k, const launch_place& at, const tensor_facts (&t)[max_operands]) {
  launch_record r{};
  r.at = at;
  r.kernel = &k;
  for (int o = 0; o < k.planned->operands; ++o)
    for (int d = 0; d < t[o].rank; ++d) r.sizes.extent[o][d] = static_cast<std::int32_t>(t[o].extent[d]);
  return r;
}

}  // namespace sectile::hopper
