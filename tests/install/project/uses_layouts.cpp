#include <sectile/layouts.hpp>

using namespace sectile::literals;

constexpr sectile::layout tile = "((8,2),4):((4,32),1)"_layout;
static_assert(tile(9, 3) == 39);

int main() { return tile(9, 3) == 39 ? 0 : 1; }
