// The registers of a consumer's products: which may still be read or written by the tensor cores, and which have been
// handed over to them by a fence.
#pragma once
#include <sectile/dsl/proofs/actions.hpp>
#include <sectile/dsl/roles/consumer.hpp>

namespace sectile::protocol {

constexpr int max_in_flight = 2 * max_products;  // product groups of an agent
constexpr int max_accumulators = 16;

/// A group of wgmmas.
struct product_group {
  std::uint64_t slots = 0;        // that it reads
  int fragment = 0, source = -1;  // that it writes, and reads as A
  int kind = 0;
  std::uint64_t loaded = 0;       // slots whose tiles ordinary loads have brought to the registers that it may take
  bool placed = false;            // it reads a left factor that consumers have written
};
constexpr bool is_sparse(int kind) { return kind % 2 != 0; }

struct product_ledger {
  product_group group[max_in_flight]{};            // in flight, oldest first
  int groups = 0;
  product_group accumulating[max_accumulators]{};  // fragments that only products have touched since a fence
  int accumulators = 0;
  bool fenced = false;                             // since the last touch and the last product

  /// Ordinary instructions access a fragment: no product may use it any more, and the next one needs a fence. `lent`:
  /// blocks of it that products have used, and that are not taken over from them here.
  constexpr violation touch(int fragment, int lent) {
    fenced = false;
    for (int n = 0; n < accumulators; ++n)
      if (accumulating[n].fragment == fragment) accumulating[n--] = accumulating[--accumulators];
    for (int g = 0; g < groups; ++g)
      if (group[g].fragment == fragment || group[g].source == fragment ||
          (fragment == metadata_fragment && is_sparse(group[g].kind)))
        return refuse(rule::registers_are_in_use, "registers of ",
                      fragment == metadata_fragment ? "metadata" : "a fragment",
                      " are used while a product on them may still run: a wait for it is missing");
    if (lent > 0)
      return refuse(rule::registers_are_in_use, "registers of ",
                    fragment == metadata_fragment ? "metadata" : "a fragment",
                    " are used behind a wait to which nothing ties them: a compiler may use them before it");
    return {};
  }

  /// The products in flight leave this one's registers alone, or are of its kind on its accumulator; and a fence stands
  /// behind the last ordinary access.
  constexpr violation issue(const product_group& x) {
    for (int g = 0; g < groups; ++g) {
      const product_group& before = group[g];
      if (x.source >= 0 && before.fragment == x.source)
        return refuse(
            rule::registers_are_in_use,
            "a product takes a fragment as its left factor that another may still be writing: a wait is missing");
      if (before.source >= 0 && before.source == x.fragment)
        return refuse(
            rule::registers_are_in_use,
            "a product overwrites a fragment that another may still read as its left factor: a wait is missing");
      if (before.fragment == x.fragment && before.kind != x.kind)
        return refuse(rule::registers_are_in_use,
                      "products of two kinds run on one accumulator at a time: a wait between them is missing");
      if (is_sparse(before.kind) && is_sparse(x.kind))
        return refuse(rule::registers_are_in_use,
                      "two sparse products run at a time on the same registers of metadata: a wait is missing");
    }
    int known = -1;
    for (int n = 0; n < accumulators; ++n)
      if (accumulating[n].fragment == x.fragment) known = n;
    const bool in_order = known >= 0 && accumulating[known].kind == x.kind && x.source < 0 && !is_sparse(x.kind);
    if (!in_order && !fenced)
      return refuse(rule::registers_are_in_use,
                    "a product uses registers that ordinary instructions have touched: a wgmma.fence is missing");
    if (groups == max_in_flight)
      return refuse(rule::registers_are_in_use, "a consumer has more than ", max_in_flight,
                    " groups of products in flight");
    fenced = false;
    if (known < 0 && accumulators < max_accumulators) known = accumulators++;
    if (known >= 0) accumulating[known] = x;
    group[groups++] = x;
    return {};
  }

  /// Slots that the groups from number `first` on read.
  constexpr std::uint64_t read_by(int first, int last) const {
    std::uint64_t slots = 0;
    for (int g = first; g < last; ++g) slots |= group[g].slots;
    return slots;
  }
  /// Forgets the `done` oldest groups.
  constexpr void retire(int done) {
    for (int g = done; g < groups; ++g) group[g - done] = group[g];
    groups -= done;
  }
};

}  // namespace sectile::protocol
