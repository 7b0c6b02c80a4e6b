#include <algorithm>
#include <cstring>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/thread_copies.hpp>
#include <utility>

namespace sectile::model {
namespace {

constexpr std::uint32_t piece = 16;

struct landing final : async_operation {
  landing(std::vector<thread_copy> all, cta& c, mbarrier& tell)
      : copies(std::move(all)), target(&c), barrier(&tell), phase(tell.phase), number(tell.loads.size() - 1) {}

  void complete() override {
    for (const thread_copy& c : copies) {
      constexpr std::byte zeros[piece]{};
      std::memcpy(target->memory.at(c.to), c.from != nullptr ? c.from : zeros, piece);
      if (target->memory.is_tracked()) target->memory.source(c.to) = {c.from, c.from != nullptr ? piece : 0};
    }
    end_copies(*barrier, number);
  }
  batch belongs_to() const override { return {barrier, phase}; }

  std::vector<thread_copy> copies;
  cta* target;
  mbarrier* barrier;
  std::uint32_t phase;
  std::size_t number;  // among the loads of the barrier
};

/// Throws unless the bytes are elements of one input.
void require_input(const cuda_thread& t, const std::byte* from) {
  const label_set& labels = t.all->what.how.labels;
  if (labels.tensors.empty()) return;
  for (const tensor_label& l : labels.tensors)
    if (!l.covered && find_element(l, from) && find_element(l, from + piece - 1)) return;
  report(hazard_kind::out_of_range, text("copy_async of ", name(t), " reads ", name_element(labels, from), " and ",
                                         piece - 1, " bytes behind it, which belong to no input of the kernel"));
}

}  // namespace

void copy_async(cuda_thread& t, std::uint32_t to, const std::byte* from) {
  require_shared(*t.block, t, to, piece, piece, "copy_async");
  if (from != nullptr) {
    if (reinterpret_cast<std::uintptr_t>(from) % piece != 0)
      report(hazard_kind::misaligned,
             text("copy_async of ", name(t), " reads ", name_element(t.all->what.how.labels, from),
                  ", which is not aligned to 16 bytes"));
    require_input(t, from);
    if (t.all->what.in_place) t.all->note_global_read(t, from, piece);
  }
  t.copies.push_back({to, from, observe(t)});
}

void arrive_copied(cuda_thread& t, std::uint32_t barrier) {
  std::uint32_t first = ~0u, end = 0;
  for (const thread_copy& c : t.copies) {
    first = std::min(first, c.to);
    end = std::max(end, c.to + piece);
  }
  mbarrier& b = begin_copies(t, barrier, first, end > first ? end - first : 0);
  for (const thread_copy& c : t.copies)
    shared_writer{*t.block, c.who, {b.copies, b.phase + 1}, proxy::generic, "copy_async"}.write(c.to, piece);
  t.all->start_async(std::make_unique<landing>(std::exchange(t.copies, {}), *t.block, b));
}

void show_copies(cuda_thread& t) {
  if (!t.all->checked()) return;
  for (const mbarrier& b : t.block->barriers) {
    const std::uint32_t known = b.copies == 0 ? 0 : count_of(t.clock.seen, b.copies);
    if (known == 0 || knows(t.clock.seen, event{b.copies + 1, known})) continue;
    t.all->acquire(t, known == b.phase ? b.shown : knowledge_of({b.copies + 1, known}));
  }
}

void check_copies_at_exit(const cuda_thread& t) {
  if (t.copies.empty()) return;
  report(hazard_kind::exit_in_flight,
         text(name(t), " exits with ", t.copies.size(), t.copies.size() == 1 ? " copy" : " copies",
              " of which no barrier is told: mbarrier_arrive_copied is missing"));
}

}  // namespace sectile::model
