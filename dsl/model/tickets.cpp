#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/tickets.hpp>

namespace sectile::model {

void require_counters(const cuda_thread& t, const ticket_counters& given, const char* verb) {
  const ticket_counters& own = t.all->what.how.tickets;
  if (given.first != own.first)
    report(hazard_kind::out_of_range, text(verb, " of ", name(t), ": the launch has no ticket counters there"));
  if (given.token != own.token)
    report(hazard_kind::barrier_misuse, text(verb, " of ", name(t), ": it counts from ", given.token,
                                             ", which is not this launch's token, ", own.token));
}

void open_tickets(cuda_thread& t, const ticket_counters& given, int counter) {
  require_counters(t, given, "open_tickets");
  if (counter < 0 || counter >= t.all->what.how.counters)
    report(hazard_kind::out_of_range, text("open_tickets of ", name(t), ": there is no ticket counter number ", counter,
                                           " of ", t.all->what.how.counters));
  if (t.all->computes) open_counter(ticket_word{given.first + counter}, given.token);
}

void require_all_taken(const ticket_counters& of, int counters) {
  for (int i = 0; i < counters; ++i)
    if (const std::uint64_t taken = of.first[i] - of.token; taken > 0 && taken >> (token_step_bits - 1) == 0)
      report(hazard_kind::barrier_misuse, text("ticket counter ", i, " is left with ", taken,
                                               " tickets taken and not all of them: a launch that is replayed counts "
                                               "on from there"));
}

}  // namespace sectile::model
