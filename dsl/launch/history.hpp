// The launches of this process that are not known to have finished, so that an error that a device reports later can be
// traced to those that may have caused it. The last few are kept in a ring; keeping one takes no memory and no call of
// CUDA.
#pragma once
#include <cstdint>
#include <string>

#include <sectile/dsl/launch/brief_lock.hpp>
#include <sectile/dsl/launch/kernel_name.hpp>

namespace sectile {

/// Extents of a launch's operands; all 0 for a scalar.
struct launch_sizes {
  std::int32_t extent[max_operands][max_rank]{};
};

/// Where work is queued. `context` tells a device's contexts apart (0: unknown): each cudaDeviceReset makes a new one.
struct launch_place {
  int device = 0;
  std::uint64_t context = 0;
  const void* stream = nullptr;  // the handle; for a default stream that each thread has, something of the thread's
  const char* stream_name = nullptr;  // of a stream without a handle of its own
  bool capturing = false;             // the launch only becomes part of a graph
};

struct launch_record {
  launch_place at{};
  const launchable* kernel = nullptr;
  launch_sizes sizes{};
  std::uint64_t number = 0;  // from 1, in the order of the launches of this process
  bool finished = true;
};

/// "gemm<bf16, bf16, bf16> (A 128 x 64, B 256 x 64, C 128 x 256)"
inline std::string describe_launch(const launchable& k, const launch_sizes& sizes) {
  std::string operands;
  for (int o = 0; o < k.planned->operands; ++o) {
    const operand_facts& f = k.planned->operand[o].facts;
    if (f.kind == operand_kind::scalar) continue;
    operands += (operands.empty() ? "" : ", ") + std::string(f.name);
    for (int d = 0; d < f.tile.rank; ++d) operands += (d ? " x " : " ") + std::to_string(sizes.extent[o][d]);
  }
  return name_in(k.signature) + " (" + operands + ")";
}

/// "0x55d0a2c4"
inline std::string address_text(std::uintptr_t address) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[address % 16]);
  while (address /= 16);
  return "0x" + digits;
}
inline std::string address_text(const void* p) { return address_text(reinterpret_cast<std::uintptr_t>(p)); }

inline std::string stream_text(const launch_place& at) {
  return at.stream_name ? at.stream_name : "stream " + address_text(at.stream);
}

/// "launch 12, gemm<...> (A 128 x 64, ...) on stream 0x55d0"
inline std::string text_of(const launch_record& r) {
  return "launch " + std::to_string(r.number) + ", " + describe_launch(*r.kernel, r.sizes) +
         (r.at.capturing ? ", captured into a graph on " : " on ") + stream_text(r.at);
}

/// All members may be called from many threads at once.
struct launch_history {
  static constexpr std::uint64_t kept = 256;
  static constexpr int named = 4;  // in a sentence

  /// Returns the launch's number.
  std::uint64_t add(const launch_record& r) {
    const brief_lock::hold lock(guard);
    launch_record& slot = ring[last++ % kept];
    slot = r;
    slot.number = last;
    slot.finished = false;
    return last;
  }

  /// The number of the latest launch; 0 before the first.
  std::uint64_t latest() const {
    const brief_lock::hold lock(guard);
    return last;
  }

  /// All launches on that stream up to number `until` have finished. What was captured may run whenever its graph does.
  void mark_finished(const launch_place& at, std::uint64_t until) {
    const brief_lock::hold lock(guard);
    for (launch_record& r : ring)
      if (r.number <= until && same_stream(r.at, at) && !r.at.capturing) r.finished = true;
  }

  /// The latest launches that may have failed on that device, those of the same stream first, or "" if there are none:
  /// "launch 12, ...; launch 11, ...; and 7 others". A context of 0 stands for all contexts of the device.
  std::string suspects(const launch_place& at) const {
    const brief_lock::hold lock(guard);
    std::string text;
    int found = 0;
    for (const bool on_stream : {true, false})
      for (std::uint64_t n = last; n > 0 && n + kept > last; --n) {
        const launch_record& r = ring[(n - 1) % kept];
        const bool here = r.at.device == at.device && (at.context == 0 || r.at.context == at.context);
        if (r.finished || !here || same_stream(r.at, at) != on_stream) continue;
        if (++found <= named) text += (text.empty() ? "" : "; ") + text_of(r);
      }
    if (found > named) text += "; and " + std::to_string(found - named) + (last > kept ? " or more" : "") + " others";
    return text;
  }

 private:
  static bool same_stream(const launch_place& a, const launch_place& b) {
    const bool same_context = a.context == b.context || a.context == 0 || b.context == 0;  // 0: not known
    return a.device == b.device && same_context && a.stream == b.stream;
  }

  mutable brief_lock guard;
  launch_record ring[kept]{};
  std::uint64_t last = 0;
};

inline launch_history& history() {
  static launch_history all;
  return all;
}

}  // namespace sectile
