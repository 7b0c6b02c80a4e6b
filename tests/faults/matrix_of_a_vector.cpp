// fault: a vector in place of the pointer to its first element
// caught: compile time
// expect: a view takes a pointer to the first element, such as a vector's: matrix(v.data(), rows, cols)
#include <sectile/dsl/launch/model.hpp>
#include <vector>

void run(std::vector<sectile::bf16>& a) { sectile::matrix(a, 64, 64); }
