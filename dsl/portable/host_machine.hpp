// The verbs of the portable readings on the CPU: the threads of a CTA are fibers that take turns at their barriers.
//
// A thread runs until it meets a barrier, so one that reads what another has not written yet, or overwrites what
// another still needs, computes with the wrong numbers every time and not just sometimes.
#pragma once
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <exception>
#include <stdexcept>
#include <vector>

#include <sectile/dsl/hopper/registers.hpp>
#include <sectile/dsl/model/arithmetic.hpp>
#include <sectile/dsl/model/fiber.hpp>
#include <sectile/dsl/portable/host_memory.hpp>
#include <sectile/dsl/portable/host_wmma.hpp>
#include <sectile/dsl/program/tile.hpp>

namespace sectile::portable {

/// A barrier of `threads` fibers.
struct host_barrier {
  int threads = 0, waiting = 0;
  long round = 0;
};

/// The threads of one CTA, their shared memory and where they meet.
struct host_cta {
  static constexpr int warp_size = 32;

  std::deque<model::fiber> fibers;  // they stay where they are
  std::vector<unsigned char> memory;
  unsigned char* shared = nullptr;
  host_barrier all;
  std::vector<host_barrier> warps;
  std::vector<std::array<void*, warp_size>> exchanged;  // what the lanes of a warp show each other
  std::exception_ptr failure;
  host_memory* host = nullptr;  // if accesses to it are to be looked at

  host_cta(int threads, int shared_bytes)
      : fibers(static_cast<std::size_t>(threads)),
        memory(static_cast<std::size_t>(shared_bytes) + 128, 0xFF),
        all{threads},
        warps(static_cast<std::size_t>(threads / warp_size), host_barrier{warp_size}),
        exchanged(warps.size()) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    shared = memory.data() + (128 - address % 128) % 128;
  }

  /// Returns when all threads of the barrier have come.
  void wait(host_barrier& b, int thread) {
    const long round = b.round;
    if (++b.waiting == b.threads) {
      b.waiting = 0;
      ++b.round;
      return;
    }
    while (b.round == round) fibers[static_cast<std::size_t>(thread)].suspend();
  }

  /// Calls entry(thread) on every thread of the CTA. Throws what a thread threw, and std::logic_error if they wait for
  /// each other forever.
  template <class Entry>
  void run(model::stack_pool& stacks, Entry& entry) {
    struct start {
      host_cta* cta;
      Entry* entry;
      int thread;
    };
    std::vector<start> starts;
    for (int t = 0; t < all.threads; ++t) starts.push_back({this, &entry, t});
    for (start& s : starts)
      fibers[static_cast<std::size_t>(s.thread)].start(
          stacks,
          [](void* argument) {
            auto& self = *static_cast<start*>(argument);
            try {
              (*self.entry)(self.thread);
            } catch (const std::exception&) {  // not the signal that unwinds an abandoned fiber
              self.cta->failure = std::current_exception();
            }
          },
          &s);
    for (bool running = true; running && !failure;) {
      const long before = progress();
      running = false;
      for (model::fiber& f : fibers) {
        if (!f.finished()) f.resume();
        running = running || !f.finished();
      }
      if (running && progress() == before) throw std::logic_error("the threads of a CTA wait for each other forever");
    }
    if (failure) std::rethrow_exception(failure);
  }

 private:
  long progress() const {
    long rounds = all.round;
    for (const host_barrier& b : warps) rounds += b.round;
    for (const model::fiber& f : fibers) rounds += f.finished();
    return rounds;
  }
};

/// One thread's view. Its arithmetic is rounded as on the GPU.
struct host_machine : model::arithmetic_verbs {
  static constexpr bool computes = true;
  template <class T, int N>
  using registers = hopper::registers<T, N>;

  host_cta& cta;
  int thread_;

  int thread() const { return thread_; }
  static int uniform(int x) { return x; }
  unsigned char* shared() const { return cta.shared; }
  void sync() { cta.wait(cta.all, thread_); }
  void warp_sync() { cta.wait(cta.warps[warp()], thread_); }
  static void copies_done() {}

