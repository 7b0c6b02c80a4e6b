// The language: everything that a file with kernels in it includes.
//
// It is a table of contents as well. The headers stand in the order in which one can read them, each behind those that
// it includes; so a compiler, which lists the way to a header by its first inclusion, goes one step from here to the
// one with the check that has failed.
#pragma once

// Names that no macro may have.
#include <sectile/layouts/free_letters.hpp>

// ---- the vocabulary of a body, and how it is refused

// How the compiler says no.
#include <sectile/dsl/program/refusal.hpp>
// Modes and their names.
#include <sectile/dsl/program/mode.hpp>
// One way to run a program.
#include <sectile/dsl/program/configuration.hpp>
// What a program works on.
#include <sectile/dsl/program/operand.hpp>
// Numbers that a run decides.
#include <sectile/dsl/program/staged.hpp>
// What values of a body do not have.
#include <sectile/dsl/program/misused_value.hpp>
// What a body gets for each operand.
#include <sectile/dsl/program/handle.hpp>
// Which shapes fit.
#include <sectile/dsl/program/shape_rules.hpp>
// Tiles, and their products.
#include <sectile/dsl/program/loaded_tile.hpp>
// Fragments.
#include <sectile/dsl/program/tile.hpp>
// Parts of vectors.
#include <sectile/dsl/program/loaded_vector.hpp>
// A number per row, or per column.
#include <sectile/dsl/program/columns.hpp>
// The largest, the least and the sum of each row.
#include <sectile/dsl/program/rows.hpp>
// All of these without their types.
#include <sectile/dsl/program/values.hpp>
// What a compiler has come by.
#include <sectile/dsl/program/noted.hpp>
// What they cannot do.
#include <sectile/dsl/program/misuse.hpp>
// Other types of elements.
#include <sectile/dsl/program/cast.hpp>
// Left factors of narrower elements.
#include <sectile/dsl/program/widened.hpp>
// One number for all rows.
#include <sectile/dsl/program/one_number.hpp>
// Numbers of rows times numbers of columns.
#include <sectile/dsl/program/rows_by_columns.hpp>
// How a vector's numbers meet others.
#include <sectile/dsl/program/spread_vector.hpp>
// What is done to the elements in one place.
#include <sectile/dsl/program/by_elements.hpp>
// Arithmetic, element by element.
#include <sectile/dsl/program/elementwise.hpp>
// Products that are made in parts.
#include <sectile/dsl/program/product_by_blocks.hpp>
// Functions of the language.
#include <sectile/dsl/program/math.hpp>
// What is known of the program's own functions.
#include <sectile/dsl/program/function_facts.hpp>
// How they are called.
#include <sectile/dsl/program/functions.hpp>
// What is made of rows.
#include <sectile/dsl/program/row_reductions.hpp>
// What is made of columns.
#include <sectile/dsl/program/col_reductions.hpp>
// And of all rows' numbers.
#include <sectile/dsl/program/all_rows.hpp>
// And of a block's, about their mean.
#include <sectile/dsl/program/center.hpp>
// Vectors that a kernel writes.
#include <sectile/dsl/program/vector_outputs.hpp>
// Those that are summed over tiles.
#include <sectile/dsl/program/tile_sums.hpp>
// What all readings of a body have in common.
#include <sectile/dsl/program/reading.hpp>

// ---- the plan

// A product and its instruction.
#include <sectile/dsl/plan/product.hpp>
// What a reading writes down.
#include <sectile/dsl/plan/trace_log.hpp>
// The reading that makes the plan.
#include <sectile/dsl/plan/planner.hpp>
// How the last tiles are shared out.
#include <sectile/dsl/plan/stream.hpp>
// The plan of a kernel.
#include <sectile/dsl/plan/build.hpp>

// ---- the proofs

#if SECTILE_SAYS_WHAT_IS_WRONG
// What a body calls in another way.
#include <sectile/dsl/proofs/misused_calls.hpp>
// Words of other languages.
#include <sectile/dsl/proofs/foreign_words.hpp>
// What a program declares.
#include <sectile/dsl/proofs/declarations.hpp>
// What else its body gets wrong.
#include <sectile/dsl/proofs/first_reading.hpp>
#endif
// Everything else.
#include <sectile/dsl/proofs/verified.hpp>
