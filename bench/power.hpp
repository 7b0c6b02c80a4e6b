// What the driver says of the current GPU while it works: power and clock, by libnvidia-ml, which comes with the
// driver. CUDA's toolkit need not have its header, so what is called is declared here, as NVML's API reference has it.
#pragma once
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "bench/timing.hpp"

namespace sectile::bench {

class power_gauge {
 public:
  /// Of device 0. Where there is no such library, or it does not answer, why_not() says so.
  power_gauge() {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!library_) {
      why_not_ = "there is no libnvidia-ml.so.1";
      return;
    }
    char bus[32]{};
    check(cudaDeviceGetPCIBusId(bus, sizeof bus, 0), "asking where the GPU is");
    if (call("nvmlInit_v2") != 0 ||
        call("nvmlDeviceGetHandleByPciBusId_v2", static_cast<const char*>(bus), &device_) != 0)
      why_not_ = "libnvidia-ml does not know the GPU";
  }
  ~power_gauge() {
    if (!library_) return;
    call("nvmlShutdown");
    dlclose(library_);
  }
  power_gauge(const power_gauge&) = delete;
  power_gauge& operator=(const power_gauge&) = delete;

  const std::string& why_not() const { return why_not_; }

  /// At this moment; NaN where nobody says. (nvmlDeviceGetPowerUsage is a mean of the last second.)
  double watts() const {
    field wanted{.id = 186};  // NVML_FI_DEV_POWER_INSTANT
    if (!there() || call("nvmlDeviceGetFieldValues", device_, 1, &wanted) != 0 || wanted.result != 0) return NAN;
    return wanted.value.whole * 1e-3;
  }
  /// Of the SMs, at this moment, and the highest that they may have; NaN where nobody says.
  double mhz() const { return clock("nvmlDeviceGetClockInfo"); }
  double highest_mhz() const { return clock("nvmlDeviceGetMaxClockInfo"); }
  /// Why the clock is not the highest at this moment, a bit each; 0 where it is, or nobody says.
  unsigned long long slowed_by() const {
    unsigned long long reasons = 0;
    return there() && call("nvmlDeviceGetCurrentClocksEventReasons", device_, &reasons) == 0 ? reasons : 0;
  }
  /// What the driver lets it have.
  double watts_allowed() const { return number("nvmlDeviceGetEnforcedPowerLimit") * 1e-3; }

 private:
  struct field {
    unsigned id = 0, scope = 0;
    long long timestamp = 0, latency = 0;
    int type = 0, result = 0;
    union {
      unsigned whole;
      unsigned long long wide;
    } value{};
  };

  bool there() const { return why_not_.empty(); }

  /// A function of the library, 0 where it went well.
  template <class... Arguments>
  int call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
    return function ? function(arguments...) : -1;
  }
  double number(const char* name) const {
    unsigned value = 0;
    return there() && call(name, device_, &value) == 0 ? static_cast<double>(value) : NAN;
  }
  double clock(const char* name) const {
    constexpr int of_sms = 1;  // NVML_CLOCK_SM
    unsigned value = 0;
    return there() && call(name, device_, of_sms, &value) == 0 ? static_cast<double>(value) : NAN;
  }

  void* library_ = nullptr;
  void* device_ = nullptr;
  std::string why_not_{};
};

/// What a gauge has said while something ran.
struct gauged {
  std::vector<double> watts{}, mhz{};
  unsigned long long slowed_by = 0;

  void ask(const power_gauge& gauge) {
    if (const double now = gauge.watts(); std::isfinite(now)) watts.push_back(now);
    if (const double now = gauge.mhz(); std::isfinite(now)) mhz.push_back(now);
    slowed_by |= gauge.slowed_by();
  }
};
/// The middle of what was said; NaN where nobody said anything.
inline double middle(const std::vector<double>& said) { return said.empty() ? NAN : median(said); }

/// Milliseconds between two events around what `queue` puts on the stream. The gauge is asked as long as it runs.
template <class Queue>
double gauged_milliseconds(const stream& on, const event& begin, const event& end, const Queue& queue,
                           const power_gauge& gauge, gauged& seen) {
  check(cudaEventRecord(begin.handle, on.handle), "recording an event");
  queue();
  check(cudaEventRecord(end.handle, on.handle), "recording an event");
  while (true) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const cudaError_t state = cudaEventQuery(end.handle);
    if (state == cudaErrorNotReady) {
      seen.ask(gauge);
      continue;
    }
    check(state, "running the work that is timed");
    break;
  }
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin.handle, end.handle), "reading the events");
  return static_cast<double>(ms);
}

/// Those reasons in words, as far as a GPU at work has them.
inline std::string reasons_text(unsigned long long reasons) {
  std::string text;
  const auto add = [&](unsigned long long bits, const char* name) {
    if (reasons & bits) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(0x2, "clocks that someone has set");
  add(0x4, "power");
  add(0x20 | 0x40, "heat");
  add(0x8 | 0x80, "the board");
  return text;
}

}  // namespace sectile::bench
