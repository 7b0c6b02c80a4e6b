#include <algorithm>
#include <bitset>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/metadata.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/product.hpp>
#include <sectile/dsl/model/warpgroup.hpp>
#include <sectile/layouts/rule_text.hpp>
#include <sectile/layouts/text.hpp>

namespace sectile::model {
namespace {

std::string shape_of(const wgmma_instruction& i) {
  return text("m64n", i.n, "k", i.k, ".", i.d.name, ".", i.a.name, ".", i.b.name, i.sparse ? ".sparse" : "",
              i.negate_a ? ".negate_a" : "", i.negate_b ? ".negate_b" : "", i.saturate ? ".saturating" : "");
}

std::string spelling(const warpgroup_step& s) {
  switch (s.what) {
    case warpgroup_instruction::fence:
      return "wgmma_fence";
    case warpgroup_instruction::commit:
      return "wgmma_commit";
    case warpgroup_instruction::wait:
      return text("wgmma_wait<", s.newest, ">");
    case warpgroup_instruction::multiply:
      return text("wgmma ", shape_of(*s.instruction), " (descriptors ", std::hex, s.a_descriptor, ", ", s.b_descriptor,
                  std::dec, s.accumulate ? ", accumulating)" : ")");
  }
  return "";
}

bool same_instruction(const warpgroup_step& x, const warpgroup_step& y) {
  return x.what == y.what && x.a_descriptor == y.a_descriptor && x.b_descriptor == y.b_descriptor &&
         x.accumulate == y.accumulate && x.newest == y.newest &&
         (x.instruction == y.instruction || (x.instruction && y.instruction && *x.instruction == *y.instruction));
}

/// The step that this thread has come to, entered. `mine` says what the thread takes it to be.
warpgroup_step& join_step(cuda_thread& t, warpgroup& g, const warpgroup_step& mine) {
  const std::uint64_t number = t.warpgroup_steps++;
  const std::size_t i = number - g.first_step;
  if (i == g.steps.size()) {
    const std::size_t first = static_cast<std::size_t>(t.index) / 128 * 128;
    if (number >= g.shortest_run || first + 128 > t.block->threads.size()) {
      report(hazard_kind::divergent,
             text(spelling(mine), " of ", name(t),
                  " needs all 128 threads of a warpgroup, and some have exited or do not exist"));
    }
    g.steps.push_back(std::make_unique<warpgroup_step>(mine));
  }
  warpgroup_step& step = *g.steps[i];
  if (!same_instruction(step, mine)) {
    report(hazard_kind::divergent,
           text(name(t), " is at ", spelling(mine), " where other threads of its warpgroup are at ", spelling(step)));
  }
  ++step.arrived;
  return step;
}

/// Takes the step out once all have come; it is the first one then.
std::unique_ptr<warpgroup_step> take_complete(warpgroup& g, const warpgroup_step& step) {
  if (step.arrived < 128) return nullptr;
  std::unique_ptr<warpgroup_step> first = std::move(g.steps.front());
  g.steps.pop_front();
  ++g.first_step;
  return first;
}

void note_completed_groups(warpgroup& g) {
  const std::uint32_t before = g.completed;
  while (g.completed < g.committed && (g.issued.empty() || g.issued.front()->group > g.completed + 1)) ++g.completed;
  if (g.completed != before) g.home->all->wake_all(g.waiters);
}

/// " (group 3, k = 2)"
std::string pending_group(const cuda_thread& t, const register_state& state) {
  return text(" (group ", state.pending_group, name_trip(t.own_warpgroup().trip_of(state.pending_group)), ")");
}

/// The registers of one thread, before they are handed to a wgmma.
void check_registers(const cuda_thread& t, const wgmma_instruction& i, const register_state& state, register_use use,
                     bool accumulate) {
  const auto what = [&] {
    return text("wgmma ", shape_of(i), " of ", name(t), " takes as ", name_of(use), " registers that ");
  };
  if (state.is_pending()) {
    const bool chained = use == register_use::accumulator && state.pending->n == i.n && state.pending->k == i.k &&
                         state.pending->a == i.a && state.pending->b == i.b && state.pending->d == i.d;
    if (use != state.pending_use) {
      report(hazard_kind::register_in_flight,
             text(what(), "a pending wgmma ", shape_of(*state.pending), pending_group(t, state), " still uses as ",
                  name_of(state.pending_use)));
    }
    if (use == register_use::accumulator && !chained) {
      report(hazard_kind::accumulator_shape,
             text(what(), "a pending wgmma of another shape, ", shape_of(*state.pending), pending_group(t, state),
                  ", still writes: only the same shape may follow without a wait"));
    }
  }
  if (state.touched >= t.registers.fences) {
    const bool none = t.registers.fences == 1;
    report(hazard_kind::missing_wgmma_fence, text(what(), "it has touched since its last wgmma_fence",
                                                  none ? ": there was none" : name_trip(t.fence_trip)));
  }
  const bool sum = use == register_use::accumulator;
  if (state.unwritten > 0 && (sum ? accumulate : use == register_use::operand)) {
    report(hazard_kind::unwritten_registers,
           text("wgmma ", shape_of(i), " of ", name(t), sum ? " adds to" : " takes as operand A",
                " registers of which nothing has written ", state.unwritten,
                sum ? ": the first product into an accumulator must overwrite it" : ""));
  }
}

void hold_registers(const cuda_thread& t, const wgmma_instruction& i, register_state& state, register_use use,
                    bool accumulate) {
  if (t.all->checked()) check_registers(t, i, state, use, accumulate);
  if (use == register_use::accumulator) state.unwritten = 0;
  state.pending_group = t.wgmma_groups + 1;
  state.pending_use = use;
  state.pending = &i;
}

/// Decodes and checks the descriptor of one operand. `number`: 'A' or 'B'.
const operand_chunks& find_operand(const cta& c, const warpgroup& g, std::uint64_t bits, const operand_shape& s,
                                   char operand) {
  const auto refuse = [&](const std::string& why) {
    report(hazard_kind::bad_descriptor,
           text("wgmma of ", name(g, g.trip_of(g.committed + 1)), ": the descriptor of operand ", operand, ", 0x",
                std::hex, bits, std::dec, ", has ", why));
  };
  if (const descriptor_violation v = check(bits); !v.ok()) refuse("a fault: " + to_string(v));
  const matrix_descriptor d = sectile::decode(bits);
  if (s.direction == major::mn && s.element_bits != 16) refuse("an MN-major operand, which only 16-bit types may have");
  if (d.swizzle != swizzle_mode::none) {
    const auto span = static_cast<unsigned>(span_bytes(d.swizzle));
    const auto pattern = static_cast<unsigned>(pattern_bytes(d.swizzle));
    const unsigned pattern_starts = 128 * static_cast<unsigned>(d.base_offset);  // behind a multiple of 1024
    if ((d.start_bytes + 1024 - pattern_starts) % pattern >= span) {
      refuse(text("a start address of ", d.start_bytes, " and base offset ", d.base_offset,
                  ": it is not within the first row of a swizzle pattern of ", pattern, " bytes"));
    }
    if (s.direction == major::k && d.start_bytes % span + static_cast<unsigned>(s.row_bytes) > span) {
      refuse(text("a start address of ", d.start_bytes, ": its ", s.row_bytes,
                  " bytes along K cross the swizzle span of ", span));
    }
  }
  const operand_chunks& found = c.all->operands.chunks(bits, s);
  const std::uint32_t base = chunk_base(bits);
  for (const std::uint32_t at : {base + found.first, base + found.last}) {
    if (!c.memory.contains(at, 16)) {
      refuse(text("a reach outside the shared memory of the CTA: it reads bytes ", base + found.first, "..",
                  base + found.last + 15, " of ", shared_window_base, "..",
                  shared_window_base + c.all->what.shape.shared_bytes - 1));
    }
  }
  return found;
}

operand_shape shape_of_a(const wgmma_instruction& i) { return {64, i.a.bits, i.a_major}; }
operand_shape shape_of_b(const wgmma_instruction& i) {
  return {i.n, i.b.bits, i.b_major, i.sparse ? 2 * operand_row_bytes : operand_row_bytes};
}

struct one_product final : async_operation {
  one_product(warpgroup& g, std::uint32_t of) : group(&g), number(of) {}
  void complete() override { complete_wgmma(*group); }
  batch belongs_to() const override { return {group, number}; }

