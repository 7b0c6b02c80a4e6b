#include <algorithm>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/turns.hpp>
#include <stdexcept>

namespace sectile::model {
namespace {

struct fair final : turns {
  void ready(cuda_thread& t) override { queue.push_back(&t); }
  bool gives_way(cuda_thread&, bool) override { return false; }
  turn next(const operation_queue& in_flight) override {
    if (queue.empty()) return {nullptr, in_flight.empty() ? turn::none : 0};
    cuda_thread* const t = queue.front();
    queue.pop_front();
    return {t};
  }

  std::deque<cuda_thread*> queue;
};

/// SplitMix64.
struct random_stream {
  std::uint64_t state;

  std::uint64_t next() {
    state += 0x9E37'79B9'7F4A'7C15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9u;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBu;
    return z ^ (z >> 31);
  }
  /// 0 <= result < n
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
};

/// How eagerly operations complete is drawn once for each run, so that a few seeds cover both extremes.
struct drawn final : turns {
  drawn(std::uint64_t seed, int cluster) : random{seed} {
    random.state = random.next() + static_cast<std::uint64_t>(cluster) * 0xD1B5'4A32'D192'ED03u;
    operation_odds = std::uint64_t{1} << (1 + 3 * random.below(4));
  }

  void ready(cuda_thread& t) override { pool.push_back(&t); }
  bool gives_way(cuda_thread& t, bool) override {
    if (random.below(8) != 0) return false;
    pool.push_back(&t);
    return true;
  }
  turn next(const operation_queue& in_flight) override {
    if (pool.empty() && in_flight.empty()) return {};
    if (pool.empty() || (!in_flight.empty() && random.below(operation_odds) == 0))
      return {nullptr, random.below(in_flight.size())};
    std::swap(pool.back(), pool[random.below(pool.size())]);
    cuda_thread* const t = pool.back();
    pool.pop_back();
    return {t};
  }

  random_stream random;
  std::uint64_t operation_odds = 1;  // one turn in so many goes to an asynchronous operation
  std::vector<cuda_thread*> pool;
};

}  // namespace

std::unique_ptr<turns> fair_turns() { return std::make_unique<fair>(); }
std::unique_ptr<turns> random_turns(std::uint64_t seed, int cluster) { return std::make_unique<drawn>(seed, cluster); }

void systematic_turns::ready(cuda_thread& t) {
  if (t.unit >= units_.size()) units_.resize(t.unit + 1);
  units_[t.unit].ready.push_back(&t);
}

bool systematic_turns::gives_way(cuda_thread& t, bool at_meeting_point) {
  if (at_meeting_point) units_[t.unit].paused.push_back(&t);
  return at_meeting_point;
}

turn systematic_turns::next(const operation_queue& in_flight) {
  if (completing_.queue != nullptr) {
    const auto next =
        std::find_if(in_flight.begin(), in_flight.end(), [&](const auto& o) { return o->belongs_to() == completing_; });
    if (next != in_flight.end()) return {nullptr, static_cast<std::size_t>(next - in_flight.begin())};
    completing_ = {};
  }
  if (current_ < units_.size() && !units_[current_].ready.empty() && running_) return run(units_[current_]);
  running_ = false;
  find_candidates(in_flight);
  if (candidates_.empty()) return {};
  const candidate chosen = candidates_[decide()];
  if (chosen.operation != turn::none) {
    completing_ = in_flight[chosen.operation]->belongs_to();
    return {nullptr, chosen.operation};
  }
  current_ = chosen.unit;
  running_ = true;
  unit& u = units_[current_];
  u.ready.insert(u.ready.end(), u.paused.begin(), u.paused.end());
  u.paused.clear();
  return run(u);
}

/// The role whose turn it is, the others in turn, then the first operation of each batch, the oldest first.
void systematic_turns::find_candidates(const operation_queue& in_flight) {
  candidates_.clear();
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const std::size_t u = (current_ + i) % units_.size();
    if (units_[u].can_run()) candidates_.push_back({u, turn::none});
  }
  const std::size_t first = candidates_.size();
  for (std::size_t i = 0; i < in_flight.size(); ++i) {
    const batch mine = in_flight[i]->belongs_to();
    const auto seen =
        std::find_if(candidates_.begin() + static_cast<std::ptrdiff_t>(first), candidates_.end(),
                     [&](const candidate& c) { return in_flight[c.operation]->belongs_to().queue == mine.queue; });
    if (seen == candidates_.end()) candidates_.push_back({turn::none, i});
  }
}

std::size_t systematic_turns::decide() {
  if (candidates_.size() == 1) return 0;
  const auto number = static_cast<std::uint32_t>(choices_.size());
  choices_.push_back(static_cast<std::uint16_t>(candidates_.size()));
  if (departed() || departures_[taken_].decision != number) return 0;
  const std::uint32_t choice = departures_[taken_++].choice;
  if (choice < candidates_.size()) return choice;
  throw std::invalid_argument(text("the schedule departs to choice ", choice, " at decision ", number,
                                   ", where there are ", candidates_.size() - 1,
                                   ": it belongs to another kernel or problem"));
}

turn systematic_turns::run(unit& u) {
  cuda_thread* const t = u.ready.front();
  u.ready.pop_front();
  return {t};
}

}  // namespace sectile::model
