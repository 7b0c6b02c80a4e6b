#include "tests/gpu/long_rows.hpp"

void sectile::gpu_test::check_long_rows_f32() {
  check_long_rows<float>("f32", 200, 32000);
  check_long_rows<float>("f32", 70, 65536);
}
