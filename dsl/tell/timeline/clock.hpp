// What a replay runs on: a clock, and servers that several warpgroups share.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>
#include <sectile/dsl/tell/timeline/nominal.hpp>
#include <utility>

namespace sectile::tell {

/// Actions in the order of their times; at the same time, in the order in which they were brought about.
struct replay_clock {
  cycles now = 0;

  void at(cycles when, std::function<void()> act) { queue_.push({when, serial_++, std::move(act)}); }
  void run() {
    while (!queue_.empty()) {
      const action a = queue_.top();
      queue_.pop();
      now = a.at;
      a.act();
    }
  }

 private:
  struct action {
    cycles at;
    std::size_t serial;
    std::function<void()> act;
    bool operator<(const action& o) const { return std::pair(at, serial) > std::pair(o.at, o.serial); }
  };
  std::priority_queue<action> queue_{};
  std::size_t serial_ = 0;
};

/// Serves one after the other.
struct queue_server {
  cycles free = 0;

  /// When a job begins that is asked for now.
  cycles serve(cycles now, cycles duration) {
    const cycles start = std::max(free, now);
    free = start + duration;
    return start;
  }
};

/// Serves all that ask, each for a quantum at a time.
struct shared_server {
  void serve(replay_clock& clock, cycles duration, std::function<void()> done) {
    jobs_.push_back({duration, std::move(done)});
    if (jobs_.size() == 1) serve_quantum(clock);
  }

 private:
  struct job {
    cycles left;
    std::function<void()> done;
  };
  void serve_quantum(replay_clock& clock) {
    const cycles spent = std::min<cycles>(jobs_.front().left, nominal::quantum);
    clock.at(clock.now + spent, [this, &clock, spent] {
      job j = std::move(jobs_.front());
      jobs_.pop_front();
      j.left -= spent;
      const bool done = j.left <= 0;
      if (!done) jobs_.push_back(j);
      if (!jobs_.empty()) serve_quantum(clock);
      if (done) j.done();
    });
  }
  std::deque<job> jobs_{};
};

}  // namespace sectile::tell
