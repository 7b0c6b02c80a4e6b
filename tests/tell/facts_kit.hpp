// What the tests of facts share: kernels of their own, and looking into a document.
#pragma once
#include <nlohmann/json.hpp>
#include <sectile/dsl.hpp>
#include <sectile/dsl/tell/facts/facts.hpp>
#include <string>
#include <vector>

namespace facts_kit {

using namespace sectile;

inline const std::string file = __FILE__;
using nlohmann::json;

/// The entry of a list whose member `key` has this value; null if there is none.
inline const json& entry(const json& list, const char* key, const json& value) {
  static const json none;
  for (const json& e : list)
    if (e[key] == value) return e;
  return none;
}

inline bool mentions(const json& text, const std::string& part) {
  return text.is_string() && text.get<std::string>().find(part) != std::string::npos;
}

/// What is told of a kernel but for its proofs and variations, which take a compiler longest and are no matter of
/// lines.
template <class K>
json facts_of_lines(tell::fact_options options = {}) {
  tell::kernel_record k;
  k.type = kernel_name<K>();
  k.planned = &plan_of<K>;
  k.read = tell::read_with_witnesses<K>;
  options.figures = false;
  return tell::facts_of(k, options);
}

/// A GEMM whose tiles, configuration and element type are parameters.
template <int M, int N, int K, configuration How, class T = bf16, class Out = bf16>
struct any_gemm {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", T>(), input<"B(N,K)", T>(), output<"C(M,N)", Out>());
  static constexpr configuration how = How.with_tile({{"M", M}, {"N", N}, {"K", K}});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace facts_kit
