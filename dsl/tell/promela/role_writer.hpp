// A role of a protocol as a proctype of Promela.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <sectile/dsl/tell/promela/asked.hpp>
#include <sectile/dsl/tell/promela/numbering.hpp>
#include <sectile/dsl/tell/promela/role_steps.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sectile::tell::promela {

using protocol::act, protocol::action;

/// Writes one role, step by step (role_steps.hpp). A wait stands first in its step, which is taken when it passes. Copies
/// go with the announcement or the copies before them: they may come as late as they like, so nothing is lost by issuing
/// them at once.
class role_writer : role_steps {
 public:
  role_writer(const protocol_walk& all, int number, shared_things& things)
      : walk(all), me(number), role(all.roles[number]), shared(things), asked(asked_phases(all, role)) {
    count_buffers();
  }

  std::string text() {
    out = say("active proctype ", identifier(role_name(walk, role) + of_cta(walk, role.cta)), "() {\n");
    if (!buffers.known.empty()) out += "  int written, fenced, published, storing, freed;\n";
    std::size_t trip = 0;
    for (at = 0; at < static_cast<int>(role.actions.size()); ++at) {
      for (; trip < role.trips.size() && role.trips[trip].at <= at; ++trip) note_trip(role.trips[trip].trip);
      write(role.actions[at]);
    }
    leave();
    put_last();
    return out + "}\n";
  }

 private:
  const protocol_walk& walk;
  const int me;
  const walked_role& role;
  shared_things& shared;
  std::vector<int> asked;
  int items = 0;  // that the role has begun with
  int at = 0;
  std::map<int, int> waited{};               // by stage: the phase that the role has waited for
  std::vector<std::vector<int>> products{};  // stages that those in flight read, oldest first
  std::vector<std::pair<int, int>> copied{};  // by threads that have told no barrier yet: stages, and bytes
  std::vector<int> loading{};                // stages that ordinary loads may read until the warps meet
  numbering<int> buffers{};                  // of an epilogue, that the role uses
  std::vector<unsigned> storing{0};          // groups of stores, oldest first; the last is open
  std::vector<int> open{};                   // places that its warps write until they meet
  std::vector<int> sums{};                   // places that it has begun to read
  std::map<int, int> shown{};                // by buffer: how often the role has shown its CTA columns
  static constexpr int factors = 2;          // in place of a buffer of columns: left factors
  std::size_t reading_factor = 0;            // groups of products up to the last that reads one; 0: none is running
  std::vector<int> looks{};                  // that its warps make until they meet
  bool lanes_met = false;                    // since the last of them

  // ---- names
  std::string barrier(int cta, int number) const { return barrier_text(walk, cta, number); }
  std::string stage(int cta, int n) const { return say("stage(", cta, ", ", identifier(walk.stages[n].name), ")"); }
  std::string at_cta(int cta) const { return cta == role.cta ? "" : say(" of CTA ", cta); }

