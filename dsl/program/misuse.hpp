// What the values of a body cannot do, said in a sentence: without it a compiler would list all functions that do not
// fit. What fits is always more specialised, or asked for first, so what stands here is chosen only where there is
// none.
#pragma once
#include <sectile/dsl/program/advice.hpp>

namespace sectile {

/// Whether the form is that of a function of one value, "exp2(a)".
constexpr bool is_function_of_one(const char* form) {
  while (*form && *form != '(') ++form;
  return form[0] == '(' && form[1] == 'a' && form[2] == ')';
}
/// Of one that is called with more.
constexpr violation check_one_value(const char* form, int given) {
  return refuse(rule::values_do_not_combine, form, " with ", given,
                " arguments: it takes one value; what hangs on more numbers is map(x, y, f)");
}
/// A function of fragments that is called with one float, as in a function given to map().
constexpr violation check_plain_number(const char* form) {
  return refuse(
      rule::values_do_not_combine, form,
      " with a float: it takes a fragment or numbers per row, all elements "
      "at once: y = f(x), and then map(x, y, ..); in a function given to map() a float has those of <cmath>, ",
      "as std::exp(a)");
}
/// Whether a * b is meant as a product of matrices: what a has columns of, b has rows of, and they are not of one
/// shape.
constexpr bool is_meant_as_a_product(const operand_facts& a, const operand_facts& b) {
  if (a.tile.rank != 2 || b.tile.rank != 2 || a.cols() != b.rows() || !alike(a.col_mode(), b.row_mode())) return false;
  return a.rows() != b.rows() || a.cols() != b.cols() || !alike(a.row_mode(), b.row_mode());
}
/// Why a * b is no product of a tile and a fragment that is meant as one of matrices; false: none is.
constexpr bool say_why_no_factor(violation& v, const described& a, const described& b) {
  const element& of = b.facts.type;
  if (a.kind == value_kind::tile && b.kind == value_kind::fragment) {
    v << "the right factor must be a tile in shared memory; swap the factors, or transpose the product; element by "
      << "element: "
      << (a.facts.type == element_of<float>() ? "in_registers(a) * b" : "cast<float>(in_registers(a)) * b");
  } else if (a.kind != value_kind::fragment) {
    return false;
  } else if (b.kind == value_kind::fragment && is_meant_as_a_product(a.facts, b.facts)) {
    v.what = rule::a_tile_is_a_factor_or_brought_into_registers;
    v << "the right factor must be a tile in shared memory, as sm.load() gives it; in registers only the left one can "
         "be";
  } else if (b.kind == value_kind::tile && is_cast_from_sums(of)) {
    v << "an accumulator is no operand yet; write cast<" << of.name
      << (is_half(of) ? ">(a) * b; element by element: a * cast<float>(in_registers(b))" : ">(a) * b");
  } else if (b.kind == value_kind::tile && of == element_of<float>()) {
    v << "no product takes f32: declare " << b.facts.name
      << " as bf16 or tf32; element by element: a * in_registers(b)";
  } else if (b.kind == value_kind::tile) {
    v << "an accumulator is no operand yet; and none becomes " << of.name << ": declare " << b.facts.name
      << " as a type that cast has: f16, bf16, tf32, e4m3, e5m2, s8, u8";
  } else {
    return false;
  }
  return true;
}
/// Why these values do not combine as the form says, "a + b" or "exp2(a)".
constexpr violation check_values(const char* form, const described_values& held) {
  if (held.has(value_kind::refused)) return {};
  described_values all{held.count};
  for (int i = 0; i < held.count; ++i) all.at[i] = as_in_the_body(held.at[i]);
  const described &a = all.at[0], &b = all.at[1];
  if (form[0] == 'm' && a.kind == value_kind::placed_rows && b.kind == value_kind::placed_rows)  // max() or min()
    return refuse(rule::values_are_along_other_modes, form, " with elements of rows: a is along ",
                  said_mode(text_of(a.facts.row_mode())), ", b along ", said_mode(text_of(b.facts.row_mode())),
                  "; what is gathered in a loop begins with sm.no_elements() of a matrix with the same rows");
  const bool times = form[0] == 'a' && form[2] == '*';
  violation v = refuse(rule::values_do_not_combine, form, " with ");
  for (int i = 0; i < all.count; ++i) {
    if (i > 0) v << (i + 1 == all.count ? " and " : ", ");
    v << all.at[i];
  }
  v << ": ";
  const described* worst = nullptr;  // loading comes before anything else
  const auto look_for = [&](value_kind k) {
    for (int i = 0; i < all.count; ++i)
      if (!worst && all.at[i].kind == k) worst = &all.at[i];
  };
  look_for(value_kind::operand);
  look_for(value_kind::unfinished_rows);
  if (all.count == 1) look_for(value_kind::number);
  if (!worst && times && say_why_no_factor(v, a, b)) return v;
  look_for(value_kind::product);
  for (int i = 0; i < all.count; ++i)
    if (!worst && !may_combine(all.at[i])) worst = &all.at[i];
  const described* met = all.largest();
  if (!worst && !met) look_for(value_kind::vector);
  if (!met || !(met->is_sums() || met->is_addend())) look_for(value_kind::outer);
  if (!worst && times) look_for(value_kind::tile);
  const described* apart = nullptr;
  for (int i = 0; met && i < all.count; ++i)
    if (all.at[i].kind == value_kind::vector && use_of_vector(all.at[i].facts, *met) == vector_use::none)
      apart = &all.at[i];
  if (worst) {
    advise(v, *worst);
  } else if (apart) {
    say_why_apart(v, *apart, *met);
    if (is_line(*met) && all.count == 2)
      v << "; of a fragment x along both, "
        << (times ? "x * (a * b) takes the two in_registers()" : "map(x, a, b, f) takes the two");
  } else if (all.has(value_kind::cols) && !all.has(value_kind::rows) && all.count > 1 && a.facts.tile.rank == 2 &&
             b.facts.tile.rank == 2) {
    v.what = rule::values_are_along_other_modes;
    for (const described* x : {&a, &b})
      v << (x == &a ? "columns of a are along " : ", those of b along ") << said_mode(text_of(x->facts.col_mode()))
        << " (" << x->facts.cols() << ")";
    v << "; a number per column meets the same columns";
  } else if (all.count > 1 && a.facts.tile.rank == 2 && b.facts.tile.rank == 2 && a.facts.rows() == b.facts.rows() &&
             (!a.is_sums() || !b.is_sums() || a.facts.cols() == b.facts.cols())) {
    v.what = rule::values_are_along_other_modes;
    for (const described* x : {&a, &b}) {
      v << (x == &a ? "a is along " : ", b along ") << said_mode(text_of(x->facts.row_mode()));
      if (x->is_sums() || x->is_addend() || x->kind == value_kind::outer)
        v << " x " << said_mode(text_of(x->facts.col_mode()));
    }
    v << "; in registers nothing is transposed: load or sum one of them the other way";
  } else {
    v.what = rule::shapes_do_not_match;
    v << (all.has(value_kind::cols) ? "a number per column meets a fragment of the same columns"
                                    : "they must have the same shape, or the same rows");
  }
  return v;
}
/// Of a loop over a row's tiles.
inline constexpr const char* what_begins =
    ": a number stays one; sums begin with row_sum(sm.accumulator(C)), zeros, others with the first trip, outside of "
    "the "
    "loop over the rest";
constexpr violation check_constant(const char* form, const described& acc) {
  return refuse(rule::values_do_not_combine, form, ": acc, ", acc, ", is const; declare it auto, not const auto");
}
constexpr violation check_in_place(const char* form, const described& a, const described& b, bool constant) {
  if (a.kind == value_kind::refused || b.kind == value_kind::refused) return {};
  const described_values all{2, {a, b}};
  if (a.kind == value_kind::number && (is_line(b) || b.kind == value_kind::unfinished_rows))
    return refuse(rule::values_do_not_combine, form, " with a number and ", b, what_begins);
  if (!all.combine()) return check_values(form, all);
  if (constant) return refuse(rule::values_do_not_combine, form, ": a is const; declare it auto, not const auto");
  if (a.is_sums() || (is_line(a) && b.kind != value_kind::fragment)) return {};
  violation v = refuse(rule::values_do_not_combine, form, " with ", a, " and ", b,
                       ": the result is larger than a; name it: auto x = ");
  const char operation[] = {form[2], 0};
  return v << "a " << operation << " b";
}

constexpr violation check_cast(const described& x, const element& to) {
  if (to.bits == 0)
    return refuse(rule::values_do_not_combine, "cast of ", x,
                  " to a type that no element has: bodies compute with float, and operands are f32 tf32 f16 bf16 e4m3 "
                  "e5m2 s8 u8 s32 s4x2 u4x2 or b1x8");
  violation v = refuse(rule::values_do_not_combine, "cast to ", to.name, " of ", x, ": ");
  const element& from = x.facts.type;
  if (x.kind == value_kind::operand) {
    advise(v, x);
  } else if (x.kind == value_kind::tile && is_cast_to_numbers(from)) {
    v << "cast takes registers: cast<" << (to.bits == 16 && from.bits <= 8 ? to.name : "float")
      << ">(in_registers(tile))";
  } else if (x.kind == value_kind::tile && from == element_of<float>()) {
    v << "cast takes registers, and these hold f32 as they are: in_registers(tile)";
  } else if (x.kind == value_kind::tile) {
    v << "tiles of " << from.name << " are factors of products only: there is no cast of their elements";
  } else if (x.kind == value_kind::rows || x.kind == value_kind::cols || x.kind == value_kind::vector) {
    v << "only fragments are cast; "
      << (to == element_of<float>() ? "this is f32 already wherever it meets one: leave the cast out"
                                    : "this is f32 until it is stored, to a vector of that type");
  } else if (x.kind != value_kind::fragment && x.kind != value_kind::indices) {
    v << "only fragments can be cast; ";
    advise(v, x);
  } else if (is_cast_to_numbers(from)) {
    v << from.name << (from.bits <= 8 ? " becomes f32, bf16 or f16" : " becomes f32 and nothing else")
      << ": cast<float>() first";
  } else if (from == element_of<float>()) {
    v << "f32 becomes f16, bf16, tf32, e4m3, e5m2, s8 or u8";
  } else {
    advise_packed(v, from);
  }
  return v;
}
constexpr violation check_own_cast(const described& x) {
  return refuse(rule::body_is_written_in_another_way, x, " becomes another type by a function: cast<bf16>(x); what is ",
                "stored is rounded to the output's type without a word");
}
constexpr violation check_own_copy(const described& x) {
  return refuse(rule::body_is_written_in_another_way, x, " loads and stores nothing by itself, the body's first ",
                "argument does: sm.load(A, {m, k}), sm.store(C, {m, n}, x)");
}
constexpr violation check_total(const described& x) {
  return refuse(rule::body_is_written_in_another_way, "total() of ", x, ", which is complete: leave it out; it is for ",
                "what row_sum() gives, parts that four lanes hold");
}
constexpr violation check_reduction(const char* form, const described& x) {
  violation v = refuse(rule::values_do_not_combine, form, " with ", x, ": ");
  if (is_plain(x))
    v << "it takes a fragment of f32, whose " << (form[0] == 'c' ? "columns" : "rows") << " have many numbers";
  else
    advise(v, x);
  return v;
}
constexpr violation check_in_registers(const described& x) {
  violation v = refuse(rule::values_do_not_combine, "in_registers() takes a tile in shared memory, not ", x);
  if (x.kind == value_kind::fragment) v << ", which is in registers";
  if (x.kind == value_kind::operand) v << "; write in_registers(sm.load(" << x.facts.name << ", {..}))";
  if (x.kind == value_kind::vector)
    v << "; of vectors it takes those along the rows or the columns of the work's tiles, others meet a fragment as "
         "they "
         "are";
  return v;
}
constexpr violation check_transpose(const described& x) {
  violation v = refuse(rule::values_do_not_combine, "transpose() takes a tile in shared memory, not ", x);
  if (x.kind == value_kind::operand) v << "; write transpose(sm.load(" << x.facts.name << ", {..}))";
  if (x.kind == value_kind::product) v << "; the transpose of a * b is transpose(b) * transpose(a)";
  if (x.kind == value_kind::fragment)
    v << "; an output that is declared col_major is stored as its transpose, and that of a * b is transpose(b) * "
         "transpose(a)";
  return v;
}
constexpr violation check_own_transpose(const described& x) {
  if (x.kind != value_kind::tile && x.kind != value_kind::operand) return check_transpose(x);
  return refuse(rule::operand_is_used_in_another_way, x, " is transposed by a function: transpose(",
                x.kind == value_kind::tile ? "tile" : "sm.load(", x.kind == value_kind::tile ? "" : x.facts.name,
                x.kind == value_kind::tile ? ")" : ", {..}))");
}
constexpr violation check_number(const described& x) {
  violation v = refuse(rule::values_do_not_combine, x, " is no number");
  if (x.is_sums() || is_line(x))
    v.what = rule::a_fragment_is_no_number_use_map,
    v << ": every thread holds some of its elements; a function of each is map(x, [](float a) { return ..; })";
  else
    v << ": ", advise(v, x);
  return v;
}
constexpr violation check_element(const described& x) {
  if (x.kind == value_kind::tile)
    return refuse(rule::a_fragment_is_no_number_use_map, x,
                  " has no elements to name: bring it into registers, x = cast<float>(in_registers(tile)); map() and "
                  "mask() reach each there");
  return refuse(
      rule::a_fragment_is_no_number_use_map, x,
      " has no elements to name: they are spread over threads; map() and mask() reach each, row_max() and row_sum() "
      "rows");
}
constexpr violation check_filling(const described& a, const described& b) {
  if (a.is_sums() && b.kind == value_kind::number) return {};
  violation v = refuse(rule::values_do_not_combine, a, " is set to ", b, ": ");
  if (b.kind == value_kind::fragment && a.facts.type == b.facts.type && a.facts.rows() == b.facts.rows() &&
      a.facts.cols() == b.facts.cols()) {
    v.what = rule::values_are_along_other_modes;
    for (const described* x : {&a, &b})
      v << (x == &a ? "it is along " : ", what it is set to along ") << said_mode(text_of(x->facts.row_mode())) << " x "
        << said_mode(text_of(x->facts.col_mode()));
    return v << "; name the value: auto x = ..";
  }
  return v << "only a fragment of the same type and shape, a product, or a number for all of f32 can be assigned";
}
constexpr violation check_rows_set(const described& a, const described& b) {
  violation v = refuse(rule::values_do_not_combine, a, " is set to ", b, ": ");
  if (b.kind == value_kind::unfinished_rows || b.kind == value_kind::placed_rows || b.kind == value_kind::indices)
    advise(v, b);
  else if (a.kind == value_kind::unfinished_rows)
    v << "only another of the same rows can be assigned, unfinished as well; its total() is a number per row";
  else
    v << "only another of the same " << (as_in_the_body(a).kind == value_kind::cols ? "columns" : "rows")
      << " can be assigned";
  return v;
}
constexpr violation check_printing(const described& x) {
  return refuse(
      rule::values_do_not_combine, x,
      " cannot be printed: a body is read at compile time and runs on the GPU; store it, and print what was stored");
}
constexpr violation check_choice(const described& c, const described& a, const described& b) {
  if (c.kind == value_kind::refused || a.kind == value_kind::refused || b.kind == value_kind::refused) return {};
  if (c.kind > value_kind::number) return check_number(c);
  return refuse(rule::values_do_not_combine, "select(c, a, b) with ", a, " and ", b,
                ": it chooses between numbers; element by element it is map(x, y, f), "
                "by their place mask(x, at, visible, value)");
}
constexpr violation check_tile_loop(const described& x) {
  const bool named = x.kind == value_kind::operand;
  return refuse(rule::loops_over_tiles_are_pipelined, "a loop over tiles is for (auto k : sm.pipelined(tiles<\"",
                named ? x.facts.mode_name[x.facts.tile.rank - 1] : "K", "\">(", named ? x.facts.name : "A", ")))");
}

constexpr violation check_part_named(const operand_facts& f) {
  return refuse(rule::a_tile_must_be_loaded_first, "operand ", f.name,
                " has no elements that a body could name: it is read and written in tiles, by sm.load(", f.name,
                ", {..}) and sm.store(", f.name, ", {..}, x)");
}
constexpr violation check_mode_named(const operand_facts& f) {
  if (f.tile.rank == 0) return check_has_mode(f, {"M"});
  const char* mode = f.mode_name[f.tile.rank - 1];
  return refuse(rule::operand_is_used_in_another_way, "tiles, sizes and extents of ", f.name,
                " are asked for by the name of a mode: tiles<\"", mode, "\">(", f.name, "), size<\"", mode, "\">(",
                f.name, "), extent<\"", mode, "\">(", f.name, ")");
}

// ---- what becomes of refused values

/// Marks the body as refused, where the value knows its reading.
template <class X>
constexpr void mark_refused(const X& x) {
  if constexpr (requires { x.reading->refused; })
    x.reading->refused = true;
  else if constexpr (kind_of_value<X> == value_kind::product)
    mark_refused(x.b);
  else if constexpr (requires { x.share.reading; })
    mark_refused(x.share);
  else if constexpr (requires { x.value.reading; })
    mark_refused(x.value);
}
template <class... X>
constexpr refused_value refused(const X&... x) {
  (mark_refused(x), ...);
  return {};
}
/// The same if V does not hold, and for what meets a refused value: that is refused without another word.
template <violation V, class... X>
constexpr void refuse_unless_it_holds(const X&... x) {
  if constexpr (!V.holds() || ((kind_of_value<X> == value_kind::refused) || ...)) refused(x...);
}

// ---- refusals

template <asked_for What, class X>
constexpr violation no_use() {
  if constexpr (What == asked_for::number) static_cast<void>(sizeof(note<number_refusal<asked_with<X>>>));
  if constexpr (What == asked_for::number && has_noted<comparison_refusal<X>>()) return {};
  constexpr described x = describe<X>();
  switch (What) {
    case asked_for::number:
      return check_number(x);
    case asked_for::element:
      return check_element(x);
    case asked_for::transpose:
      return check_own_transpose(x);
    case asked_for::cast:
      return check_own_cast(x);
    case asked_for::total:
      return check_total(x);
    case asked_for::range:
      return check_tile_loop(x);
    case asked_for::part:
      return check_part_named(x.facts);
    case asked_for::modes:
      return check_mode_named(x.facts);
    case asked_for::copy:
      return check_own_copy(x);
  }
}
template <class A, class B>
constexpr violation no_rows() {
  return check_rows_set(describe<A>(), describe<B>());
}
template <class A, class B>
constexpr violation no_filling() {
  return check_filling(describe<A>(), describe<B>());
}
template <class Stream, class X>
requires(body_value<X> && !std::is_same_v<Stream, violation>) constexpr Stream& operator<<(Stream& out, const X& x) {
  static_assert(decltype(reason<check_printing(describe<X>())>())::verified);
  refused(x);
  return out;
}

/// select() among anything but numbers, or by anything but a condition that a run decides.
template <class C, class A, class B>
requires(body_value<A> || body_value<B> || body_value<C>) constexpr refused_value
    select(const C& c, const A& a, const B& b) {
  static_assert(decltype(reason<check_choice(describe<C>(), describe<A>(), describe<B>())>())::verified);
  return refused(c, a, b);
}
/// cast<T>() of what has no such conversion: of a number as well, as std::exp(x) makes one of a fragment.
template <class T, class X>
requires(body_value<X> || staged_or_known<X>) constexpr refused_value cast(const X& x) {
  static_assert(decltype(reason<check_cast(describe<X>(), element_or_none<T>())>())::verified);
  return refused(x);
}

}  // namespace sectile
