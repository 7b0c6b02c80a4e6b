// Whether what a body hands to an operation fits it: coordinates, operands of the right kind, values that can be stored
// or combined.
#pragma once
#include <sectile/dsl/plan/planner.hpp>
#include <sectile/dsl/program/shape_rules.hpp>

namespace sectile {

constexpr violation check_coordinates(const operand_facts& f, int given) {
  if (given == f.tile.rank) return {};
  return refuse(rule::operand_is_used_in_another_way, "a tile of ", f.name, " is named by ", f.tile.rank,
                f.tile.rank == 1 ? " coordinate" : " coordinates", ", one for each mode; ", given,
                given == 1 ? " is given" : " are given");
}
/// `given`: the modes that the coordinates count along. What counts along M' is a coordinate along M, too, and the
/// other way round, unless the operand has both, or is a vector: whether its numbers go along rows or columns of
/// C(M,M') is said by the name of its mode alone, and a coordinate of the other one would be there to say something
/// else.
struct given_modes {
  mode_id at[max_rank]{};
};
constexpr violation check_modes(const operand_facts& f, const given_modes& given) {
  for (int d = 0; d < f.tile.rank; ++d) {
    if (given.at[d] == mode_id::any || f.mode_at(d) == given.at[d]) continue;
    const bool other_prime = alike(f.mode_at(d), given.at[d]);
    if (other_prime && f.is_vector() && d == f.tile.rank - 1 && f.tile.extent[d] > 1)
      return refuse(rule::coordinate_is_along_another_mode, "the numbers of ", f.name, " go along ", f.mode_name[d],
                    ", as it is declared, but coordinate ", d, " counts along ", text_of(given.at[d]).text,
                    ": declare it a second time for that mode, in the same memory; where ", f.mode_name[d],
                    " is meant: as<\"", f.mode_name[d], "\">(x)");
    if (other_prime && !f.has(given.at[d])) continue;
    if (given.at[d] == mode_id::mixed)
      return refuse(rule::coordinate_is_along_another_mode, "coordinate ", d, " of a tile of ", f.name,
                    " counts tiles along ", f.mode_name[d], ", but the one given is made of several modes; where that "
                    "is meant, say so: as<\"", f.mode_name[d], "\">(x)");
    if (f.block[d] > 1)
      return refuse(rule::coordinate_is_along_another_mode, "coordinate ", d, " of a part of ", f.name,
                    " counts tiles along ", text_of(f.mode_at(d)).text, ", but the one given counts along ",
                    text_of(given.at[d]).text, ": of ", f.mode_name[d],
                    " a part is named by its tile, and has the blocks that the tile meets");
    return refuse(rule::coordinate_is_along_another_mode, "coordinate ", d, " of a tile of ", f.name,
                  " counts tiles along ", f.mode_name[d], ", but the one given counts along ",
                  text_of(given.at[d]).text, ": are they in another order? Where it is meant: as<\"", f.mode_name[d],
                  "\">(x)");
  }
  return {};
}
/// Coordinates that do not stand in braces, or not at all.
constexpr violation check_grouped_coordinates(const char* call, const operand_facts& f, int given) {
  if (given <= 0 && f.tile.rank > 0) return check_coordinates(f, 0);
  if (given <= 0)
    return refuse(rule::operand_is_used_in_another_way, call, "(", f.name, "): ", f.name,
                  " is a number, which has no coordinates; write ", call, "(", f.name,
                  call[0] == 's' ? ", {}, x)" : ", {})");
  return refuse(rule::operand_is_used_in_another_way, call, "(", f.name,
                ", ..): the coordinates of a tile stand in braces: ", call, "(", f.name, ", {m, n}",
                call[0] == 's' ? ", x)" : ")");
}
/// `x` in place of a coordinate.
constexpr violation check_coordinate(const operand_facts& f, const described& x) {
  return refuse(rule::operand_is_used_in_another_way, "a coordinate of a tile of ", f.name, " is ", x,
                ": coordinates count tiles, as those of sm.tile_of(C), the trips of a loop and plain numbers do");
}
constexpr violation check_order_of_store(const operand_facts& f) {
  return refuse(rule::operand_is_used_in_another_way,
                "store() takes the output, the place of its tile and the value, in ", "this order: store(", f.name,
                ", {m, n}, x)");
}
/// What load() and store() begin with.
constexpr violation check_operand_first(const char* call, const described& x) {
  return refuse(rule::operand_is_used_in_another_way, call, "() begins with an operand of the body, not with ", x,
                x.kind != value_kind::number
                    ? ""
                    : "; of one that is not there, for which given<..>() has 0, if constexpr asks");
}
constexpr violation check_copy_of_machine(const char* call, const operand_facts& f) {
  return refuse(rule::body_is_written_in_another_way, "sm.", call, "(", f.name,
                ", ..) of a copy of sm, as a lambda with ",
                "[=] has, or of a const sm: nothing it does is seen; capture by reference, [&]");
}
constexpr violation check_load(const operand_facts& f) {
  if (f.is_read()) return {};
  return refuse(rule::operand_is_used_in_another_way, "load(", f.name, "): ", f.name,
                " is an output; load() takes an input: declare it with input<>() to read it");
}
/// `call`: tile_of, or rows_of. Of operand number `o`.
constexpr violation check_tile_of(const operand_table& all, int o, const char* call = "tile_of") {
  const operand_facts& f = all.at[o];
  const int work = find_work(all);
  if (f.kind == operand_kind::output || o == work) return {};
  if (work < all.count && all.at[work].kind == operand_kind::input)
    return refuse(rule::operand_is_used_in_another_way, call, "(", f.name, "): no matrix is stored, so the work is ",
                  "divided by the tiles of the first one that is read: take ", call, "(", all.at[work].name,
                  f.kind == operand_kind::vector_output ? "), or declare a matrix that is stored"
                                                        : "), or declare the other in front of it");
  if (f.kind == operand_kind::vector_output)
    return refuse(rule::operand_is_used_in_another_way, call, "(", f.name, "): ", f.name,
                  " is written element by element; the work is divided by the tiles of a matrix, output<\"", f.name,
                  "(M,N)\", ..>()");
  return refuse(rule::operand_is_used_in_another_way, call, "(", f.name, "): ", f.name,
                " is an input; the work is divided by the tiles of the output: take ", call, "() of that");
}
/// `call`: block_of, or wide_block_of.
constexpr violation check_block_of(const operand_table& all, int o, const char* call) {
  const operand_facts& f = all.at[o];
  if (const violation v = check_tile_of(all, o, call); !v.holds() || f.tile.rank > 2) return v;
  return refuse(rule::operand_is_used_in_another_way, call, "(", f.name, "): a block is counted along the modes ",
                "before its rows and columns, and ", f.name, "(", f.mode_name[0], ",", f.mode_name[1],
                ") has none; declare one, as in output<\"", f.name, "(B,", f.mode_name[0], ",", f.mode_name[1],
                ")\", ..>()");
}
/// Of operand number `o`, whose rows have no elements yet.
constexpr violation check_no_elements(const operand_table& all, int o) {
  const operand_facts& f = all.at[o];
  const int work = find_work(all);
  if (f.tile.rank < 2)
    return refuse(rule::operand_is_used_in_another_way, "no_elements(", f.name, "): ", f.name,
                  " has no rows; take the matrix whose rows these elements are of: no_elements(",
                  work < all.count ? all.at[work].name : "C", ")");
  if (work >= all.count || all.at[work].position_of(f.row_mode()) >= 0 ||
      all.at[work].position_of(without_prime(f.row_mode())) >= 0)
    return {};
  return refuse(rule::values_are_along_other_modes, "no_elements(", f.name, "): its rows are along ",
                said_mode(text_of(f.row_mode())), ", which is no mode of ", all.at[work].name,
                ", whose tiles are the work; an element for each row of these begins with no_elements(",
                all.at[work].name, ")");
}
constexpr violation check_trips(const described& x) {
  violation v = refuse(rule::values_do_not_combine, "pipelined() takes a number of trips, not ", x);
  const bool named = x.kind == value_kind::operand;
  return v << "; all tiles of " << (named ? x.facts.name : "A") << " along a mode are tiles<\""
           << (named ? x.facts.mode_name[x.facts.tile.rank - 1] : "K") << "\">(" << (named ? x.facts.name : "A") << ")";
}
constexpr violation check_form_of(const char* call, int given, const char* right) {
  return refuse(rule::operand_is_used_in_another_way, call, "() with ", given, given == 1 ? " argument" : " arguments",
                ": write ", right);
}
/// A word of other languages that stands for nothing here. (With the number of arguments, so that it depends on the
/// call.)
constexpr violation check_word(const char* call, int,
                               const char* right =
                                   "leave it out: who waits for whom is derived from what the "
                                   "body loads, multiplies and stores") {
  return refuse(rule::body_is_written_in_another_way, "there is no ", call, "; ", right);
}
/// Of tile_of() and its like. What is given for an operand and is a number is an argument of the body that stands for
/// another one.
constexpr violation check_work_asked(const char* call, int given, bool of_number = false) {
  if (given == 1 && of_number)
    return refuse(rule::operand_is_used_in_another_way, call, "() of a scalar: it takes an operand; does body() take ",
                  "its arguments in the order in which operands(..) declares them?");
  const sentence right = sentence{} << "sm." << call << "(C) with the output C and nothing else";
  return check_form_of(call, given, right.text);
}
constexpr violation check_accumulator(const described& x) {
  return refuse(rule::values_do_not_combine,
                "accumulator() takes the output whose shape it has, or a product a * b, not ", x);
}
constexpr violation check_sums(const element& of) {
  if (of.bits > 0) return {};
  return refuse(rule::values_do_not_combine,
                "accumulator(C, as<T>()): no sum is a T; tensor cores sum in float, in f16 or in s32");
}
/// `typed`: whether the element type must be one that Hopper's epilogue rounds to the output's; other readings convert
/// more.
constexpr violation check_store(const operand_facts& f, const described& x, bool typed, bool swapped) {
  if (f.kind != operand_kind::output)
    return refuse(rule::operand_is_used_in_another_way, "store to ", f.name, ": ", f.name,
                  " is an input; store() takes an output: declare it with output<>() to write it");
  if (x.kind != value_kind::fragment) {
    violation v = refuse(rule::operand_is_used_in_another_way, "store to ", f.name, ": the value is ", x, "; ");
    if (x.kind == value_kind::product)
      v << "a product needs an accumulator: sm.accumulator(a * b); element by element it is "
           "cast<float>(in_registers(a)) * "
           "cast<float>(in_registers(b))";
    else if (x.kind == value_kind::tile && is_cast_to_numbers(x.facts.type))
      v << "what is stored is a fragment: cast<float>(in_registers(tile))";
    else if (is_line(x) || x.kind == value_kind::unfinished_rows)
      v << "what is stored to a matrix is a fragment; numbers of rows or columns go to a vector, as output<\"v("
        << f.mode_name[f.tile.rank - (as_in_the_body(x).kind == value_kind::cols ? 1 : 2)] << ")\", float>()";
    else if (x.kind == value_kind::outer)
      advise(v, x);
    else
      v << "what is stored is a fragment, the result of products";
    return v;
  }
  const auto shape_of = [](const operand_facts& y) {
    return matrix_shape{y.rows(), y.cols(), y.row_mode(), y.col_mode()};
  };
  const violation shape = check_store_shape(f.name, shape_in_body(shape_of(x.facts), swapped), shape_of(f));
  return shape.holds() && typed ? check_store_types(f.name, x.facts.type, f.type) : shape;
}

/// A vector takes a number, or an index, for each of its elements: of each row, or column, from a store.
constexpr violation check_vector_store(const operand_facts& f, const described& held) {
  const described x = as_in_the_body(held);
  const bool indices = x.kind == value_kind::indices;
  const bool cols = x.kind == value_kind::cols;
  const bool lines = cols || indices || x.kind == value_kind::rows || x.kind == value_kind::unfinished_rows;
  violation v = refuse(rule::operand_is_used_in_another_way, "store to ", f.name, ": the value is ", x);
  if (x.kind == value_kind::placed_rows) {
    v << ": ";
    advise(v, x);
    return v;
  }
  if (!lines || f.tile.rank == 0) {
    v << (f.tile.rank == 0 ? "; one number takes what is combined: sm.combine("
                           : "; a vector takes a number per row, "
                             "as row_sum(x) is, or what is combined: sm.combine(")
      << f.name << ", {..}, x, reduction::max)";
    return v;
  }
  const described met{cols ? value_kind::cols : value_kind::rows, x.facts};
  if (use_of_vector(f, met) != (cols ? vector_use::cols : vector_use::rows)) {
    v = {};
    say_why_apart(v, {value_kind::vector, f}, met);
    if (f.cols() == 1) v << "; a tile's one number is combined: sm.combine(" << f.name << ", {..}, x, ..)";
    return v;
  }
  if (indices ? f.type == element_of<s32>() : f.type == element_of<float>() || is_half(f.type)) return {};
  if (indices)
    return refuse(rule::store_type_differs_from_the_output, "store to ", f.name, ": indices are s32, not ", f.type.name,
                  "; declare ", f.name, " as s32");
  return refuse(rule::store_type_differs_from_the_output, "store to ", f.name,
                cols ? ": columns' numbers" : ": rows' numbers", " are f32 and become f32, bf16 or f16, not ",
                f.type.name, "; declare ", f.name, " as one of these");
}
/// A mode of a value that is combined, and is gone then, must be one of the work's: what hangs over its edge is left
/// out.
constexpr violation check_combined_mode(const operand_facts& work, const operand_facts& f, mode_id m, int extent) {
  const int d = work.position_of(m);
  if (d >= 0 && work.tile.extent[d] == extent) return {};
  return refuse(rule::values_are_along_other_modes, "combine into ", f.name, ": the value is along ",
                said_mode(text_of(m)), " (", extent, "), which is no mode of ", work.name,
                "'s tiles, so nobody knows "
                "where it ends; mask it, and reduce it by row_sum(), row_max() or row_min()");
}
constexpr violation check_combine(const operand_table& all, const operand_facts& f, const described& held) {
  const described x = as_in_the_body(held);
  if (f.kind != operand_kind::vector_output)
    return refuse(rule::operand_is_used_in_another_way, "combine into ", f.name, ": ", f.name,
                  f.kind == operand_kind::output ? " is a matrix, which is stored; only vectors are combined"
                                                 : " is an input; combine() takes an output",
                  ": output<\"", f.name, "(N)\", float>()");
  const bool rows = x.kind == value_kind::rows || x.kind == value_kind::unfinished_rows;
  const bool cols = x.kind == value_kind::cols;
  if (!x.is_sums() && !rows && !cols) {
    violation v = refuse(rule::operand_is_used_in_another_way, "combine into ", f.name, ": the value is ", x, "; ");
    if (x.kind == value_kind::number || x.kind == value_kind::none)
      v << "what is combined is a fragment of f32, or a number per row or column";
    else
      advise(v, x);
    return v;
  }
  if (f.type != element_of<float>())
    return refuse(rule::store_type_differs_from_the_output, "combine into ", f.name, ": memory combines f32, not ",
                  f.type.name, "; declare ", f.name, " as float");
  const described met{rows ? value_kind::rows : x.kind, x.facts};
  const vector_use use = use_of_output(f, met);
  if (use == vector_use::none) {
    violation v{};
    say_why_apart(v, {value_kind::vector, f}, met);
    return v;
  }
  if (find_work(all) == all.count) return {};  // that is said elsewhere
  const operand_facts& work = all.at[find_work(all)];
  const bool along_rows = use != vector_use::rows && !cols;  // whose mode is gone then
  if (along_rows)
    if (const violation v = check_combined_mode(work, f, x.facts.row_mode(), x.facts.rows()); !v.holds()) return v;
  if (use == vector_use::cols || rows) return {};
  return check_combined_mode(work, f, x.facts.col_mode(), x.facts.cols());
}

}  // namespace sectile