  void write(const action& x) {
    switch (x.what) {
      case act::initialise:
        then(say("initialise(", barrier(role.cta, x.barrier), ", ", x.bytes, ")"),
             say(walk.barriers[x.barrier].name, " counts ", count(x.bytes, "arrival")));
        break;
      case act::publish:
        publish();
        break;
      case act::gather:
        meet({0, whole_cluster}, 128 * static_cast<int>(walk.roles.size()), true);
        break;
      case act::begin:
        notes += say("  /* work item ", x.bytes, " */\n");
        ++items;
        break;
      case act::wait:
        wait(x);
        break;
      case act::arrive:
        visible(say("arrive(", barrier(x.cta, x.barrier), ", ", x.cta, ")"),
                say("arrives at ", walk.barriers[x.barrier].name, at_cta(x.cta)));
        break;
      case act::expect:
        if (step_is_open) end_step();
        then(say("expect(", barrier(role.cta, x.barrier), ", ", role.cta, ", ", x.bytes, ")"),
             say("announces ", x.bytes, " bytes at ", walk.barriers[x.barrier].name));
        end_step_unless_copies_follow();
        break;
      case act::load:
        for (int cta = 0; cta < walk.ctas; ++cta)
          if (x.mask >> cta & 1) issue(x.barrier, x.bytes, cta, stage_of_slot(walk, std::countr_zero(x.slots)));
        end_step_unless_copies_follow();
        break;
      case act::copy:
        copied.push_back({stage_of_slot(walk, std::countr_zero(x.slots)), x.bytes});
        break;
      case act::arrive_copied:
        arrive_copied(x);
        break;
      case act::hand_out:
        issue(x.barrier, walk.stages[slot(x)].bytes, x.cta, slot(x));
        end_step_unless_copies_follow();
        break;
      case act::multiply:
        multiply(x);
        break;
      case act::read:
        load_from(stage_of_slot(walk, std::countr_zero(x.slots)), "brings into registers: ");
        break;
      case act::take_item:
        load_from(slot(x), say("reads that its next work item is ", x.bytes, ": "));
        break;
      case act::retire:
        retire(x.bytes);
        break;
      case act::meet:
        meet({role.cta, x.barrier}, x.bytes, true);
        break;
      case act::announce:
        meet({role.cta, x.barrier}, x.bytes, false);
        break;
      case act::show:
        show(x);
        break;
      case act::look:
        look(x);
        break;
      case act::place:
        place_factor();
        break;
      case act::meet_lanes:
        lanes_met = true;
        break;
      case act::write_panel:
        buffer("write_buffer", x, "writes");
        break;
      case act::proxy_fence:
        if (!buffers.known.empty()) then("fenced = fenced | written", "fence.proxy.async");
        break;
      case act::store_panel:
        storing.back() |= buffer("store_buffer", x, "has TMA store");
        break;
      case act::close_store:
        storing.push_back(0);
        break;
      case act::reclaim:
        reclaim(x.bytes);
        break;
      case act::write_sums:
        write_sums(x);
        break;
      case act::read_sums:
        read_sums(x);
        break;
      case act::leave_part:
        leave_part(x);
        break;
      case act::take_ticket:
        take_ticket(x);
        break;
      case act::await_tickets:
        await_tickets(x);
        break;
      case act::read_part:
        read_part(x);
        break;
      case act::draw:
        notes += "  /* draws the number of a work item */\n";
        break;
      case act::fence:
      case act::touch:
      case act::resize:
        break;  // registers, which are no part of this
    }
  }
  int slot(const action& x) const { return stage_of_slot(walk, protocol::slot_of(walk.rings, x.kind)); }

