// Launching a checked kernel on the GPU: on the debug machine, waited for, with the report when it goes wrong.
#pragma once
#include <sectile/dsl/hopper/checked_kernel.hpp>
#include <sectile/dsl/launch/checked.hpp>
#include <sectile/dsl/launch/checked_report.hpp>
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/launch.hpp>

namespace sectile {

namespace hopper {

/// Memory for one report: pinned on the host, where it outlives a trap of the device, and a word on the device that
/// says who writes it.
struct report_memory {
  fault_report* report = nullptr;
  watch how{};

  explicit report_memory(double seconds) {
    check_cuda(cudaHostAlloc(reinterpret_cast<void**>(&report), sizeof(fault_report), cudaHostAllocMapped),
               "reserving memory for the report of a checked kernel");
    *report = {};
    check_cuda(cudaHostGetDevicePointer(reinterpret_cast<void**>(&how.report), report, 0), "mapping the report");
    check_cuda(cudaMalloc(reinterpret_cast<void**>(&how.claim), sizeof(std::uint32_t)),
               "reserving memory for a report");
    check_cuda(cudaMemset(how.claim, 0, sizeof(std::uint32_t)), "preparing the report");
    check_cuda(cudaDeviceSynchronize(), "preparing the report");
    how.limit_ns = static_cast<std::uint64_t>(seconds * 1e9);
  }
  ~report_memory() {  // both fail where a trap has taken the context, and the memory with it
    cudaFree(how.claim);
    cudaFreeHost(report);
    cudaGetLastError();
  }
  report_memory(const report_memory&) = delete;
  report_memory& operator=(const report_memory&) = delete;
};

/// The options of the checked launches that this thread makes.
inline checked_options& checked_options_now() {
  thread_local checked_options now;
  return now;
}

/// The output tile that a CTA works on when its loops have ended so often: of a kernel that takes one tile per cluster
/// the only one, of a persistent one the next, of one that draws the item before number `drawn`. "" if that does not
/// tell.
template <class K>
std::string tile_text(const kernel_parameters<K, tensor_map>& parameters, int cluster, int clusters, int cta, int loops,
                      int drawn) {
  constexpr const plan& p = plan_of<K>;
  if (walks_groups(p)) return "";  // whose sizes are in device memory
  if (p.how.persistent && p.loops.count != 1 && !p.how.dynamic) return "";
  const int of_part = clusters / p.how.clusters_of_a_tile();  // those of a part have numbers in a row
  const int item = p.how.dynamic ? drawn - 1 : cluster % of_part + (p.how.persistent ? loops * clusters : 0);
  int tile = item;
  if constexpr (streams<K>) tile = item_of(parameters.stream, item).tile;
  if (tile < 0 || tile >= parameters.work.count) return "";
  tile_coordinates<max_rank> at = locate<K>(tile, parameters.work, parameters.arguments);
  constexpr int rank = p.operand[p.work].facts.tile.rank;
  const place_in_cluster place = place_of_rank<K>(cta);
  at.at[rank - 2] += place.row;
  at.at[rank - 1] += place.col;
  std::string text = "output tile (";
  for (int d = 0; d < rank; ++d) text += (d ? ", " : "") + std::to_string(at.at[d]);
  return text + ")";
}

/// Throws device_fault if the kernel, which has ended with `e`, has left a report or was broken off.
template <class K>
void require_no_fault(cudaError_t e, const report_memory& memory, const kernel_parameters<K, tensor_map>& parameters,
                      double seconds) {
  const fault_report report = *memory.report;
  if (e == cudaSuccess && !report.complete) return;
  cudaGetLastError();
  const auto clusters = static_cast<int>(report.clusters);
  const launch_facts facts{kernel_name<K>(), history().latest() + 1, seconds, [&](int cluster, int cta, int loops, int drawn) {
                             return tile_text(parameters, cluster, clusters, cta, loops, drawn);
                           }};
  if (report.complete)
    throw device_fault(static_cast<fault>(report.notes[report.cta][complaint::told] >> detail_bits),
                       report.trapped != 0, describe(plan_of<K>, report, facts));
  throw device_fault(fault::none, loses_context(e),
                     "the kernel broke off, and no check saw why: " + trouble_text(e, cudaGetErrorString(e)) +
                         "\n  kernel " + facts.kernel + ", launch " + std::to_string(facts.number));
}

template <checked_kernel K>
struct launch_method<K> {
  static const void* function() { return reinterpret_cast<const void*>(run_checked<K>); }
  /// Waits for what the stream was given before, then for the kernel: what goes wrong is this launch's.
  static cudaError_t queue(const cudaLaunchConfig_t& config, const void* of) {
    const auto& parameters = *static_cast<const kernel_parameters<K, tensor_map>*>(of);
    const double seconds = checked_options_now().seconds;
    if (!(seconds > 0 && seconds <= 3600))
      throw launch_error("a wait of a checked kernel may last more than 0 and up to 3600 seconds, not ",
                         std::to_string(seconds));
    cudaStreamCaptureStatus capture{};
    check_cuda(cudaStreamIsCapturing(config.stream, &capture), "looking at the stream");
    if (capture != cudaStreamCaptureStatusNone)
      throw launch_error("a checked kernel is waited for, so it cannot be captured in a CUDA graph");
    wait_for(config.stream);
    const report_memory memory(seconds);
    if (const cudaError_t e = cudaLaunchKernelEx(&config, run_checked<K>, parameters, memory.how); e != cudaSuccess)
      return e;
    require_no_fault(cudaStreamSynchronize(config.stream), memory, parameters, seconds);
    return cudaSuccess;
  }
};

}  // namespace hopper

/// launch_on<K> of a checked kernel with other options than the default ones. Like any launch of a checked kernel it
/// returns when the kernel has ended; it throws launch_error, and then nothing was launched, or device_fault.
template <checked_kernel K, class... Arguments>
void launch_checked(const checked_options& how, cudaStream_t stream, const Arguments&... arguments) {
  struct restore {
    checked_options before = hopper::checked_options_now();
    ~restore() { hopper::checked_options_now() = before; }
  } const restored;
  hopper::checked_options_now() = how;
  launch_on<K>(stream, arguments...);
}

}  // namespace sectile
