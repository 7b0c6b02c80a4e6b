// What a thread has of numbers that become elements of a vector, for machines that compare them with what is written.
#pragma once
#include <sectile/dsl/program/reduction.hpp>

namespace sectile {

/// How a thread's numbers are told: of a fragment the registers of its blocks, of rows two of each block, of columns
/// two of each eight.
enum class told_form : std::uint8_t { fragment, rows, columns };
/// What an element of the vector is made of: of a row of the numbers, of a column, of all.
enum class told_line : std::uint8_t { row, column, all };

struct observed_vector {
  const void* first = nullptr;  // the element of the tile's first row or column
  int element_bytes = 4;
  int inside = 0;                   // elements from there on that the vector has
  int elements = 1;                 // and the tile
  reduction how = reduction::none;  // none: stored as they are
  told_form form = told_form::fragment;
  told_line line = told_line::all;
  int rows = 0;                          // of the tile's numbers
  int registers = 0;                     // told of each block
  int rows_inside = 0, cols_inside = 0;  // of the work: what else there is does not count
  int rows_left = 1, cols_left = 1;      // that the work has from the tile on: none where a cluster reaches beyond it
  bool mine = true;                      // this CTA has all of the sums
};

}  // namespace sectile
