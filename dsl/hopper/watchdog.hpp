// The watchdog of a checked kernel: a warp without other work that sees complaints, sees when nothing moves, and hands
// a CTA's notes to the host.
#pragma once
#include <sectile/dsl/hopper/check_verbs.hpp>
#include <sectile/dsl/hopper/machine.hpp>
#include <sectile/dsl/hopper/watching.hpp>
#include <sectile/dsl/plan/guards.hpp>

namespace sectile::hopper {

template <class K>
struct watchdog {
  using spy = watching_verbs;

  std::uint32_t base;  // of the CTA's dynamic shared memory
  const watch& how;

  /// Returns when all warps of the CTA but this one have reached the end.
  SECTILE_OWN_VERB void keep_watch() const {
    constexpr std::uint32_t others = head_of<K>.threads / 32 - 1;
    constexpr int words = role_words * count_roles(head_of<K>);
    static_assert(words <= 32);
    const int lane = machine::thread() % 32;
    std::uint64_t moved = spy::nanoseconds();
    std::uint32_t seen = 0;
    for (;;) {
      // One look at the notes by the whole warp: all lanes must come to the same conclusion.
      const std::uint32_t word = lane < words ? spy::peek(note(role_note(0) + lane)) : 0;
      const std::uint32_t state = spy::warp_sum(word * static_cast<std::uint32_t>(2 * lane + 1));
      const std::uint32_t owner =
          static_cast<std::uint32_t>(machine::uniform(static_cast<int>(spy::peek(note(complaint::owner)))));
      const std::uint32_t done =
          static_cast<std::uint32_t>(machine::uniform(static_cast<int>(spy::peek(note(complaint::done)))));
      if (owner != 0) report(true);
      if (done == others) return;
      const std::uint64_t now = spy::nanoseconds();
      if (state + done != seen) moved = now;
      seen = state + done;
      if (lane == 0 && now - moved > 2 * how.limit_ns)
        check_verbs<head_of<K>.guards.notes>::complain_if(1, tell(fault::nothing_moves, 0), base);
      spy::warp_sync();
      spy::sleep(2000);
    }
  }

  /// Hands the notes to the host. Called by a whole warp. If fatal, the kernel ends here.
  SECTILE_OWN_VERB void report(bool fatal) const {
    const int lane = machine::thread() % 32;
    const bool mine = machine::uniform(lane == 0 && spy::claim(how.claim)) != 0;
    if (mine) {
      constexpr int ctas = how_of<K>.ctas(), words = count_notes(plan_of<K>);
      static_assert(ctas <= fault_report::most_ctas && words <= fault_report::most_words);
      const int own = machine::cta_rank(), first = fatal ? 0 : own, last = fatal ? ctas : own + 1;
      for (int cta = first; cta < last; cta = spy::opaque(cta + 1))
        for (int w = lane; w < words; w = spy::opaque(w + 32))
          spy::tell_host(&how.report->notes[cta][w], spy::peek_at(note(w), cta));
      if (lane == 0) {
        const std::uint32_t told = spy::peek(note(complaint::told));
        if (told >> detail_bits == static_cast<std::uint32_t>(fault::guard_overwritten))
          spy::tell_host(&how.report->found, spy::peek(base + static_cast<std::uint32_t>(offset_in(told))));
        spy::tell_host(&how.report->cluster, static_cast<std::uint32_t>(machine::cluster_index()));
        spy::tell_host(&how.report->clusters, static_cast<std::uint32_t>(machine::cluster_count()));
        spy::tell_host(&how.report->cta, static_cast<std::uint32_t>(own));
        spy::tell_host(&how.report->trapped, fatal);
      }
      spy::fence_system();
      spy::warp_sync();
      if (lane == 0) spy::tell_host(&how.report->complete, 1);
      spy::fence_system();
      spy::warp_sync();
      if (fatal) spy::trap();
    }
    while (fatal) spy::sleep(1000000);  // another CTA reports, and ends the kernel
  }

 private:
  SECTILE_OWN_VERB std::uint32_t note(int word) const {
    constexpr int notes = head_of<K>.guards.notes;
    return base + static_cast<std::uint32_t>(notes + 4 * word);
  }
};

}  // namespace sectile::hopper
