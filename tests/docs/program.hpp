// What most programs of the documents include, compiled ahead for them. Each includes what it uses all the same, which the
// exhaustive tests show.
#pragma once
#include <cstdio>
#include <sectile/dsl/launch/model.hpp>
#include <vector>
