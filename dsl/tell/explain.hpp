// A kernel's plan in words: what `sectile explain` prints, for any kernel.
#pragma once
#include <string>

#include <sectile/dsl/tell/body_text.hpp>
#include <sectile/dsl/tell/memory_text.hpp>
#include <sectile/dsl/tell/operands_text.hpp>
#include <sectile/dsl/tell/products_text.hpp>
#include <sectile/dsl/tell/proofs_text.hpp>
#include <sectile/dsl/tell/told_trace.hpp>

namespace sectile {

/// The plan in words, section by section. `t` is a trace of the body in which every loop has trips.
inline std::string explain(const plan& p, const trace& t) {
  std::string text;
  const auto section = [&](const char* title, const std::string& lines) {
    text += (text.empty() ? "" : "\n") + std::string(title) + "\n" + lines;
  };
  section("Configuration", tell::configuration_text(p));
  section("Operands", tell::operands_text(p));
  section("Copies (TMA), box extents innermost first", tell::copies_text(p));
  section("Rings", tell::rings_text(p));
  section("Shared memory", tell::memory_text(p));
  section("Products", tell::products_text(p));
  section("Epilogue", tell::epilogue_text(p));
  section("Barriers", tell::barriers_text(p));
  section("Registers", tell::registers_text(p));
  section(
      "The body by position (f: a fragment; wgmma.fence where ordinary instructions have used a product's registers)",
      tell::body_text(p, t));
  return text;
}

/// The plan of kernel K in words, and its proofs; of a kernel that cannot be planned, the reason.
template <class K>
std::string explain() {
  constexpr const plan& p = plan_of<K>;
  if constexpr (p.refusal.holds()) {
    return explain(p, tell::told_trace<K>) + "\nProofs\n" + tell::proofs_text<K>();
  } else {
    return tell::say("refused: ", p.refusal.says.text, "\n");
  }
}

}  // namespace sectile
