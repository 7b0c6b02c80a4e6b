#pragma once
// The laws of layouts in one place: coalesce and filter, composition, complement, inverses.

#include <sectile/layouts/coalesce.hpp>
#include <sectile/layouts/complement.hpp>
#include <sectile/layouts/composition.hpp>
#include <sectile/layouts/inverse.hpp>
