#include "tests/gpu/long_rows.hpp"

void sectile::gpu_test::check_long_rows_bf16() {
  check_long_rows<bf16>("bf16", 300, 16384);
  check_long_rows<bf16>("bf16", 200, 32000);
  check_long_rows<bf16>("bf16", 130, 65536);
}
