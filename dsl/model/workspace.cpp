#include <sectile/dsl/model/workspace.hpp>

#include <cstring>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>

namespace sectile::model {
namespace {

constexpr std::size_t piece_bytes = 16;

/// The piece of the workspace, which the launch has to have.
std::size_t require_piece(const cuda_thread& t, const std::byte* sums, long long offset, const char* verb) {
  const workspace_state* const state = t.all->what.workspace;
  const auto at = static_cast<std::size_t>(offset);
  if (state == nullptr || sums != state->range.sums || offset < 0 || at + piece_bytes > state->range.bytes)
    report(hazard_kind::out_of_range,
           text(verb, " of ", name(t), ": byte ", offset, " lies outside of the sums in the workspace, which are ",
                state == nullptr ? 0 : state->range.bytes, " bytes"));
  if (at % piece_bytes != 0)
    report(hazard_kind::misaligned, text(verb, " of ", name(t), ": byte ", offset,
                                         " of the sums in the workspace is no ", "multiple of ", piece_bytes));
  return at / piece_bytes;
}

std::string name_place(std::size_t piece) {
  return text("byte ", piece * piece_bytes, " of the sums in the workspace");
}

/// Whether what thread `by` did at `at` comes before what t does now.
bool comes_before(const cuda_thread& t, const cuda_thread* by, event at) { return by == &t || knows(t.clock.seen, at); }

/// Throws unless t may read what another cluster has left there.
void require_handed_over(const cuda_thread& t, const workspace_state::piece& p, std::size_t piece) {
  const auto refuse = [&](const std::string& why) {
    report(hazard_kind::read_before_full, text("load_workspace of ", name(t), " reads ", name_place(piece), why));
  };
  const std::string who = text(", where cluster ", p.writer, " has left a part");
  if (p.writer < 0) refuse(", where no cluster has left its part yet");
  if (p.counter < 0) refuse(text(who, ", but taken no ticket that comes behind it"));
  const auto own = t.all->workspace.taken.find(t.block->rank);
  if (own == t.all->workspace.taken.end() || !comes_before(t, own->second.by, own->second.at))
    refuse(text(who, ", without knowing of a ticket that its own CTA took"));
  if (own->second.counter != p.counter)
    refuse(text(who, " and taken a ticket of tile ", p.counter, "; that of its own CTA is one of tile ",
                own->second.counter));
}

}  // namespace

int clusters_of_a_part(const grid& shape) { return shape.clusters / shape.parts; }

workspace_state::workspace_state(const grid& shape, const workspace_range& where)
    : range(where),
      pieces(where.bytes / piece_bytes),
      tickets(static_cast<std::size_t>(shape.clusters) * static_cast<std::size_t>(shape.cluster_size), -1),
      sums(static_cast<std::size_t>(clusters_of_a_part(shape))) {}

void store_workspace(cuda_thread& t, std::byte* sums, long long offset, const std::uint32_t (&words)[4]) {
  const std::size_t piece = require_piece(t, sums, offset, "store_workspace");
  cluster& c = *t.all;
  workspace_state& state = *c.what.workspace;
  const std::lock_guard lock(state.mutex);
  workspace_state::piece& p = state.pieces[piece];
  if (c.checked()) {
    const auto before = c.workspace.written.find(piece);
    if (before != c.workspace.written.end() || (p.writer >= 0 && p.writer != c.index))
      report(hazard_kind::written_twice,
             text("store_workspace of ", name(t), " writes ", name_place(piece), ", where ",
                  before != c.workspace.written.end() ? name_at(*before->second.by, before->second.at)
                                                      : text("cluster ", p.writer),
                  " has left another part"));
    c.number_writes(t);
    c.workspace.written[piece] = {t.clock.mark(t.clock.writes), &t};
  }
  if (!c.computes) return;
  p.writer = c.index;
  std::memcpy(state.range.sums + offset, words, piece_bytes);
}

void load_workspace(cuda_thread& t, std::uint32_t (&words)[4], const std::byte* sums, long long offset) {
  const std::size_t piece = require_piece(t, sums, offset, "load_workspace");
  cluster& c = *t.all;
  workspace_state& state = *c.what.workspace;
  const std::lock_guard lock(state.mutex);
  if (c.checked()) {
    const auto own = c.workspace.written.find(piece);
    if (own == c.workspace.written.end())
      require_handed_over(t, state.pieces[piece], piece);
    else if (!comes_before(t, own->second.by, own->second.at))
      report(hazard_kind::read_before_full,
             text("load_workspace of ", name(t), " reads ", name_place(piece), ", which ",
                  name_at(*own->second.by, own->second.at), " has written, without having waited for it"));
  }
  std::memcpy(words, state.range.sums + offset, piece_bytes);
}

int take_ticket(cuda_thread& t, std::uint32_t* counters, int tile, int tickets) {
  cluster& c = *t.all;
  workspace_state* const state = c.what.workspace;
  const auto refuse = [&](hazard_kind kind, const std::string& why) {
    report(kind, text("take_ticket of ", name(t), ": ", why));
  };
  if (state == nullptr || counters != state->range.tickets || tile < 0 ||
      static_cast<std::size_t>(tile) >= state->range.tiles)
    refuse(hazard_kind::out_of_range, text("the workspace has no tickets of tile ", tile));
  if (tickets != c.what.shape.parts)
    refuse(hazard_kind::barrier_misuse,
           text("it counts up to ", tickets, " tickets of a tile that has ", c.what.shape.parts, " parts"));
  const std::lock_guard lock(state->mutex);
  const auto number = static_cast<std::size_t>(c.index) * c.ctas.size() + static_cast<std::size_t>(t.block->rank);
  if (c.checked()) {
    if (c.workspace.taken.contains(t.block->rank))
      refuse(hazard_kind::arrival_overflow, "its CTA has taken a ticket of a tile before, and makes one part");
    for (const auto& [piece, write] : c.workspace.written)
      if (c.computes && comes_before(t, write.by, write.at)) state->pieces[piece].counter = tile;
    c.number_writes(t);
    c.workspace.taken[t.block->rank] = {t.clock.mark(t.clock.writes), &t, tile};
  }
  if (!c.computes) return state->tickets[number];  // as in the run that has left its part
  std::uint32_t& counter = counters[tile];
  const auto before = static_cast<int>(counter);
  counter = before >= tickets - 1 ? 0 : counter + 1;
  return state->tickets[number] = before;
}

told_sums& sums_told_to(const cuda_thread& t) {
  cluster& c = *t.all;
  if (c.what.workspace == nullptr) return c.sums;
  return c.what.workspace->sums[static_cast<std::size_t>(c.index % clusters_of_a_part(c.what.shape))];
}

}  // namespace sectile::model
