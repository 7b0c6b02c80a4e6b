// Whose turn it is: the fair, the random and the systematic order in which the threads and the asynchronous operations
// of one cluster go on (see schedule.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <sectile/dsl/model/schedule.hpp>
#include <vector>

namespace sectile::model {

struct cuda_thread;
struct options;

/// Operations of one batch complete together as far as the systematic order is concerned.
struct batch {
  const void* queue = nullptr;  ///< a barrier, a warpgroup, a store
  std::uint32_t number = 0;     ///< of the phase, of the group

  friend bool operator==(const batch&, const batch&) = default;
};

/// Something that runs beside the threads: complete() carries it out, when the order decides.
struct async_operation {
  virtual ~async_operation() = default;
  virtual void complete() = 0;
  virtual batch belongs_to() const = 0;
};

using operation_queue = std::deque<std::unique_ptr<async_operation>>;

/// A thread, or the operation at an index of the queue; neither if nothing can go on.
struct turn {
  static constexpr std::size_t none = ~std::size_t{0};

  cuda_thread* thread = nullptr;
  std::size_t operation = none;
};

struct turns {
  virtual ~turns() = default;
  /// The thread can run: it has not begun, or what it waited for has come.
  virtual void ready(cuda_thread& t) = 0;
  /// Whether the running thread lets others go first. If so it is ready, or will be when its role goes on.
  virtual bool gives_way(cuda_thread& t, bool at_meeting_point) = 0;
  virtual turn next(const operation_queue& in_flight) = 0;
};

std::unique_ptr<turns> fair_turns();
std::unique_ptr<turns> random_turns(std::uint64_t seed, int cluster);

struct systematic_turns final : turns {
  explicit systematic_turns(std::vector<departure> departures) : departures_(std::move(departures)) {}

  void ready(cuda_thread& t) override;
  bool gives_way(cuda_thread& t, bool at_meeting_point) override;
  turn next(const operation_queue& in_flight) override;

  /// At each decision so far, between how many ways there was a choice.
  const std::vector<std::uint16_t>& choices() const { return choices_; }
  /// Whether the run came to all departures.
  bool departed() const { return taken_ == departures_.size(); }

 private:
  /// The threads that take turns together.
  struct unit {
    std::deque<cuda_thread*> ready;   // as soon as it is the unit's turn
    std::deque<cuda_thread*> paused;  // at a meeting point, until the unit goes on from there

    bool can_run() const { return !ready.empty() || !paused.empty(); }
  };
  struct candidate {
    std::size_t unit = turn::none, operation = turn::none;
  };

  void find_candidates(const operation_queue& in_flight);
  std::size_t decide();
  turn run(unit& u);

  std::vector<departure> departures_;
  std::size_t taken_ = 0;
  std::vector<std::uint16_t> choices_;
  std::vector<unit> units_;
  std::size_t current_ = 0;
  bool running_ = false;  // the current unit, since it was chosen
  batch completing_{};
  std::vector<candidate> candidates_;  // of the decision at hand; the default first
};

}  // namespace sectile::model
