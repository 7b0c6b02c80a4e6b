// What every launch on a GPU does: compiled once, by the host's compiler.
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sectile/dsl/launch/combined_outputs.hpp>
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/finish.hpp>
#include <sectile/dsl/launch/multiprocessors.hpp>
#include <sectile/dsl/launch/start.hpp>
#include <string_view>

namespace sectile {

namespace {

std::atomic<bool>& launches_wait() {
  static std::atomic<bool> on = [] {
    const char* asked = std::getenv("SECTILE_LAUNCH_BLOCKING");
    return asked && *asked && std::string_view(asked) != "0";
  }();
  return on;
}

}  // namespace

void wait_for_each_launch(bool on) { launches_wait() = on; }

namespace hopper {

namespace {

/// The same GPU with so many SMs. Each has a place of its own, by which choices are remembered, and no name: what was
/// measured was measured on all SMs.
const gpu_constants& part_of(const gpu_constants& whole, int sms) {
  static std::mutex alone;
  static std::map<std::pair<const gpu_constants*, int>, gpu_constants> parts;
  const std::lock_guard guard(alone);
  const auto [at, made] = parts.try_emplace({&whole, sms}, "", sms, whole.memory_bytes_per_us);
  return at->second;
}

}  // namespace

int check_device() {
  constexpr int least_driver = 12030;
  if (const int driver = usable_driver(); driver < least_driver)
    throw launch_error("the NVIDIA driver supports CUDA ", driver / 1000, ".", driver % 1000 / 10,
                       ", TMA multicast kernels need CUDA 12.3 or newer");
  const device_facts d = current_device();
  if (d.capability != 90)
    throw launch_error("device ", d.number, " is sm_", d.capability, "; this kernel is built for sm_90a (H100, H200)");
  return d.number;
}

void check_cuda(cudaError_t e, const char* doing) {
  if (e != cudaSuccess) fail(e, doing, cudaGetErrorString(e));
}

const gpu_constants& current_constants() {
  static std::atomic<const gpu_constants*> known[most_devices]{};
  int device = 0;
  check_cuda(cudaGetDevice(&device), "asking for the current device");
  const gpu_constants* constants = device < most_devices ? known[device].load(std::memory_order_relaxed) : nullptr;
  if (!constants) {
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, device), "asking for the device's name");
    constants = &constants_of(properties.name);
    if (device < most_devices) known[device].store(constants, std::memory_order_relaxed);
  }
  const int held = multiprocessors_at_most::count();
  return held > 0 && held < constants->multiprocessors ? part_of(*constants, held) : *constants;
}

void wait_for(cudaStream_t stream) {
  const launch_place at = place_of(current_device().number, stream);
  if (at.capturing)
    throw launch_error("finish: ", stream_text(at),
                       " captures a graph, whose kernels have not begun; end the capture and launch the graph first");
  const std::uint64_t latest = history().latest();
  if (const cudaError_t e = cudaStreamSynchronize(stream); e != cudaSuccess)
    fail(e, "waiting for " + stream_text(at), at, cudaGetErrorString(e));
  history().mark_finished(at, latest);
}

void queue_launch(launch_record r, cudaStream_t stream, cudaError_t (*queue)(void* of), void* of) {
  const bool waits = launches_wait().load(std::memory_order_relaxed) && !r.at.capturing;
  if (waits) wait_for(stream);  // so that a failure from now on is this launch's
  if (const cudaError_t e = queue(of); e != cudaSuccess)
    fail(e, "launching " + describe_launch(*r.kernel, r.sizes), r.at, cudaGetErrorString(e));
  r.number = history().add(r);
  if (!waits) return;
  const cudaError_t e = cudaStreamSynchronize(stream);
  if (loses_context(e)) {
    cudaGetLastError();
    throw device_error(text_of(r), ", has failed on device ", r.at.device, ": ", trouble_text(e));
  }
  check_cuda(e, "waiting for the launch");
  history().mark_finished(r.at, r.number);
}

namespace {

/// Where memory is filled before a kernel, that is what it waits for, and not the kernel before.
kernel_shape shape_of(const plan& p, bool waits) {
  return {p.threads, p.shared_bytes, p.how.ctas(), p.how.overlap != launch_overlap::none && !waits};
}

/// Clusters of the kernel that fit on the device at once, with its shared memory reserved: asked once per context.
int ask_resident_clusters(const device_kernel& k, const launch_place& at) {
  const outside_of_captures pause;
  const kernel_shape shape = shape_of(*k.program->planned, true);
  reserve_shared_memory(k.function, shape, at.device);
  const int clusters = count_resident_clusters(k.function, shape, at.device);
  k.resident->keep(at.device, at.context, clusters);
  return clusters;
}

}  // namespace

void fill_combined(const plan& p, const tensor_facts (&t)[max_operands], cudaStream_t stream) {
  if (!combines(p)) return;
  static const auto fill = driver_function<decltype(cuMemsetD32Async)>("cuMemsetD32Async", 3020);
  static const auto fill_rows = driver_function<decltype(cuMemsetD2D32Async)>("cuMemsetD2D32Async", 3020);
  if (!fill || !fill_rows) fail(cudaErrorSymbolNotFound, "looking for cuMemsetD32Async");
  constexpr std::int64_t longest_pitch = 0x7FFF'FFFF;  // CU_DEVICE_ATTRIBUTE_MAX_PITCH
  for_each_identity(p, t, [&](const identity_block& b) {
    constexpr const char* doing = "filling a vector that is combined into";
    const auto word = __builtin_bit_cast(unsigned, b.identity);
    const auto words = static_cast<std::size_t>(b.words), rows = static_cast<std::size_t>(b.rows);
    if (b.rows > 1 && b.pitch <= longest_pitch)
      return check_driver(fill_rows(b.first, static_cast<std::size_t>(b.pitch), word, words, rows, stream), doing);
    for (std::size_t row = 0; row < rows; ++row)
      check_driver(fill(b.first + row * static_cast<std::size_t>(b.pitch), word, words, stream), doing);
  });
}

void start(const device_kernel& k, const given_operands& given, parameter_places& to, void* parameters,
           known_path& path, cudaStream_t stream) {
  const plan& p = *k.program->planned;
  const launch_place at = place_of(check_device(), stream);
  prepare(*k.program, given, encode_map_at, to, path);
  for (int o = 0; o < p.operands; ++o) check_memory(p.operand[o].facts, given.tensor[o], at);
  if (needs_workspace(p)) check_workspace_memory(given, static_cast<std::size_t>(to.in_workspace.bytes), at);

  const int known = k.resident->find(at.device, at.context), resident = known ? known : ask_resident_clusters(k, at);
  const int clusters = share_out_work(p, to, clusters_within_hold(resident, p.how.ctas()));
  const launch_config config(shape_of(p, combines(p)), clusters * p.how.ctas(), stream);
  const auto queue = [&] {
    if (k.queue) return k.queue(config.all, parameters);
    void* all[] = {parameters};
    return cudaLaunchKernelExC(&config.all, k.function, all);
  };
  fill_combined(p, given.tensor, stream);
  queue_launch(record_of(*k.program, at, given.tensor), stream,
               [&] { return queue_prepared(known > 0, queue, [&] { ask_resident_clusters(k, at); }); });
}

}  // namespace hopper

}  // namespace sectile