  /// Brings a piece of `Bytes` bytes to shared memory: the first `valid` from global memory, then zeros.
  template <int Bytes, int ElementBytes>
  void copy_in(unsigned char* to, const unsigned char* from, int valid, bool /*aligned*/) {
    if (valid > 0 && cta.host != nullptr) cta.host->require_read(from, valid);
    if (valid > 0) std::memcpy(to, from, static_cast<std::size_t>(valid));
    std::memset(to + valid, 0, static_cast<std::size_t>(Bytes - valid));
  }

  /// The bits of one element of a tensor that nobody writes meanwhile; 0 if it is not `there`.
  template <int Bytes>
  std::uint32_t load_global(const void* from, bool there) {
    std::uint32_t bits = 0;
    if (there && cta.host != nullptr) cta.host->require_read(static_cast<const unsigned char*>(from), Bytes);
    if (there) std::memcpy(&bits, from, Bytes);
    return bits;
  }

  /// Writes one element, or as many as x has, to global memory.
  template <class T>
  void store(void* to, const T& x) {
    if (cta.host != nullptr) cta.host->note_write(to, sizeof x);
    std::memcpy(to, &x, sizeof x);
  }

  /// Writes one element of Bytes bytes of a vector, if it is `there`.
  template <int Bytes>
  void store_global(void* to, std::uint32_t bits, bool there) {
    if (there && cta.host != nullptr) cta.host->note_write(to, Bytes);
    if (there) std::memcpy(to, &bits, Bytes);
  }
  void reduce_add(float* to, float x, bool there) { combine(to, x, there, add); }
  void reduce_max(float* to, float x, bool there) { combine(to, x, there, maximum); }
  void reduce_min(float* to, float x, bool there) { combine(to, x, there, minimum); }

  std::size_t warp() const { return static_cast<std::size_t>(thread_ / host_cta::warp_size); }
  std::size_t lane() const { return static_cast<std::size_t>(thread_ % host_cta::warp_size); }

  /// use(lanes) when every lane of the warp has shown its `mine`; nobody goes on before all have used them.
  template <class Use>
  auto exchange(void* mine, Use use) {
    auto& lanes = cta.exchanged[warp()];
    lanes[lane()] = mine;
    warp_sync();
    const auto result = use(lanes);
    warp_sync();
    return result;
  }

  /// The value of x in another lane of the warp.
  float shuffle_xor(float x, int mask) {
    return exchange(&x,
                    [&](auto& lanes) { return *static_cast<float*>(lanes[lane() ^ static_cast<std::size_t>(mask)]); });
  }

  /// d += a * b for this warp's part: the first lane computes for all.
  template <wmma_product P, class T, class D, class Block, int Atoms>
  void wmma_multiply(Block (&d)[Atoms], int warp_number, const unsigned char* a, const unsigned char* b) {
    exchange(&d, [&](auto& lanes) {
      if (lane() == 0) host_multiply<P, T, D>(lanes, a, b, warp_number);
      return 0;
    });
  }
  /// Writes fragment F, row-major, to `to`: elements as they are summed, or, from packed pairs, as floats.
  template <int M, int N, int K, int F, int Pitch, class D, class Block, int Atoms, class Staged>
  void wmma_unload(const Block (&d)[Atoms], Staged* to) {
    for (int e = 0; e < 8; ++e) {
      const host_coord p = host_fragment_coord(N, static_cast<int>(lane()), e);
      to[p.row * Pitch + p.col] =
          static_cast<Staged>(host_element<D>(reinterpret_cast<const std::uint32_t*>(&d), F, e));
    }
  }

 private:
  /// x and a number in memory, if it is `there`, which CTAs on other cores combine, too.
  void combine(float* to, float x, bool there, float (*of)(float, float)) {
    if (!there) return;
    if (cta.host != nullptr) cta.host->note_combined(to);
    const std::atomic_ref<float> memory(*to);
    float before = memory.load(std::memory_order_relaxed);
    while (!memory.compare_exchange_weak(before, of(before, x), std::memory_order_relaxed)) {
    }
  }
};

}  // namespace sectile::portable
