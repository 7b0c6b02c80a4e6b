// The language: everything that a file with kernels in it includes.
#pragma once
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/program/reading.hpp>
#include <sectile/dsl/proofs/verified.hpp>
