// The language: everything that a file with kernels in it includes.
#pragma once
// First those from which a body's mistakes are reported: a compiler lists the way to a header by its first inclusion.
#include <sectile/dsl/program/operand.hpp>
//
#include <sectile/dsl/program/staged.hpp>
//
#include <sectile/dsl/program/handle.hpp>
//
#include <sectile/dsl/program/tile.hpp>
//
#include <sectile/dsl/program/misuse.hpp>
//
#include <sectile/dsl/program/reading.hpp>
//
#include <sectile/dsl/plan/planner.hpp>
//
#include <sectile/dsl/proofs/first_reading.hpp>

#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/proofs/verified.hpp>
