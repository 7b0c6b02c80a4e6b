// What a cluster does where the parts of tiles meet in a workspace, as its agents' progress tells it: other clusters do
// the same, and nobody waits for them before the first ticket of a tile.
#pragma once
#include <functional>

#include "tests/dsl/all_orders/cluster.hpp"

namespace sectile::orders {

inline bool in_workspace(act what) {
  return what == act::leave_part || what == act::take_ticket || what == act::await_tickets || what == act::read_part;
}

/// One of these actions. Each part of a tile that the cluster makes has meetings of its own.
struct deed {
  action did{};
  int agent = 0, at = 0;
  int item = 0;      // of those that the agent begins with
  int over = never;  // the meeting behind which all warps of the agent have done it
};

inline std::vector<deed> deeds_of(const agent& a, int number) {
  std::vector<deed> all;
  int item = 0;
  for (std::size_t n = 0; n < a.actions.size(); ++n) {
    const action& x = a.actions[n];
    if (x.what == act::begin) ++item;
    if (x.what == act::meet || x.what == act::gather)
      for (deed& d : all)
        if (d.over == never) d.over = static_cast<int>(n);
    if (in_workspace(x.what)) all.push_back({x, number, static_cast<int>(n), item});
  }
  return all;
}

/// Which of all deeds have been done.
struct workspace_state {
  const cluster& of;
  const std::vector<deed>& deeds;
  std::function<bool(int agent, int action)> passed;  // the agent has that action behind it

  /// By an agent of the same CTA, for the same part of a tile.
  bool is_done(act what, const deed& by, int meeting) const {
    for (const deed& d : deeds)
      if (d.did.what == what && d.did.bytes == meeting && d.item == by.item && is_near(d.agent, by) &&
          (d.agent != by.agent || d.at != by.at) && passed(d.agent, d.at))
        return true;
    return false;
  }
  bool have_all_left(const deed& by) const {
    for (std::size_t w = 0; w < of.agents.size(); ++w) {
      if (of.agents[w].role == 0 || of.agents[w].cta != of.agents[by.agent].cta) continue;
      bool left = false;
      for (const deed& d : deeds)
        left = left || (d.did.what == act::leave_part && d.agent == static_cast<int>(w) && d.item == by.item &&
                        d.did.bytes == by.did.bytes && passed(d.agent, d.over));
      if (!left) return false;
    }
    return true;
  }
  bool is_near(int agent, const deed& by) const { return of.agents[agent].cta == of.agents[by.agent].cta; }

  /// What is wrong with doing `now`; nothing if it is right.
  const char* wrong(const deed& now) const {
    const int own = of.agents[now.agent].role - 1, meeting = now.did.bytes;
    const bool taken = is_done(act::take_ticket, now, meeting);
    switch (now.did.what) {
      case act::leave_part:
        if (now.did.barrier != own) return "sums are left in the workspace where another consumer's belong";
        if (meeting == of.of_groups && !(now.did.kind == 1 && is_done(act::take_ticket, now, 0)))
          return "what a group has become is left by a part that is not its last";
        return taken ? "sums are left in the workspace behind the ticket that hands them over" : nullptr;
      case act::take_ticket:
        if (taken) return "two tickets of a tile are taken for one part";
        return have_all_left(now) ? nullptr : "a ticket is taken before all sums are in the workspace";
      case act::await_tickets:
        return meeting > 0 && now.did.kind == 1 && is_done(act::take_ticket, now, 0)
                   ? nullptr
                   : "a part of a tile waits for others that may not run";
      default:
        if (now.did.barrier != own) return "sums of another consumer are read in the workspace";
        return (meeting == 0 || meeting == of.of_groups ? taken : is_done(act::await_tickets, now, meeting))
                   ? nullptr
                   : "sums are read in the workspace that may not be there";
    }
  }
};

}  // namespace sectile::orders
