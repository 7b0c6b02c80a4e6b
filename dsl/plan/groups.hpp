// Groups: a mode that is cut at places which are in device memory (group_ends() in program/operand.hpp).
//
// X(E,T,K) is E matrices in one: the rows of all groups follow each other. A tile of a group is like any other tile but
// that the group may end inside it, where the next one begins: rows behind the end must be zeros when they are loaded,
// and must not be written when they are stored. TMA sees to both, by a tensor map that is the same for all groups and
// has each row in as many places as there are. Of a matrix of R rows, `pitch` bytes apart, with B = 2^30:
//
//   dimension    0: columns   1: B rows          2: R + 1 places   3: B + 1
//   stride                    pitch              pitch             2^34 - pitch
//   coordinate                B - size + row     end               B
//
// For group e, of `size` rows up to `end`, row number `row` of it is at
//
//   (B - size + row) * pitch + end * pitch + B * (2^34 - pitch) = (end - size + row) * pitch + 2^64
//
// bytes from the matrix on, and addresses have 64 bits: it is where it should be. And it is inside the second dimension
// just as long as row < size: TMA fills with zeros, and clips, what is behind. (Triton's descriptors of ragged tensors
// do so. Without the last dimension, from R * pitch bytes in front of the matrix on, an H200 stops at an illegal
// address where all rows of a box are behind the end.)
//
// So a role knows three numbers of its tile's group, and adds two of them to coordinates. A row in front of the group's
// first would be another's: it is sought beyond B, where there are zeros. Modes between E and the rows, X(E,H,T,K), are
// dimensions in front of the places, up to one of them: TMA counts along five.
//
// A kernel may have several such vectors, each of which cuts a mode of its own: the work walks over the groups of the
// mode that its tiles have, and what the other vectors say of the group with that number goes with it.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/plan/trace.hpp>

namespace sectile {

/// The rows that a map of groups has room for, and how far it steps then: 2^30 steps of this and of a row are 2^64
/// bytes.
constexpr std::int64_t most_group_rows = std::int64_t{1} << 30, group_step = std::int64_t{1} << 34;
/// Of a group, of which matrices have `size` rows: what is added to a row to become a coordinate of its map, and its
/// coordinate along the dimension that takes the place of E.
struct group_place {
  static constexpr int beyond = static_cast<int>(most_group_rows);  // its coordinate along the last dimension
  int shift = 0, place = 0, size = 0;
  /// Its first row in the matrix of all groups.
  constexpr int begin() const { return place - size; }
  constexpr int coordinate(int row) const { return row < 0 ? beyond : row + shift; }
  /// Turns coordinates of an operand, innermost first, into the one more of its map.
  template <int Dimensions>
  constexpr void put(int (&at)[Dimensions]) const {
    at[1] = coordinate(at[1]);
    at[Dimensions - 2] = place;
    at[Dimensions - 1] = beyond;
  }
};
/// Of kernels without groups.
struct no_group {};

/// Whether a group can begin and end there, in a matrix of so many rows.
constexpr bool is_group(int begin, int end, int rows) { return begin >= 0 && begin <= end && end <= rows; }
/// The group that ends at `end` in a matrix of so many rows, behind one that ends at `begin`, if these numbers can be
/// such; else one that is empty.
constexpr group_place place_group(int begin, int end, int rows) {
  const bool possible = is_group(begin, end, rows);
  const int size = possible ? end - begin : 0;
  return {group_place::beyond - size, possible ? end : 0, size};
}
/// Where group e begins and ends, whose number in memory is `said`: groups follow each other, `before` is the end of
/// the one before it; or each has its room of so many rows. An end below the begin: there can be no such group.
struct group_bounds {
  int begin = 0, end = 0;
};
constexpr group_bounds bounds_of_group(bool counted, int e, int before, int said, int room) {
  if (!counted) return {before, said};
  return {e * room, said < 0 || said > room ? -1 : e * room + said};
}
/// Where nobody has numbers, as in proofs, groups are alike, and matrices are apart: number e as any batch is.
constexpr group_place place_uniform_group(int e, int rows) { return {0, e, rows}; }

/// Which tile a work item is, where the work's tiles are those of groups: item 0 is the first group's first.
struct group_walk {
  int group = 0, begin = 0, end = 0;  // the group that was looked at last, and its rows
  int before = 0;                     // items of groups in front of it
  int items = -1;                     // its own; -1: it has not been looked at

  /// Goes on to the group that has item `item`: items must not fall. `bounds_of(e, end)` is where group e is, if the
  /// one before it ends there, and `items_of(p)` the work items of a group at a place. Returns the item's number in its
  /// group; -1: no group has it.
  template <class BoundsOf, class ItemsOf>
  constexpr int find(int item, int groups, int rows, BoundsOf bounds_of, ItemsOf items_of) {
    if (items < 0 && groups > 0) look(rows, bounds_of, items_of);
    while (item >= before + items) {
      if (group + 1 >= groups) return -1;
      before += items;
      ++group;
      look(rows, bounds_of, items_of);
    }
    return item - before;
  }
  constexpr group_place place(int rows) const { return place_group(begin, end, rows); }
  /// The items of all groups. Precondition: find() has found that no group has one.
  constexpr int count() const { return before + (items < 0 ? 0 : items); }

