// The part of every exported protocol that does not change: barriers and memory as Promela has them.
#pragma once

namespace sectile::tell {

// Lines that begin with `define` are macros of Promela's: promela_text() puts the sign before them, which tests take
// for macros of C++ otherwise.

/// Stands behind the numbers of barriers, stages, meetings and copies that an export begins with.
inline constexpr const char* promela_machine = R"promela(
/* mbarriers. A phase is complete when nobody is pending and no byte is outstanding; a wait sees one bit of how many
   phases there were. `phases` says it all, so that a wait in the wrong phase is noticed. */
typedef mbarrier { short counts, pending; byte phases; bool shown; int bytes }
mbarrier at[CTAS * BARRIERS];
define barrier(cta, number) ((cta) * BARRIERS + (number))

inline initialise(b, arrivals) {
  assert(at[b].counts == 0); assert(arrivals > 0);
  at[b].counts = arrivals; at[b].pending = arrivals
}
inline publish(b) { at[b].shown = true }
inline usable(b, cta) { assert(at[b].shown); assert(alive[cta] > 0) }
inline settle(b) {
  if
  :: at[b].pending == 0 && at[b].bytes == 0 -> at[b].pending = at[b].counts; at[b].phases++
  :: else
  fi
}
inline arrive(b, cta) { usable(b, cta); assert(at[b].pending > 0); at[b].pending--; settle(b) }
inline expect(b, cta, n) {
  usable(b, cta); assert(at[b].pending > 0);
  at[b].bytes = at[b].bytes + (n); at[b].pending--; settle(b)
}
/* Bytes that n arrivals wait for. */
inline announce(b, cta, n, m) {
  usable(b, cta); assert(at[b].pending >= (n));
  at[b].bytes = at[b].bytes + (m); at[b].pending = at[b].pending - (n)
}
/* A wait passes when the phases' last bit is not `parity`; one on a barrier that is not there goes on, and fails. */
define passes(b, parity) (!at[b].shown || (at[b].phases & 1) != parity)
inline in_phase(b, meant) { assert(at[b].shown); assert(at[b].phases == meant) }

/* Stages: how many products and loads read one, copies on their way to it, and the bytes that have ever come. */
byte reading[CTAS * STAGES], coming[CTAS * STAGES];
int brought[CTAS * STAGES];
define stage(cta, number) ((cta) * STAGES + (number))

inline read(s, fills, bytes) { assert(fills > 0); assert(coming[s] == 0); assert(brought[s] == (fills) * (bytes)) }
inline begin_read(s, fills, bytes) { read(s, fills, bytes); reading[s]++ }
inline end_read(s) { reading[s]-- }

/* Copies of a kind: the same number of bytes, to one place, which one barrier counts. */
byte flying[COPIES];
inline issue(kind, s, b, cta) { usable(b, cta); assert(reading[s] == 0); coming[s]++; flying[kind]++ }
inline land(many, kind, s, b, cta, n) {
  assert(many == 0 || reading[s] == 0); assert(many == 0 || alive[cta] > 0);
  coming[s] = coming[s] - (many); brought[s] = brought[s] + (many) * (n);
  at[b].bytes = at[b].bytes - (many) * (n); flying[kind] = flying[kind] - (many)
}
/* A copy lands when it likes. One that completes no phase is noticed by nobody, but for those who read a stage before
   it has come, or do not stay until it has: so it is put off until all arrivals are in, and all bytes that are missing
   are on their way. Then they come at once; or, where more are on their way, in any order. */
define comes(b, all) (at[b].pending == 0 && at[b].bytes > 0 && at[b].bytes == (all))
define too_many_come(b, all) (at[b].pending == 0 && at[b].bytes < (all))

/* Named barriers, and the cluster's: who has come in this round, and who waits for its end. */
typedef meeting { int who, waits; short threads, wanted }
meeting meet[MEETINGS];
inline come(m, me, n, stays) {
  assert((meet[m].who & (1 << me)) == 0); assert(meet[m].who == 0 || meet[m].wanted == n);
  meet[m].who = meet[m].who | (1 << me); meet[m].wanted = n; meet[m].threads = meet[m].threads + 128;
  meet[m].waits = meet[m].waits | (stays << me);
  assert(meet[m].threads <= meet[m].wanted);
  if
  :: meet[m].threads == meet[m].wanted ->
     meet[m].waits = meet[m].waits & ~meet[m].who; meet[m].who = 0; meet[m].threads = 0; meet[m].wanted = 0
  :: else
  fi
}
define released(m, me) ((meet[m].waits & (1 << me)) == 0)

/* Buffers of an epilogue, a bit each of a role's own variables: TMA may read one until a wait says that it has, and the
   other warps know of that when they next meet. */
inline write_buffer(one) {
  assert(((storing | freed) & one) == 0);
  written = written | one; fenced = fenced & ~one; published = published & ~one
}
inline store_buffer(one) { assert((published & one) != 0); storing = storing | one }
inline warps_meet() { published = published | fenced; freed = 0 }
)promela";

/// Where consumers show each other columns, leave parts of sums in shared memory, or in the workspace.
inline constexpr const char* promela_places = R"promela(
/* Places that warps write and others read: columns of a consumer, parts of sums. One is open from its first write until
   the writers have met, or the bytes have come that a barrier counts; `rounds` is how often it was written whole. */
byte open[PLACES], rounds[PLACES];
int looking[LOOKS];
inline open_place(p) { open[p]++ }
inline close_place(p) { open[p]--; rounds[p]++ }
inline look(p, n) { assert(open[p] == 0); assert(rounds[p] == n) }
inline nobody_looks(l, mask) { assert((looking[l] & (mask)) == 0) }
inline begin_look(l, me) { looking[l] = looking[l] | (1 << me) }
inline end_look(l, me) { looking[l] = looking[l] & ~(1 << me) }
inline issue_columns(kind, p, b, cta) { usable(b, cta); open_place(p); flying[kind]++ }
inline land_columns(many, kind, p, b, cta, n) {
  assert(many == 0 || alive[cta] > 0);
  open[p] = open[p] - (many); rounds[p] = rounds[p] + (many);
  at[b].bytes = at[b].bytes - (many) * (n); flying[kind] = flying[kind] - (many)
}
)promela";

}  // namespace sectile::tell
