// What a block of the documents takes for granted if it includes nothing itself.
#pragma once
#include <sectile/dsl.hpp>
#include <sectile/layouts.hpp>

namespace st = sectile;
using namespace st::literals;
using st::bf16;