  warpgroup* group;
  std::uint32_t number;
};

/// All threads have come: what the instruction reads is checked, and it joins the queue.
void issue(warpgroup& g, std::unique_ptr<warpgroup_step> step, int trip) {
  cta& c = *g.home;
  const wgmma_instruction& i = *step->instruction;
  step->group = g.committed + 1;
  g.trips.resize(step->group, unknown_trip);
  g.trips.back() = trip;
  async_reader reader{c, step->readers, {g.id, step->group}, "wgmma"};
  const auto read_operand = [&](std::uint64_t descriptor, const operand_shape& shape, char operand) {
    const operand_chunks& chunks = find_operand(c, g, descriptor, shape, operand);
    const std::uint32_t base = chunk_base(descriptor);
    if (c.all->checked()) {
      for (const std::uint32_t offset : chunks.offset) reader.read(base + offset);
      const bool left = operand == 'A';
      require_factor(c, left ? step->part.a : step->part.b, shape, left ? step->part.row : 0, step->part.step, base,
                     chunks, g, trip);
    }
    return &chunks;
  };
  if (!i.a_in_registers) step->a_chunks = read_operand(step->a_descriptor, shape_of_a(i), 'A');
  step->b_chunks = read_operand(step->b_descriptor, shape_of_b(i), 'B');
  if (!step->operand_reads.empty()) g.operand_reads.push_back({step->group, step->operand_reads.freeze()});
  c.all->start_async(std::make_unique<one_product>(g, step->group));
  g.issued.push_back(std::move(step));
}

/// What this thread knows and has read when it comes to the product.
void note_thread(warpgroup_step& step, cuda_thread& t) {
  const wgmma_instruction& i = *step.instruction;
  if (t.clock.reads != 0 && (i.a_in_registers || i.sparse)) {
    step.operand_reads.add(event{t.clock.reads, t.clock.now});
    ++t.clock.now;
  }
  for (observer& o : step.readers) {
    if (o.seen == t.clock.seen) {
      ++o.alike;
      return;
    }
  }
  step.readers.push_back(observe(t));
}

/// What a wait for all groups up to `target` teaches: that they are complete, and that what their registers were loaded
/// from has been read. A thread's later reads stand for the earlier ones, so the newest product speaks for all before
/// it.
knowledge completion_of(const warpgroup& g, std::uint32_t target) {
  knowledge reads;
  for (const auto& [group, known] : g.operand_reads) {
    if (group <= target) reads = known;
  }
  return g.home->all->joins.join(knowledge_of({g.id, target}), reads);
}

/// All threads have come to a wait for `target`: nobody will ask for less.
void forget_reads(warpgroup& g, std::uint32_t target) {
  while (g.operand_reads.size() > 1 && g.operand_reads[1].group <= target) g.operand_reads.pop_front();
}

void check_metadata(const warpgroup& g, const warpgroup_step& step, const std::byte* a) {
  const wgmma_instruction& i = *step.instruction;
  const auto bad = find_bad_nibble(i, step.metadata.data(), a);
  if (!bad) return;
  const int width = i.k / metadata_groups(i), first = width * bad->group;
  report(hazard_kind::bad_metadata,
         text("wgmma ", shape_of(i), " of ", name(g, g.trip_of(step.group)), ": the metadata of row ", bad->row,
              ", group ", bad->group, " (columns ", first, "..", first + width - 1, ") is ",
              std::bitset<4>(bad->nibble), "; ",
              width == 2 ? "of tf32 it must be 0100 or 1110" : "its low two bits must be less than its high two bits"));
}

}  // namespace

void fence_wgmma(cuda_thread& t) {
  warpgroup& g = t.own_warpgroup();
  warpgroup_step mine;
  take_complete(g, join_step(t, g, mine));
  ++t.registers.fences;
  t.fence_trip = t.trips.now;
}

void issue_wgmma(cuda_thread& t, const wgmma_instruction& i, const wgmma_part& part, const wgmma_operands& operands) {
  if (t.all->checked()) t.all->require_registers(t, "wgmma");
  const auto hold = [&](register_state* state, register_use use) {
    if (state != nullptr) hold_registers(t, i, *state, use, operands.accumulate);
  };
  hold(part.d_state, register_use::accumulator);
  hold(part.a_state, register_use::operand);
  hold(operands.metadata_state, register_use::metadata);
  warpgroup& g = t.own_warpgroup();
  warpgroup_step mine;
  mine.what = warpgroup_instruction::multiply;
  mine.instruction = &i;
  mine.a_descriptor = operands.a_descriptor;
  mine.b_descriptor = operands.b_descriptor;
  mine.accumulate = operands.accumulate;
  warpgroup_step& step = join_step(t, g, mine);
  const auto slot = static_cast<std::size_t>(t.index % 128);
  step.d[slot] = part.d;
  step.a[slot] = part.a;
  step.metadata[slot] = operands.metadata;
  if (slot == 0) step.part = take_part(t, t.product);
  if (t.all->checked()) note_thread(step, t);
  if (auto complete = take_complete(g, step)) issue(g, std::move(complete), t.trips.now);
}

void commit_wgmma(cuda_thread& t) {
  warpgroup& g = t.own_warpgroup();
  warpgroup_step mine;
  mine.what = warpgroup_instruction::commit;
  ++t.wgmma_groups;
  if (t.index % 128 == 0) close_factors(t, t.product);
  if (take_complete(g, join_step(t, g, mine))) {
    ++g.committed;
    note_completed_groups(g);
  }
}

void wait_for_wgmma(cuda_thread& t, int newest) {
  warpgroup& g = t.own_warpgroup();
  warpgroup_step mine;
  mine.what = warpgroup_instruction::wait;
  mine.newest = newest;
  const bool all_here = take_complete(g, join_step(t, g, mine)) != nullptr;

  if (t.wgmma_groups <= static_cast<std::uint32_t>(newest)) return;
  const std::uint32_t target = t.wgmma_groups - static_cast<std::uint32_t>(newest);
  if (all_here) forget_reads(g, target);
  if (target <= t.registers.waited_group) return;
  while (g.completed < target) {
    g.waiters.push_back(&t);
    t.all->block(t, {waiting_for::wgmma, target, 0});
  }
  t.registers.waited_group = target;
  if (!t.all->checked()) return;
  if (count_of(g.completion, g.id) != target) g.completion = completion_of(g, target);
  t.all->acquire(t, g.completion);
}

void leave_warpgroup(cuda_thread& t) {
  warpgroup& g = t.own_warpgroup();
  g.shortest_run = std::min(g.shortest_run, t.warpgroup_steps);
  const std::size_t i = t.warpgroup_steps - g.first_step;
  if (i < g.steps.size()) {
    report(hazard_kind::divergent,
           text(name(t), " exits where other threads of its warpgroup are at ", spelling(*g.steps[i])));
  }
}

void complete_wgmma(warpgroup& g) {
  const std::unique_ptr<warpgroup_step> step = std::move(g.issued.front());
  g.issued.pop_front();
  note_completed_groups(g);
  if (!g.home->all->computes) return;
  const wgmma_instruction& i = *step->instruction;
  const shared_memory& memory = g.home->memory;
  alignas(64) std::byte a[64 * operand_row_bytes];
  alignas(64) std::byte b[256 * 2 * operand_row_bytes];
  if (i.a_in_registers) {
    gather(step->a, i.a.bits, a);
  } else {
    gather(memory, chunk_base(step->a_descriptor), *step->a_chunks, shape_of_a(i), a);
  }
  gather(memory, chunk_base(step->b_descriptor), *step->b_chunks, shape_of_b(i), b);
  if (i.sparse && g.home->all->checked()) check_metadata(g, *step, a);
  multiply_rows(i, a, b, step->metadata.data(), step->d, step->accumulate);
}

}  // namespace sectile::model