  // ---- mbarriers and copies
  void publish() {
    for (int n = 0; n < at; ++n)
      if (role.actions[n].what == act::initialise)
        then(say("publish(", barrier(role.cta, role.actions[n].barrier), ")"));
    visible("skip", "fence.mbarrier_init shows them to the cluster and to TMA");
  }
  void wait(const action& x) {
    const walked_barrier& b = walk.barriers[x.barrier];
    const int meant = asked[at];
    if (step_is_open) end_step();
    for (std::size_t n = 0; n < walk.stages.size(); ++n)
      if (walk.stages[n].full == x.barrier) waited[static_cast<int>(n)] = meant;
    guards.push_back(say("passes(", barrier(role.cta, x.barrier), ", ", x.bytes, ")"));
    visible(say("in_phase(", barrier(role.cta, x.barrier), ", ", meant, ")"), say("waits until ", b.passed));
  }
  void issue(int counted_by, int bytes, int cta, int to) {
    const walked_stage& s = walk.stages[to];
    const int kind = shared.copies.of({cta, counted_by, bytes, to});
    std::string code = say("issue(", kind, ", ", stage(cta, to), ", ", barrier(cta, counted_by), ", ", cta, ")");
    if (s.ring == walk.sums_ring)
      for (const int place : sums_places(cta)) code += say("; look(", number({place_kind::sums, cta, place}), ", 0)");
    then(std::move(code), say("copies ", bytes, " bytes to ", s.name, at_cta(cta)));
  }
  /// Copies of threads, whose arrivals come with them: bytes that are announced take their place.
  void arrive_copied(const action& x) {
    int bytes = 0;
    for (const auto& [stage, more] : copied) bytes += more;
    if (step_is_open) end_step();
    then(say("announce(", barrier(role.cta, x.barrier), ", ", role.cta, ", ", x.bytes, ", ", bytes, ")"),
         say(count(x.bytes, "thread"), " will arrive at ", walk.barriers[x.barrier].name));
    for (const auto& [stage, more] : copied) issue(x.barrier, more, role.cta, stage);
    copied.clear();
    end_step_unless_copies_follow();
  }
  void end_step_unless_copies_follow() {
    const act next = at + 1 < static_cast<int>(role.actions.size()) ? role.actions[at + 1].what : act::gather;
    step_is_open = next == act::load || next == act::hand_out;
    if (!step_is_open) end_step();
  }
  /// Where a CTA leaves parts of sums.
  std::vector<int> sums_places(int cta) const {
    numbering<int> places;
    for (const walked_role& r : walk.roles)
      for (const action& x : r.actions)
        if (r.cta == cta && x.what == act::write_sums) places.of(x.barrier);
    return places.known;
  }

  // ---- readers of stages
  void multiply(const action& x) {
    std::vector<int> stages;
    std::string names, code;
    for (std::uint64_t rest = x.slots; rest; rest &= rest - 1) {
      const int n = stage_of_slot(walk, std::countr_zero(rest));
      stages.push_back(n);
      code += (code.empty() ? "" : "; ") + reading("begin_read", n);
      names += (names.empty() ? "" : ", ") + walk.stages[n].name;
    }
    products.push_back(stages);
    if (x.bytes > 0) {
      code += (code.empty() ? "" : "; ") + look_at(factors);
      names += (names.empty() ? "" : ", ") + std::string("a left factor");
      reading_factor = products.size();
      return visible(code, "multiplies " + names);  // no earlier than all have written it
    }
    reads(code.empty() ? "skip" : code, names.empty() ? "multiplies" : "multiplies " + names);
  }
  std::string reading(const char* what, int n) {
    return say(what, "(", stage(role.cta, n), ", ", waited[n], ", ", walk.stages[n].bytes, ")");
  }
  void load_from(int n, const std::string& says) {
    const bool again = std::ranges::count(loading, n) > 0;
    const bool stays = role.threads > 1 && !again;
    if (stays) loading.push_back(n);
    reads(reading(stays ? "begin_read" : "read", n), says + walk.stages[n].name);
  }
  void retire(int pending) {
    const std::string says = say("waits until at most ", count(pending, "group"), " of products runs");
    bool first = true;
    for (; static_cast<int>(products.size()) > pending; products.erase(products.begin())) {
      if (reading_factor > 0 && --reading_factor == 0) looks.push_back(shared.looks.of({factors, role.cta}));
      for (const int n : products.front()) {
        then(say("end_read(", stage(role.cta, n), ")"), first ? says : "");
        first = false;
      }
    }
  }

