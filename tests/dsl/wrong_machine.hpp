// Kernels whose roles run on a machine that gets a verb wrong, and what the proofs say to them.
#pragma once
#include <doctest/doctest.h>

#include <memory>
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/program/refusal.hpp>
#include <sectile/dsl/proofs/protocol.hpp>
#include <sectile/dsl/roles/machine_under_test.hpp>
#include <string>

namespace sectile::test {

/// Kernel, on the machine Wrong<recorder>, or Wrong<pen>. Wrong has a name that no other file has: a function with a
/// template of an unnamed namespace among its arguments is one for all files to g++.
template <class Kernel, template <class> class Wrong>
struct on : Kernel {};

inline void check_refused(const violation& v, rule what, const char* fragment) {
  CAPTURE(std::string(v.says.text));
  CAPTURE(std::string(fragment));
  CHECK(v.what == what);
  CHECK(std::string(v.says.text).find(fragment) != std::string::npos);
}

/// What check_protocol says to a run, which is a number here: to have one function for each takes a compiler longer.
template <class K>
violation verdict_on_run(int run) {
  const auto cluster = std::make_unique<protocol::cluster_run<K>>(run);
  if (cluster->refusal.holds()) cluster->run();
  return cluster->refusal;
}

}  // namespace sectile::test

/// What is planned does not hang on the machine: it is not planned once more.
template <class Kernel, template <class> class Wrong>
inline constexpr sectile::plan sectile::plan_of<sectile::test::on<Kernel, Wrong>> = sectile::plan_of<Kernel>;

template <class Kernel, template <class> class Wrong, class Machine>
struct sectile::machine_under_test<sectile::test::on<Kernel, Wrong>, Machine> {
  using type = Wrong<Machine>;
};
