#include "tool/kernels/ladder.hpp"

#include "tool/kernels/by_hand.hpp"
#include "tool/kernels/families.hpp"
#include "tool/kernels/portable.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {
namespace {

/// What a rung declares that is read for nvcuda::wmma, and what a CTA of it takes of an SM.
template <class K>
constexpr plan make_declared() {
  constexpr auto& read = portable::portable_plan_of<K, portable::wmma<>>;
  plan p = read.program;
  p.threads = read.threads;
  p.shared_bytes = read.shared_bytes;
  return p;
}
template <class K>
inline constexpr plan declared_by = make_declared<K>();

/// A rung that is a program of the language, read for nvcuda::wmma and for nothing else.
template <class K>
kernel_facts by_wmma(std::string_view name, std::string_view listing, std::string_view summary) {
  kernel_facts facts{.name = name, .summary = summary, .declared = &declared_by<K>, .listing = listing};
  facts.model_clusters = [](int items) { return items; };
  facts.wmma = portable_of<K, portable::wmma<>>(name).run;
  return facts;
}

/// In the order of the course.
std::vector<kernel_facts> all_rungs() {
  std::vector<kernel_facts> all;
  each_of_ladder_by_hand([&](auto type, std::string_view name, std::string_view summary, std::string_view listing) {
    all.push_back(by_hand<typename decltype(type)::type>(name, listing, summary));
  });
  each_of_ladder_portable([&](auto type, std::string_view name, std::string_view summary, std::string_view listing) {
    all.insert(all.begin() + 1, by_wmma<typename decltype(type)::type>(name, listing, summary));
  });
  for (const kernel_facts& planned : all_shipped([](auto use) { each_of_ladder(use); })) all.push_back(planned);
  return all;
}

}  // namespace

std::span<const kernel_facts> ladder_kernels() {
  static const std::vector<kernel_facts> list = all_rungs();
  return list;
}

}  // namespace sectile::tool
