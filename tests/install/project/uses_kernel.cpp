#include <cstdio>

const char* compiled_by_nvcc();

// The library that launches is linked with the kernel: without a GPU it says so, with one that a pointer is null.
int main() {
  const char* refused = compiled_by_nvcc();
  std::printf("the kernel was compiled by %s. %s\n", refused[0] ? "nvcc" : "the host compiler", refused);
  return SECTILE_HAS_CUDA == (refused[0] != '\0') ? 0 : 1;
}