  // ---- meetings
  /// Nobody else ever comes there, and it does with all of its threads: its warps meet, which is no matter of others.
  bool is_private(const meeting_point& m, int threads) const {
    for (const walked_role& r : walk.roles)
      for (const action& x : r.actions)
        if (r.cta == m.cta && (x.what == act::meet || x.what == act::announce) && x.barrier == m.barrier)
          if (r.role != role.role || x.what == act::announce || x.bytes != role.threads) return false;
    return threads == role.threads;
  }
  void meet(const meeting_point& m, int threads, bool stays) {
    const std::string name = m.barrier == whole_cluster ? "the cluster's barrier" : walk.named[m.barrier];
    if (stays) come_together();
    if (m.barrier != whole_cluster && is_private(m, threads)) {
      then("skip", "its warps meet at " + name);
    } else {
      visible(say("come(", shared.meetings.of(m), ", ", me, ", ", threads, ", ", stays, ")"),
              say(stays ? "meets the others at " : "lets the others go on at ", name));
      if (stays) guards.push_back(say("released(", shared.meetings.of(m), ", ", me, ")"));
    }
  }
  /// Its warps have done what stands before: they have written, and what they load is there.
  void come_together() {
    for (const int p : open) then(say("close_place(", p, ")"));
    open.clear();
    for (const int n : loading) then(say("end_read(", stage(role.cta, n), ")"));
    loading.clear();
    end_looks();
    if (role.role > 0 && !buffers.known.empty() && has_buffers_open()) then("warps_meet()");
  }
  bool has_buffers_open() const {
    for (int n = at - 1; n >= 0; --n) {
      const act what = role.actions[n].what;
      if (what == act::meet || what == act::gather) return false;
      if (what == act::proxy_fence || what == act::reclaim) return true;
    }
    return false;
  }

  // ---- epilogues
  void count_buffers() {
    for (const action& x : role.actions)
      if (x.what == act::write_panel || x.what == act::store_panel) buffers.of(x.barrier);
  }
  unsigned buffer(const char* what, const action& x, const char* says) {
    const unsigned bit = 1u << buffers.of(x.barrier);
    then(say(what, "(", bit, ")"), say(says, " buffer ", x.barrier));
    return bit;
  }
  void reclaim(int pending) {
    unsigned read = 0, still = 0;
    for (; static_cast<int>(storing.size()) - 1 > pending; storing.erase(storing.begin())) read |= storing.front();
    for (const unsigned group : storing) still |= group;
    if (read)
      then(say("storing = ", still, "; freed = freed | ", read),
           say("waits until TMA has read all but ", count(pending, "group"), " of buffers"));
  }

  // ---- columns
  int number(const place& p) { return shared.places.of(p); }
  std::string others_mask() const {
    unsigned mask = 0;
    for (const int w : role.shown_with) mask |= 1u << w;
    return say(mask);
  }
  void end_looks() {
    for (const int l : looks) then(say("end_look(", l, ", ", me, ")"));
    looks.clear();
    lanes_met = false;
  }
  void show(const action& x) {
    if (lanes_met) end_looks();
    const int buffer = x.kind % 2, p = number({place_kind::columns, x.cta, buffer, me});
    const std::string free = say("nobody_looks(", shared.looks.of({buffer, x.cta}), ", ", others_mask(), "); ");
    if (x.cta == role.cta) ++shown[buffer];
    if (x.barrier < 0) {
      open.push_back(p);
      return visible(free + say("open_place(", p, ")"), "shows its columns");
    }
    const int kind = shared.copies.of({x.cta, x.barrier, x.bytes, -1, p});
    visible(free + say("issue_columns(", kind, ", ", p, ", ", barrier(x.cta, x.barrier), ", ", x.cta, ")"),
            say("sends ", x.bytes, " bytes of its columns", at_cta(x.cta)));
  }
  /// What the role and those that share its tile have shown in a buffer.
  std::string look_at(int buffer) {
    std::string code = say("begin_look(", shared.looks.of({buffer, role.cta}), ", ", me, ")");
    for (const int w : role.shown_with)
      code += say("; look(", number({place_kind::columns, role.cta, buffer, w}), ", ", shown[buffer], ")");
    return code;
  }
  /// A left factor is shown as columns are; products look at it until the role's warps meet behind a wait for them.
  void place_factor() {
    const int p = number({place_kind::columns, role.cta, factors, me});
    ++shown[factors];
    open.push_back(p);
    visible(say("nobody_looks(", shared.looks.of({factors, role.cta}), ", ", others_mask(), "); open_place(", p, ")"),
            "writes its part of a left factor");
  }
  void look(const action& x) {
    const int buffer = x.kind % 2, l = shared.looks.of({buffer, role.cta});
    const std::string code = look_at(buffer);
    if (std::ranges::count(looks, l) == 0) looks.push_back(l);
    lanes_met = false;
    visible(code, "looks at the others' columns");
  }