 private:
  template <class BoundsOf, class ItemsOf>
  constexpr void look(int rows, BoundsOf bounds_of, ItemsOf items_of) {
    const group_bounds at = bounds_of(group, end);
    begin = at.begin;
    end = at.end;
    items = items_of(place(rows));
  }
};

constexpr cut_table find_cuts(const plan& p) {
  return find_cuts(p.operands, [&](int o) -> const operand_facts& { return p.operand[o].facts; });
}
/// The position in operand `o` of the mode that is cut; -1: it has none of it.
constexpr int position_of_cut(const plan& p, int o) { return o < p.operands ? p.cuts.position[o] : -1; }
/// The operand that cuts it. Precondition: one does.
constexpr int ends_of(const plan& p, int o) { return p.cuts.ends[p.cuts.by[o]]; }
/// The dimensions of operand `o`'s map: one more than it has modes if it is cut, or an image, C, W, H and N.
constexpr int dimensions_of_map(const plan& p, int o) {
  const operand_facts& f = p.operand[o].facts;
  return f.tile.rank + (position_of_cut(p, o) >= 0 || f.im2col);
}
/// The box of operand `o` as its map has it.
constexpr tma_box in_map(const plan& p, int o, tma_box box) {
  while (box.rank < dimensions_of_map(p, o)) box.extent[box.rank++] = 1;
  return box;
}
/// Whether mode `d` of operand `o` counts groups of which its memory is one behind the other.
constexpr bool counts_groups(const plan& p, int o, int d) {
  return position_of_cut(p, o) >= 0 && d == p.cuts.groups[o];
}
/// Whether the work's tiles are those of groups.
constexpr bool walks_groups(const plan& p) { return position_of_cut(p, p.work) >= 0; }

/// An operand with the mode that is cut has the mode that counts groups as well: a matrix as its first, and has rows of
/// groups; a vector has parts of them, along its last.
constexpr violation check_cut(const operand_facts& f, int cut, const operand_facts& ends) {
  const char *groups = ends.mode_name[0], *rows = ends.cuts;
  violation v{.what = rule::operand_is_used_in_another_way};
  v << "operand " << f << ": " << rows << " is cut into groups by " << ends.name;
  const int place = f.position_of(ends.mode_at(0)), rank = f.tile.rank;
  for (int d = 0; d < rank; ++d)
    if (d != cut && without_prime(f.mode_at(d)) == without_prime(f.mode_at(cut)))
      return v << ", and so is " << f.mode_name[d] << ": a matrix has rows of groups alone";
  if (f.is_vector() ? place < 0 || cut != rank - 1 : place != 0 || cut != rank - 2) {
    v << (f.is_vector() ? ": it is the last mode of a vector, which has "
                        : ": these are rows of a matrix, whose first mode is ")
      << groups << (f.is_vector() ? " as well: " : ": ") << f.name << "(" << groups;
    int others = 0, written = 0;
    for (int d = 0; d < rank; ++d) others += d != place && d != cut;
    const int before = f.is_vector() || others == 0 ? others : others - 1;  // the mode that is cut
    for (int d = 0; d <= rank; ++d) {
      if (written == before) v << "," << rows, ++written;
      if (d < rank && d != place && d != cut) v << "," << f.mode_name[d], ++written;
    }
    return v << (f.is_vector() || others > 0 ? ")" : ",K)");
  }
  if (f.is_vector()) return {};
  if (f.order != row_major || f.sparse || f.im2col)
    return v << ", which are rows of a dense row-major matrix: not col_major, nor sparse, nor im2col";
  if (rank >= max_rank)
    return v << ", which takes a tensor map of " << rank + 1 << " dimensions, and TMA counts along " << max_rank
             << "; make one mode of two";
  return {};
}

/// Vectors that cut modes: each another one, into groups that all count along the same mode.
constexpr violation check_cuts(const plan& p) {
  violation v{.what = rule::operand_is_used_in_another_way};
  const operand_facts& first = p.operand[p.cuts.ends[0]].facts;
  for (int n = 0; n < p.cuts.count; ++n) {
    const operand_facts& ends = p.operand[p.cuts.ends[n]].facts;
    if (ends.tile.rank != 1 || ends.modes != 1)
      return v << "operand " << ends.name << ": " << (ends.counts_rows ? "group_counts" : "group_ends") << "<\""
               << ends.name << "(E)\", \"" << ends.cuts << "\">() has one mode, which counts groups";
    for (int m = 0; m < n; ++m)
      if (const operand_facts& other = p.operand[p.cuts.ends[m]].facts;
          without_prime(mode_named(other.cuts)) == without_prime(mode_named(ends.cuts)))
        return v << "operands " << other.name << " and " << ends.name << " both cut " << ends.cuts
                 << " into groups; one of them says where those are";
    if (ends.mode_at(0) != first.mode_at(0))
      return v << "operands " << first.name << " and " << ends.name << " count groups along " << first.mode_name[0]
               << " and " << ends.mode_name[0] << ": a tile belongs to one group, whose number is the same in both; "
               << "give it one name, " << ends.name << "(" << first.mode_name[0] << ")";
    int cut = 0;
    for (int o = 0; o < p.operands; ++o) {
      const operand_facts& f = p.operand[o].facts;
      const int at = position_of_cut(f, ends);
      if (at < 0) continue;
      ++cut;
      if (p.cuts.by[o] != n)
        return v << "operand " << f << ": " << p.operand[ends_of(p, o)].facts.cuts << " and " << ends.cuts
                 << " are both cut into groups, by " << p.operand[ends_of(p, o)].facts.name << " and " << ends.name
                 << "; an operand has one such mode";
      if (const violation w = check_cut(f, at, ends); !w.holds()) return w;
    }
    if (cut == 0)
      return v << "operand " << ends.name << " cuts " << ends.cuts << " into groups, a mode that no other operand has";
  }
  return {};
}

/// What goes with groups.
constexpr violation check_groups(const plan& p) {
  if (p.cuts.count == 0) return {};
  if (const violation v = check_cuts(p); !v.holds()) return v;
  const operand_facts& ends = p.operand[p.cuts.ends[0]].facts;
  const char* const word = ends.counts_rows ? "group_counts" : "group_ends";
  violation v{.what = rule::operand_is_used_in_another_way};
  if (p.work >= p.operands) return {};  // refused elsewhere
  const operand_facts& work = p.operand[p.work].facts;
  if (work.position_of(ends.mode_at(0)) < 0)
    return v << "operand " << work << " has no mode " << ends.mode_name[0] << ": a tile belongs to one group, of "
             << ends.mode_name[0];
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    const int by = p.cuts.by[o], walked = p.cuts.by[p.work];
    if (f.kind != operand_kind::vector_output || by == walked) continue;
    v << "operand " << f << ": a group along " << p.operand[p.cuts.ends[by < 0 ? walked : by]].facts.cuts;
    if (by >= 0) return v << " has no tiles of " << work.name << ", beside which a vector is written; store a matrix";
    return v << " may have no tile beside which a vector is written; give it that mode, or store a matrix";
  }
  v.what = rule::configuration_does_not_fit_the_program;
  const configuration& s = p.how;
  if (walks_groups(p) && !s.persistent)
    return v << work << " has tiles of groups, whose number is in device memory, so that CTAs walk over what there is: "
             << "add .persistent = true";
  const bool one_matrix = !walks_groups(p) || work.tile.rank == 3;
  const char* other = s.streamed ? ".streamed = true" : s.batches > 1 && one_matrix ? "batches" : nullptr;
  if (s.split > 1 && walks_groups(p)) other = "a split";
  if (other) return v << other << " and " << word << "() do not go together; leave out one of the two";
  return {};
}

