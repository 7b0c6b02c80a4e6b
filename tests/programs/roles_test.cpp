// The programs of roles.hpp on the model: random schedules, exact results, no hazard.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/model.hpp>
#include <string>

#include "tests/exhaustively.hpp"
#include "tests/programs/roles.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <class T>
auto view_of(const typed_matrix<T>& x) {
  return x.in();
}
template <class T>
auto view_of(const sparse_matrix<T>& x) {
  return x.view();
}

struct run_on_random_schedules {
  template <class K, class Out, class... Inputs>
  void operator()(typed_matrix<Out>& C, const Inputs&... inputs) const {
    for (std::uint64_t seed = 1; seed <= (exhaustively ? 2 : 1); ++seed) {
      const model_options how{.schedule = schedule_mode::random, .seed = seed, .workers = 2};
      run_on_model_with<K>(how, view_of(inputs)..., C.out());
    }
  }
};

TEST_CASE("registers and tiles that change roles") {
  for_each_role_program(run_on_random_schedules{}, [](const char* name, const auto& C, auto expected) {
    CAPTURE(std::string(name));
    int wrong = 0;
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j) wrong += C(i, j) != expected(i, j);
    CHECK(wrong == 0);
  });
}

}  // namespace
