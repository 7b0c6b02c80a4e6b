#include <sectile/dsl/model/workspace.hpp>

#include <cstring>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/tickets.hpp>

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
  if (reinterpret_cast<std::uintptr_t>(sums + at) % piece_bytes != 0)
    report(hazard_kind::misaligned,
           text(verb, " of ", name(t), ": byte ", offset,
                " of the sums in the workspace does not begin at a multiple of ", piece_bytes));
  return at / piece_bytes;
}

std::string name_place(std::size_t number) {
  return text("byte ", number * piece_bytes, " of the sums in the workspace");
}

/// Throws unless t may read what another cluster has left there.
void require_handed_over(const cuda_thread& t, const workspace_state::piece& p, std::size_t number) {
  const auto refuse = [&](const std::string& why) {
    report(hazard_kind::read_before_full, text("load_workspace of ", name(t), " reads ", name_place(number), why));
  };
  const std::string who = text(", where cluster ", p.writer, " has left a part");
  if (p.writer < 0) refuse(", where no cluster has left its part yet");
  if (p.counter < 0) refuse(text(who, ", but taken no ticket that comes behind it"));
  const workspace_view& own = t.all->workspace;
  const auto knows_of = [&](const std::unordered_map<int, deed>& tickets) {
    const auto found = tickets.find(p.counter);
    return found != tickets.end() && comes_before(t, found->second);
  };
  bool told = false;
  for (const auto& [made, counter] : own.telling)
    told = told || (made[0] == share_of(t).tile && made[1] == t.block->rank && counter == p.counter);
  if (!(told && knows_of(own.taken)) && !knows_of(own.awaited))
    refuse(text(who, ", without knowing of a ticket of its own CTA, or of a wait, that says it is there"));
}

/// Throws unless the workspace has this counter, for as many parts as `tickets`.
void require_counter(const cuda_thread& t, const ticket_counters& of, int counter, int tickets, const char* verb) {
  require_counters(t, of, verb);
  const workspace_state* const state = t.all->what.workspace;
  if (state == nullptr || counter < 0 || static_cast<std::size_t>(counter) >= state->range.counters)
    report(hazard_kind::out_of_range,
           text(verb, " of ", name(t), ": the workspace has no ticket counter number ", counter));
  if (const tile_share own = share_of(t); tickets != own.tickets())
    report(hazard_kind::barrier_misuse,
           text(verb, " of ", name(t), ": it counts up to ", tickets, " tickets of ",
                own.meeting > 0 ? "a meeting" : "a tile", " that has ", own.tickets(), " parts"));
}

}  // namespace

int clusters_of_a_part(const grid& shape) { return shape.linked ? 1 : shape.clusters / shape.parts; }

tile_share share_of(const cuda_thread& t) {
  if (t.share_observed.tile >= 0) return t.share_observed;
  const int of_a_part = clusters_of_a_part(t.all->what.shape);
  return {t.all->index % of_a_part, t.all->index / of_a_part, t.all->what.shape.parts, t.share_observed.group,
          t.share_observed.meeting};
}

workspace_state::workspace_state(const grid& shape, const workspace_range& where)
    : range(where), pieces(where.bytes / piece_bytes), sums(shape.linked ? where.tiles : static_cast<std::size_t>(clusters_of_a_part(shape))) {}

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
    c.workspace.written[piece] = {c.write_mark(t), &t};
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
    else if (!comes_before(t, own->second))
      report(hazard_kind::read_before_full,
             text("load_workspace of ", name(t), " reads ", name_place(piece), ", which ",
                  name_at(*own->second.by, own->second.at), " has written, without having waited for it"));
  }
  std::memcpy(words, state.range.sums + offset, piece_bytes);
}

int take_ticket(cuda_thread& t, const ticket_counters& of, int counter, int tickets) {
  require_counter(t, of, counter, tickets, "take_ticket");
  cluster& c = *t.all;
  workspace_state& state = *c.what.workspace;
  const std::lock_guard lock(state.mutex);
  if (c.checked()) {
    if (c.workspace.taken.contains(counter))
      report(hazard_kind::arrival_overflow,
             text("take_ticket of ", name(t), ": its CTA has taken a ticket from counter ", counter,
                  " before, and makes one part"));
    for (const auto& [piece, write] : c.workspace.written)
      if (c.computes && state.pieces[piece].counter < 0 && comes_before(t, write))
        state.pieces[piece].counter = counter;
    const tile_share share = share_of(t);
    const workspace_view::made made{share.tile, t.block->rank, share.group};
    const std::array<int, 4> own{made[0], made[1], made[2], c.workspace.meetings[made]++};
    if (state.counted.try_emplace(counter, own).first->second != own)
      report(hazard_kind::arrival_overflow, text("take_ticket of ", name(t), ": counter ", counter,
                                                 " counts the parts of another tile, or of other sums of this one"));
    c.workspace.taken[counter] = {c.write_mark(t), &t};
    if (share.group >= 0) c.workspace.telling.try_emplace(made, counter);
  }
  int& answer = state.tickets[{c.index, counter}];
  if (!c.computes) return answer;  // as in the run that has left its part
  return answer = take_ticket_of(ticket_word{of.first + counter}, of.token, tickets);
}

void await_tickets(cuda_thread& t, const ticket_counters& of, int counter, int tickets) {
  require_counter(t, of, counter, tickets + 1, "await_tickets");
  cluster& c = *t.all;
  const std::lock_guard lock(c.what.workspace->mutex);
  const std::uint64_t word = ticket_word{of.first + counter}.load(), taken = word - of.token;
  if (c.computes && taken != static_cast<std::uint64_t>(tickets))
    report(hazard_kind::deadlock,
           text("await_tickets of ", name(t), " waits forever for ", tickets, " tickets of counter ", counter,
                ", of which ", taken > static_cast<std::uint64_t>(tickets) ? 0 : taken, " were taken"));
  if (!c.checked()) return;
  c.workspace.awaited[counter] = {c.write_mark(t), &t};
}

observed_sums& sums_observed_by(const cuda_thread& t) {
  cluster& c = *t.all;
  if (c.what.workspace == nullptr) return c.sums;
  return c.what.workspace->sums[static_cast<std::size_t>(share_of(t).tile)];
}

}  // namespace sectile::model