/// What is read of groups is of the one that the tile belongs to: its end is the one that a role knows.
constexpr violation check_own_group(const plan& p, const trace& t) {
  if (p.cuts.count == 0) return {};
  const int own = t.tile[p.operand[p.work].facts.position_of(p.operand[p.cuts.ends[0]].facts.mode_at(0))];
  violation v{.what = rule::operand_is_used_in_another_way};
  const auto check = [&](int o, const int* coordinate) {
    const int e = position_of_cut(p, o) >= 0 ? coordinate[p.cuts.groups[o]] : own;
    if (e != own && v.says.length() == 0)
      v << "operand " << p.operand[o].facts.name << " is loaded at group " << e << " by the work of group " << own
        << "; load at the coordinates of tile_of(" << p.operand[p.work].facts.name << ")";
  };
  for (const event& e : t)
    if (e.kind == event_kind::load) check(e.operand, e.coordinate);
  for (int i = 0; i < t.vector_reads && i < max_vector_reads; ++i)
    check(t.vector_read[i].operand, t.vector_read[i].coordinate);
  return v.says.length() == 0 ? violation{} : v;
}

/// A group has any number of rows: no tile has all, and nobody waits for what all of its tiles have left.
constexpr violation check_group_tiles(const plan& p) {
  if (!walks_groups(p)) return {};
  const char* const rows = p.operand[ends_of(p, p.work)].facts.cuts;
  violation v{.what = rule::configuration_does_not_fit_the_program};
  if (p.tall_tiles)
    return v << "block_of(" << p.operand[p.work].facts.name << ") has all rows, of which a group along " << rows
             << " has any number; take tile_of(), or rows_of()";
  v.what = rule::operand_is_used_in_another_way;
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].combined != reduction::none)
      return v << "operand " << p.operand[o].facts << ": combine() joins what tiles have whose number a launch knows, "
               << "which those of groups along " << rows << " are not; store its parts, or a matrix";
  return {};
}

}  // namespace sectile
