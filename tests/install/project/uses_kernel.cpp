#include <cstdio>

int compiled_by_nvcc();

int main() {
  std::printf("the kernel was compiled by %s\n", compiled_by_nvcc() == 1 ? "nvcc" : "the host compiler");
  return 0;
}
