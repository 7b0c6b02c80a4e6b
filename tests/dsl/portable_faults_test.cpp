// A right kernel in the portable readings, on a machine that gets an access to global memory wrong: the model names the
// element, before host memory is touched.
#include <doctest/doctest.h>

#include "portable_kit.hpp"

namespace {

using namespace sectile;

enum class mistake { none, reads_beyond_the_row, writes_beyond_the_row, leaves_out_a_tile, writes_twice };
mistake active = mistake::none;

struct faulty : portable::host_machine {
  template <int Bytes, int ElementBytes>
  void copy_in(unsigned char* to, const unsigned char* from, int valid, bool aligned) {
    const bool wrong = active == mistake::reads_beyond_the_row && valid > 0;
    portable::host_machine::copy_in<Bytes, ElementBytes>(to, from, wrong ? Bytes : valid, aligned);
  }
  template <class T>
  void store(void* to, const T& x) {
    if (active == mistake::leaves_out_a_tile && skipped(to)) return;
    if (active == mistake::writes_beyond_the_row) to = static_cast<unsigned char*>(to) + 12;
    portable::host_machine::store(to, x);
    if (active == mistake::writes_twice) portable::host_machine::store(to, x);
  }
  static inline const void* from_here_on = nullptr;
  static bool skipped(const void* to) { return to >= from_here_on; }
};

struct kernel : test::tiled_product<64, 32, 32, bf16, bf16, float> {};

template <class How>
void check(mistake m, model::hazard_kind kind, const char* says) {
  test::host_tensor<bf16> A({70, 44}), B({36, 44});
  test::host_tensor<float> C({70, 36});
  A.fill(1);
  B.fill(2);
  active = m;
  faulty::from_here_on = C.view().data + 64 * C.stride[0];
  try {
    run_portable_on_model_with<kernel, How>({.workers = 1}, A.in(), B.in(), C.view());
    CHECK(m == mistake::none);
  } catch (const model::hazard& h) {
    INFO(std::string(h.what()));
    INFO(std::string(says));
    CHECK(h.kind == kind);
    CHECK(std::string(h.what()).find(says) != std::string::npos);
  }
  CHECK(C.touched() == 0);
}
template <class How>
void check_all() {
  check<How>(mistake::none, {}, "");
  check<How>(mistake::reads_beyond_the_row, model::hazard_kind::out_of_range, "a thread reads ");
  check<How>(mistake::writes_beyond_the_row, model::hazard_kind::out_of_range,
             "which are not elements of a row of C");
  check<How>(mistake::leaves_out_a_tile, model::hazard_kind::never_written,
             "C: 216 of its 2520 elements are never written; of tile (1, 0), the first of which some are missing, rows "
             "64 to 69, columns 0 to 31 of C");
  check<How>(mistake::writes_twice, model::hazard_kind::written_twice, " of C is written twice");
}

}  // namespace

template <>
struct sectile::machine_under_test<kernel, sectile::portable::host_machine> {
  using type = faulty;
};

namespace {

TEST_CASE("mistakes of the WMMA reading") { check_all<portable::wmma<>>(); }
TEST_CASE("mistakes of the SIMT reading") { check_all<portable::simt>(); }

}  // namespace
