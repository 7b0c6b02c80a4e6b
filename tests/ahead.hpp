// What tests of kernels and of the model include, compiled ahead for them (see precompile.cmake). Each includes what it uses
// all the same: clang++ compiles it without this.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>
