// CuTe as a witness: the algebra of layouts/ beside CUTLASS's own headers, operation by operation. Every difference is
// listed with who is right by the definitions. Ends with 1 if that is ever not layouts/.
#include <cstdio>

#include "questions.hpp"
#include "witness.hpp"

int main() {
  for (auto ask : witness::all_questions()) ask();
  int asked = 0;
  for (const auto& [operation, sorts] : witness::all.counts) {
    std::printf("%s\n", operation.c_str());
    for (const auto& [sort, count] : sorts) {
      asked += count;
      std::printf("  %6d %s\n", count, sort.c_str());
      for (const std::string& example : witness::all.examples[operation + ": " + sort])
        std::printf("    %s\n", example.c_str());
    }
  }
  std::printf("%d questions, wrong here %d times\n", asked, witness::all.wrong);
  return witness::all.wrong > 0 || asked == 0 ? 1 : 0;
}
