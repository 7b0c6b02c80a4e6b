#include <sectile/dsl/launch/other_members.hpp>

#include <algorithm>
#include <limits>

namespace sectile {

misfit measure_misfit(const plan& p, const tensor_facts (&t)[max_operands]) {
  misfit m;
  const operand_facts& work = p.operand[p.work].facts;
  const auto count = [&](int o, int d, double taken) {
    const std::int64_t size = t[o].extent[d], tile = p.operand[o].facts.tile.extent[d];
    m.tiles *= std::max(1.0, static_cast<double>((size + tile - 1) / tile) / taken);
  };
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    for (int d = 0; d < t[o].rank; ++d)
      if (!op.stepped[d]) count(o, d, 1.0 + op.last[d]);
    if ((op.facts.kind != operand_kind::vector_output && !op.facts.of_trips) || op.combined != reduction::none)
      continue;
    for (int w = 0; w < work.tile.rank - p.whole_rows; ++w)
      if (!tells_apart(work, op, w)) count(p.work, w, 1);
  }
  if (p.wide_tiles) count(p.work, work.tile.rank - 1, p.row_sharers());
  try {
    m.bytes = workspace_bytes(p, t);
  } catch (const launch_error&) {
    m.bytes = std::numeric_limits<std::uint64_t>::max();
  }
  return m;
}

void other_members::refuse(int i, const char* why) {
  asked_.add(i);
  const misfit distance = measure_misfit(*plans_[i], arguments_.tensor);
  if (nearest_ >= 0 && !(distance < distance_)) return;
  nearest_ = i;
  distance_ = distance;
  why_ = message{}.add(why);
}

int other_members::next() const {
  const int best = choose(family_, sizes_, gpu_, bytes_, asked_).member;
  if (!asked_.has(best)) return best;
  for (int i = 0; i < family_.count; ++i)  // those that need more than there is
    if (!asked_.has(i)) return i;
  return -1;
}

void other_members::say_why() const {
  throw launch_error(message{}
                         .add("none of the ")
                         .add(family_.count)
                         .add(" configurations fits; the nearest, configuration ")
                         .add(nearest_)
                         .add(": ")
                         .add(why_));
}

}  // namespace sectile
