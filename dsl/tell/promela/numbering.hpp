// What the roles of an exported protocol share, by the numbers and names that Promela knows it by.
#pragma once

#include <algorithm>
#include <cctype>
#include <sectile/dsl/tell/promela/walk.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sectile::tell::promela {

/// "full[2] of A and B" as Promela can name it.
inline std::string identifier(const std::string& name) {
  std::string id;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      id += c;
    else if (!id.empty() && id.back() != '_')
      id += '_';
  while (!id.empty() && id.back() == '_') id.pop_back();
  return id;
}
inline std::string role_name(const protocol_walk& walk, const walked_role& r) {
  if (r.role == 0) return "producer";
  return walk.consumers > 1 ? say("consumer ", r.role - 1) : "consumer";
}
inline std::string barrier_text(const protocol_walk& walk, int cta, int number) {
  return say("barrier(", cta, ", ", identifier(walk.barriers[number].name), ")");
}
inline std::string of_cta(const protocol_walk& walk, int cta) { return walk.ctas > 1 ? say(" of CTA ", cta) : ""; }

/// Numbers for what the export comes to, in the order in which it does.
template <class Key>
struct numbering {
  std::vector<Key> known{};
  int of(const Key& key) {
    const auto at = std::ranges::find(known, key);
    if (at != known.end()) return static_cast<int>(at - known.begin());
    known.push_back(key);
    return static_cast<int>(known.size()) - 1;
  }
  int count() const { return static_cast<int>(known.size()); }
};

/// Copies that nobody can tell apart.
struct copy_kind {
  int cta = 0, barrier = 0, bytes = 0;
  int stage = -1;  // or
  int place = -1;
  friend bool operator==(const copy_kind&, const copy_kind&) = default;
};
enum class place_kind : std::uint8_t { columns, sums, part, ticket, awaited };
struct place {
  place_kind what = place_kind::columns;
  int cta = 0;
  int number = 0;  // of a buffer, of a place, of a meeting
  int owner = 0;   // the role that shows columns there, or the consumer whose part it is
  friend bool operator==(const place&, const place&) = default;
};
struct meeting_point {
  int cta = 0, barrier = 0;  // -1: the cluster's
  friend bool operator==(const meeting_point&, const meeting_point&) = default;
};
inline constexpr int whole_cluster = -1;

/// What the roles of a walk share.
struct shared_things {
  numbering<copy_kind> copies{};
  numbering<place> places{};
  numbering<std::pair<int, int>> looks{};  // buffer and CTA
  numbering<meeting_point> meetings{};
};

}  // namespace sectile::tell::promela
