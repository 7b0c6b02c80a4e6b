#include <random>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/drawn_work.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {

drawn_work::drawn_work(const grid& shape, const drawn_range& where, std::uint64_t seed)
    : range(where), dealt_(static_cast<std::size_t>(shape.clusters)) {
  std::mt19937_64 random(seed);
  const auto clusters = static_cast<std::uint64_t>(shape.clusters);
  int number = 0;
  for (; number < where.items - shape.clusters; ++number)
    dealt_[static_cast<std::size_t>(random() % clusters)].push_back(number);
  for (auto& of_cluster : dealt_) of_cluster.push_back(number++);
}

void drawn_work::count() {
  const std::lock_guard lock(mutex_);
  *range.counter = *range.counter + 1 == static_cast<std::uint32_t>(range.items) ? 0 : *range.counter + 1;
}

void drawn_work::check() const {
  if (*range.counter == 0) return;
  report(hazard_kind::barrier_misuse, text("the counter of drawn work stands at ", *range.counter,
                                           " when all clusters are done: of ", range.items,
                                           " work items, each draws a number once"));
}

int draw_ticket(cuda_thread& t, std::uint32_t* counter, int tickets) {
  cluster& c = *t.all;
  drawn_work* const work = c.what.drawn;
  if (work == nullptr || counter != work->range.counter)
    report(hazard_kind::out_of_range, text("draw_ticket of ", name(t), ": no work is drawn from there"));
  if (tickets != work->range.items)
    report(hazard_kind::barrier_misuse, text("draw_ticket of ", name(t), ": the counter would begin again behind ",
                                             tickets, " numbers, of ", work->range.items, " work items"));
  const std::vector<int>& own = work->of(c.index);
  if (c.drawn == own.size())
    report(hazard_kind::arrival_overflow, text("draw_ticket of ", name(t), ": its cluster has drawn ", own.back(),
                                               " before, behind which there is no work"));
  if (c.computes) work->count();
  return own[c.drawn++];
}

}  // namespace sectile::model