  // ---- sums
  void write_sums(const action& x) {
    const int p = number({place_kind::sums, role.cta, x.barrier});
    if (std::ranges::count(open, p) > 0) return;
    std::string code;
    for (std::size_t n = 0; n < walk.stages.size(); ++n)
      if (walk.stages[n].ring == walk.sums_ring) {
        const std::string s = stage(role.cta, static_cast<int>(n));
        code += say("assert(coming[", s, "] == 0 && reading[", s, "] == 0); ");
      }
    open.push_back(p);
    visible(code + say("open_place(", p, ")"), "writes its part of some sums where stages were");
  }
  /// Of the words of one place the first may come too early, and the last too late. (Of its own a thread reads what it
  /// has written.)
  void read_sums(const action& x) {
    const int p = number({place_kind::sums, x.cta, x.barrier});
    const std::string there = say("assert(alive[", x.cta, "] > 0)"), says = "reads partial sums" + at_cta(x.cta);
    if (std::ranges::count(sums, p) + std::ranges::count(open, p) > 0) return then(there, says);
    sums.push_back(p);
    visible(say(there, "; look(", p, ", 1)"), says);
  }
  /// Each part of a tile that the CTA makes has meetings of its own.
  int at_meeting(place_kind what, int meeting, int owner = 0) {
    return number({what, role.cta, meeting + max_meetings * items, owner});
  }
  void leave_part(const action& x) {
    const int p = at_meeting(place_kind::part, x.bytes, x.barrier), first = at_meeting(place_kind::ticket, 0);
    if (std::ranges::count(open, p) > 0) return;  // a thread may write its own words twice
    open.push_back(p);
    const std::string groups = x.bytes == walk.of_groups ? say("assert(", x.kind, "); look(", first, ", 1); ") : "";
    visible(say(groups, "look(", at_meeting(place_kind::ticket, x.bytes), ", 0); assert(", x.barrier, " == ",
                role.role - 1, "); open_place(", p, ")"), "leaves its part of some sums in the workspace");
  }
  void take_ticket(const action& x) {
    const int t = at_meeting(place_kind::ticket, x.bytes);
    std::string code;
    for (int c = 0; c < walk.consumers; ++c)
      code += say("look(", at_meeting(place_kind::part, x.bytes, c), ", 1); ");
    visible(say(code, "look(", t, ", 0); rounds[", t, "]++"), "takes the CTA's ticket of the tile");
  }
  void await_tickets(const action& x) {
    visible(say("assert(", x.bytes, " > 0 && ", x.kind, "); look(", at_meeting(place_kind::ticket, 0),
                ", 1); rounds[", at_meeting(place_kind::awaited, x.bytes), "] = 1"),
            "waits for the other parts' tickets");
  }
  void read_part(const action& x) {
    const place_kind known = x.bytes == 0 || x.bytes == walk.of_groups ? place_kind::ticket : place_kind::awaited;
    visible(say("assert(", x.barrier, " == ", role.role - 1, "); look(", at_meeting(known, x.bytes), ", 1)"),
            "reads all parts of some sums in the workspace");
  }

  void leave() {
    const bool runs = !products.empty();
    if (!buffers.known.empty()) then("assert(storing == 0)");
    visible(say(runs ? "assert(false); " : "", "leave(", role.cta, ")"),
            runs ? "leaves while its products run" : "leaves");
  }
};

}  // namespace sectile::tell::promela
