#include <random>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/drawn_work.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/tickets.hpp>

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

void drawn_work::check(const ticket_counters& of) const {
  const ticket_word counter{of.first + range.counter};
  const std::uint64_t drawn = counter.load() - of.token;
  if (drawn == 0) return;
  if (closed_ == 1 && drawn == static_cast<std::uint64_t>(range.items)) return counter.set(of.token);
  report(hazard_kind::barrier_misuse,
         text("the counter of drawn work stands at ", drawn, " when all clusters are done: of ", range.items,
              " work items, each draws a number once"));
}

void drawn_work::close(int cluster) {
  if (const int last = of(cluster).back(); last != range.items - 1)
    report(hazard_kind::barrier_misuse,
           text("cluster ", cluster, " closes the counter of drawn work, whose last number is ", last, ": of ",
                range.items, " work items, each draws a number"));
  ++closed_;
}

std::uint64_t draw_ticket(cuda_thread& t, const ticket_counters& of, int counter) {
  require_counters(t, of, "draw_ticket");
  const drawn_work* const work = t.all->what.drawn;
  if (work == nullptr || counter != work->range.counter)
    report(hazard_kind::out_of_range, text("draw_ticket of ", name(t), ": no work is drawn from there"));
  if (t.all->asked++ != t.all->drawn)
    report(hazard_kind::arrival_overflow,
           text("draw_ticket of ", name(t), ": its cluster has drawn before, and not taken the number"));
  return t.all->computes ? ticket_word{of.first + counter}.add_one() : 0;
}

int number_drawn(cuda_thread& t, const ticket_counters& of, int counter, std::uint64_t found, int tickets) {
  cluster& c = *t.all;
  const drawn_range& range = c.what.drawn->range;
  if (range.close ? tickets < range.items : tickets != range.items)
    report(hazard_kind::barrier_misuse, text("number_drawn of ", name(t), ": the counter would begin again behind ",
                                             tickets, " numbers, of ", range.items, " work items"));
  const std::vector<int>& own = c.what.drawn->of(c.index);
  if (c.drawn == own.size())
    report(hazard_kind::arrival_overflow, text("number_drawn of ", name(t), ": its cluster has drawn ", own.back(),
                                               " before, behind which there is no work"));
  if (c.asked == c.drawn)
    report(hazard_kind::arrival_overflow,
           text("number_drawn of ", name(t), ": its cluster has not drawn since it has taken its last number"));
  if (c.computes) number_of_ticket(ticket_word{of.first + counter}, found, of.token, tickets);
  return own[c.drawn++];
}

void close_draws(cuda_thread& t, const ticket_counters& of, int counter) {
  require_counters(t, of, "close_draws");
  cluster& c = *t.all;
  if (c.what.drawn == nullptr || counter != c.what.drawn->range.counter)
    report(hazard_kind::out_of_range, text("close_draws of ", name(t), ": no work is drawn from there"));
  if (c.computes) c.what.drawn->close(c.index);
}

}  // namespace sectile::model
