// Proof 8, feeding, of products: the instructions that a consumer issues for a product cover it, each K step of each
// block of 64 rows once, and each multiplies an A and a B of the same K step.
//
// Reachability shows that every descriptor of a plan means the bytes that TMA wrote. Here the lowered consumer is run,
// and the start addresses that it really hands to wgmma are looked up in what TMA wrote.
#pragma once
#include <sectile/dsl/proofs/copies.hpp>
#include <sectile/dsl/proofs/reachability.hpp>

namespace sectile::protocol {

/// Bytes from the start of operand `op` in a stage.
constexpr int offset_in_stage(const plan& p, const operand_plan& op, int address) {
  const ring_plan& r = p.ring[op.ring];
  return (address - r.offset) % r.stage_bytes - op.stage_offset;
}
/// The K step whose first element, in row `mn` of the tile, TMA wrote to this byte of a stage; -1: none.
constexpr int step_written_at(const operand_plan& op, const operand_tile& t, int mn, int k_extent, int steps,
                              int offset) {
  const written_by_boxes boxes(op);
  for (int k = 0; k < steps; ++k) {
    const int x = t.major == major::k ? k * k_extent : mn, y = t.major == major::k ? mn : k * k_extent;
    if (static_cast<int>(boxes.at(x, y)) == offset) return k;
  }
  return -1;
}

/// The K step of a placed factor that begins at this byte of it; -1: none.
constexpr int step_placed_at(const product_plan& q, int offset) {
  for (int k = 0; k < q.k_steps; ++k)
    if (placed_byte(q.b, 0, k * q.instruction.k) == offset) return k;
  return -1;
}

/// Whether a descriptor has the strides and the swizzle of the tile that it stands for.
constexpr violation check_fields(const char* name, const operand_tile& t, std::uint64_t fields) {
  const matrix_descriptor given = decode(fields), right = descriptor_at(t, 0, 0);
  if ((encode(right) & ~std::uint64_t{0x3FFF}) == fields) return {};
  return refuse(rule::wgmma_does_not_read_what_tma_wrote, "operand ", name, ": a wgmma is given a descriptor with LBO ",
                static_cast<int>(given.leading_bytes), ", SBO ", static_cast<int>(given.stride_bytes),
                " and a swizzle of ", span_bytes(given.swizzle), " bytes; the tile has ",
                static_cast<int>(right.leading_bytes), ", ", static_cast<int>(right.stride_bytes), " and ",
                span_bytes(right.swizzle));
}

/// What one instruction of product number `n` is given, of a group that begins at K step `first`. `seen` counts the
/// instructions by block and K step.
template <int N>
constexpr violation check_feed(const plan& p, int n, const instruction_feed& f, int consumer, int first,
                               int (&seen)[max_blocks][N]) {
  const product_plan& q = p.products.at[n];
  const char* const b = name_of_right(p, q);
  if (const violation v = check_fields(b, q.b, f.b_fields); !v.holds()) return v;
  if (q.reads_a())
    if (const violation v = check_fields(p.operand[q.a_operand].facts.name, q.a, f.a_fields); !v.holds()) return v;
  const int place = consumer / p.how.sharers();  // of a left factor: that of the consumers' tile
  const int offset =
      q.placed ? f.b - p.placed.offset - place * p.placed.pitch : offset_in_stage(p, p.operand[q.b_operand], f.b);
  const int k = q.placed ? step_placed_at(q, offset)
                         : step_written_at(p.operand[q.b_operand], q.b, 0, q.instruction.k, q.k_steps, offset);
  if (k < 0)
    return refuse(rule::wgmma_does_not_read_what_tma_wrote, "operand ", b, ": a wgmma reads it from byte ", offset,
                  q.placed ? " of its place" : " of a stage", ", where no K step begins");
  int k_of_a = first + f.first / 4, block = f.block;
  if (q.reads_a()) {
    const operand_plan& a = p.operand[q.a_operand];
    k_of_a = -1;
    for (block = 0; block < q.m_blocks && k_of_a < 0; ++block)
      k_of_a = step_written_at(a, q.a, q.first_row(consumer % p.how.sharers()) + block * 64, stored_k(q.instruction),
                               q.k_steps, offset_in_stage(p, a, f.a));
    --block;
    if (k_of_a < 0)
      return refuse(rule::wgmma_does_not_read_what_tma_wrote, "operand ", a.facts.name, ": a wgmma of consumer ",
                    consumer, " reads it from byte ", offset_in_stage(p, a, f.a),
                    " of a stage, where none of its K steps begins");
  }
  if (k_of_a != k || f.first % 4 != 0)
    return refuse(rule::fragments_do_not_line_up, "a wgmma multiplies K step ", k_of_a,
                  " of its left factor by K step ", k, " of operand ", b);
  if (block != f.block || block >= q.m_blocks)
    return refuse(rule::fragments_do_not_line_up, "rows of block ", block, " are multiplied into block ", f.block,
                  " of the accumulator");
  if (!f.accumulate && k > 0)
    return refuse(rule::fragments_do_not_line_up, "K step ", k, " of a product with operand ", b,
                  " overwrites the sum of those before");
  if (k == 0 && seen[block][k] == 0 && f.accumulate == p.products.begins[n])
    return refuse(rule::fragments_do_not_line_up, "a product with operand ", b,
                  f.accumulate ? " is added to registers that nothing has been written to"
                               : " overwrites what its fragment holds",
                  "; the body ", f.accumulate ? "begins a sum with it" : "adds to that");
  ++seen[block][k];
  return {};
}

/// Instructions that a consumer issues when every product is issued once.
constexpr int instructions_of(const plan& p) {
  return sum_of(p.products.count, [&](int i) { return p.products.at[i].m_blocks * p.products.at[i].k_steps; });
}
constexpr int most_steps(const plan& p) {
  return most_of(p.products.count, 1, [&](int i) { return p.products.at[i].k_steps; });
}

/// All products of one consumer, and what it stores, in a run where each loop turns once. What CTAs multiply differs in
/// nothing but the contents of stages: only the first one's products are looked at.
template <class K>
constexpr violation check_feeding(int rank, int consumer, const plan& all = plan_of<K>) {
  constexpr const plan& p = plan_of<K>;
  constexpr int items = p.how.persistent ? 2 * p.how.tiles_at_once() : 1;
  instruction_feed room[instructions_of(p) + 1]{};
  feed_list fed{room, instructions_of(p) + 1};
  constexpr int most_stored = items * panels_stored(p) + 1;
  box_copy box[most_stored]{};
  copy_list copied{box, most_stored};
  action_log<log_capacity_of<K>> log{};
  record<K>(log, turning(p.loops, 1), items, rank, 1 + consumer, rank == 0 ? &fed : nullptr, &copied);
  if (const violation v = check_stores<K>(copied, items, rank, consumer, all); !v.holds() || rank > 0) return v;
  constexpr int groups = groups_of_product(p);
  int next = 0;
  for (int n = 0; n < all.products.count; ++n) {
    const product_plan& q = all.products.at[n];
    int seen[max_blocks][most_steps(p)]{};
    for (; next < fed.count && next < fed.room && room[next].group / groups == n; ++next) {
      const int first = room[next].group % groups * (q.k_steps / groups);
      if (const violation v = check_feed(all, n, room[next], consumer, first, seen); !v.holds()) return v;
    }
    for (int m = 0; m < q.m_blocks; ++m)
      for (int k = 0; k < q.k_steps; ++k)
        if (seen[m][k] != 1)
          return refuse(rule::fragments_do_not_line_up, "K step ", k, " of block ", m, " of a product with operand ",
                        name_of_right(all, q), " is multiplied ", seen[m][k], " times");
  }
  return {};
}

/// Where a consumer says that an element is (a mask asks it) is where its product takes the element's row from.
/// `thread` is counted in the CTA.
template <int Blocks, class Role>
constexpr violation check_positions(const Role& role, int thread) {
  constexpr int rows = Blocks * 64 * Role::base::sharers;
  for (int block = 0; block < Blocks; ++block)
    for (const int i : {0, 7}) {
      const coord said = role.template coord_of<rows>(block, i), in_block = d_coord(thread % warpgroup, i);
      const int row = ((thread / warpgroup - 1) % Role::base::sharers * Blocks + block) * 64 + in_block.row;
      if (said != coord{row, in_block.col})
        return refuse(rule::fragments_do_not_line_up, "a mask is told that register ", i, " of block ", block,
                      " of thread ", thread, " holds row ", said.row, ", column ", said.col, "; it is row ", row,
                      ", column ", in_block.col);
    }
  return {};
}
template <class K, template <class, class> class Role, int... Product>
constexpr violation check_positions(std::integer_sequence<int, Product...>) {
  using machine = typename machine_under_test<K, recorder<log_capacity_of<K>>>::type;
  violation v{};
  for (int consumer = 1; consumer <= head_of<K>.how.consumers && v.holds(); ++consumer) {
    machine hw{};
    hw.thread_index = consumer * warpgroup + 77;
    const Role<K, machine> role(hw, recorded_parameters<K, machine>, place_in_cluster{});
    ((v.holds() ? void(v = check_positions<plan_of<K>.products.at[Product].blocks()>(role, hw.thread_index)) : void()),
     ...);
    if constexpr (sizeof...(Product) == 0)  // what is loaded lies as the sums of a product would
      v = check_positions<operand_facts_of<K, work_operand<K>>().rows() / 64 / head_of<K>.how.sharers()>(
          role, hw.thread_index);
  }
  return v;
}
template <class K, template <class, class> class Role = consumer>
constexpr violation check_positions() {
  return check_positions<K, Role>(std::make_integer_sequence<int, plan_of<K>.products.count>{});
}

/// All consumers of a CTA; of the first one also where they say that elements are.
template <class K>
constexpr violation check_feeding(int rank, const plan& all) {
  violation v = rank == 0 ? check_positions<K>() : violation{};
  for (int consumer = 0; consumer < head_of<K>.how.consumers && v.holds(); ++consumer)
    v = check_feeding<K>(rank, consumer, all);
  return v;
}
template <class K>
constexpr violation check_feeding() {
  const plan& all = plan_of<K>;
  violation v{};
  for (int rank = 0; rank < head_of<K>.how.ctas() && v.holds(); ++rank) v = check_feeding<K>(rank, all);
  return v;
}
/// One CTA's: a cluster's together are more work than nvcc allows a constant.
template <class K, int Rank>
inline constexpr violation feeding_verdict = check_feeding<K>(Rank, plan_of<K>);

}  // namespace sectile::protocol
