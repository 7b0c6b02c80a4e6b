// CuTe as a witness: the algebra of layouts/ beside CUTLASS's own headers, operation by operation. Every difference is
// listed with who is right by the definitions, and every expression that only one side can express with who refuses it
// and why. Ends with 1 if layouts/ is ever wrong.
#include <cstdio>

#include "answers.hpp"
#include "questions.hpp"

int main() {
  for (auto ask : witness::all_questions()) ask();
  std::fputs(witness::all.text().c_str(), stdout);
  return witness::all.wrong > 0 || witness::all.counts.empty() ? 1 : 0;
}
