// What the agents of the protocol's proof do, one action after the other, as the recorder writes it down.
#pragma once
#include <cstdint>

#include <sectile/dsl/plan/plan.hpp>

namespace sectile::protocol {

enum class act : std::uint8_t {
  initialise,     // barrier, bytes = arrivals that it counts
  publish,        // fence: initialised barriers become visible to the cluster and to TMA
  gather,         // all agents of the cluster meet
  begin,          // work item number `bytes`
  wait,           // barrier, parity
  arrive,         // barrier, cta
  expect,         // barrier, bytes: announces them and arrives
  load,           // barrier, bytes, slot, mask of CTAs: TMA writes part of a stage
  copy,           // barrier = -1, bytes, slot: the producer's threads begin to write part of a stage
  arrive_copied,  // barrier: `bytes` threads arrive, each when what it has begun to copy is there
  fence,          // registers that ordinary instructions have touched may go to products
  touch,          // ordinary instructions access a fragment's registers
  multiply,       // the closed group of wgmmas: slots and fragments that it uses; `bytes` - 1 is the place of a left
                  // factor that it reads
  read,           // slot that ordinary loads bring into registers
  retire,         // at most `bytes` groups are still running
  meet,           // named barrier: waits for `bytes` threads
  announce,       // named barrier: arrives without waiting
  show,         // a part of columns, to the warps of a CTA; kind = number of the buffer; if the CTA's `barrier` counts
                // its bytes, these; else -1
  look,         // at all of them
  meet_lanes,   // of each warp
  place,        // a part of a left factor, in place `kind`
  write_panel,  // slot = number of an epilogue buffer
  proxy_fence,
  store_panel,  // TMA reads an epilogue buffer
  close_store,
  reclaim,        // at most `bytes` store groups still read shared memory
  write_sums,     // barrier = number of the place where a consumer leaves its part of some sums
  read_sums,      // the same of another CTA
  leave_part,     // in the workspace, of meeting `bytes`; barrier = the consumer to whom the place belongs
  take_ticket,    // of the tile and meeting `bytes`
  await_tickets,  // until the other parts have taken theirs of meeting `bytes`; kind = 1: of whom the first was the
                  // last
  read_part,      // as leave_part, of any CTA
  draw,           // the number of a work item from the counter, which gives `bytes` of them
  hand_out,       // `bytes`, that number, to slot `kind` of a CTA, whose `barrier` counts the word
  take_item,      // reads slot `kind` of the own CTA, for item `bytes`
  resize,         // setmaxnreg to `bytes` registers
};

constexpr int max_slots = 64;  // ring * 16 + stage
constexpr int slot_of(int ring, int stage) { return ring * max_stages + stage; }

struct action {
  act what = act::wait;
  std::int8_t cta = 0;
  std::int16_t barrier = 0;  // number of an mbarrier (8-byte units behind the first) or of a named barrier
  std::int32_t bytes = 0;    // or parity, or a count; of a touch: blocks that are not taken over from products
  std::uint32_t mask = 0;    // CTAs of a load
  std::int32_t fragment = 0;  // that is touched, or accumulates
  std::int32_t source = -1;   // fragment that a product takes as A
  std::int32_t kind = 0;      // of a product, see kind_of; of an arrival or a wait, 1: with what was written before
  std::uint64_t slots = 0;

  friend constexpr bool operator==(const action&, const action&) = default;
  /// Whether it goes on with what x begins, and the two are one, of the bytes of both.
  constexpr bool goes_on_with(const action& x) const {
    return what == x.what && cta == x.cta && barrier == x.barrier && mask == x.mask && kind == x.kind &&
           slots == x.slots;
  }
};

template <int Capacity>
struct action_log {
  int count = 0;
  bool overflow = false;
  bool lost = false;  // came to a loop where the planner has seen none
  bool miscounted = false;  // a load is the first or the last of its stage, or neither, and the plan says otherwise
  bool early = false;  // touched a tensor before the kernels before this one have ended
  int stray = -1;  // an address that is no barrier, stage or epilogue buffer
  action at[Capacity]{};
  constexpr void add(const action& a) {
    if (count == Capacity)
      overflow = true;
    else
      at[count++] = a;
  }
  constexpr action* last() { return count > 0 ? &at[count - 1] : nullptr; }
  /// The same of what may go on with the last one.
  constexpr void extend(const action& a) {
    if (last() && a.goes_on_with(*last()))
      last()->bytes += a.bytes;
    else
      add(a);
  }
};

}  // namespace sectile::protocol
