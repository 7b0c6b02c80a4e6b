#include <sectile/dsl.hpp>

int main() { return 0; }
