#pragma once
// The arguments of a call in the expression language: each is asked for as the kind that the function needs, and what
// is of another kind is refused at its place.

#include <string>
#include <vector>

#include <sectile/layouts/expression_value.hpp>

namespace sectile::expressions {

/// Why a text is not an expression, or has no value, and the position of the first character at fault.
struct misuse {
  int position = 0;
  std::string why;
  bool refused = false;  ///< the text is an expression, and a function of layouts/ refused its arguments
};

struct arguments;

/// A function of the language. It stands for one of layouts/ of the same name.
struct function {
  const char* name;
  const char* signature;  ///< "A, B" as help and errors show it
  int fewest;
  int most;
  value (*apply)(const arguments&);
};

/// The most arguments that any function takes.
inline constexpr int most_arguments = 24;

/// How many arguments a function takes: "1 argument", "2 to 3 arguments".
inline std::string arguments_text(const function& f) {
  const std::string fewest = std::to_string(f.fewest);
  if (f.fewest == f.most) return fewest + (f.most == 1 ? " argument" : " arguments");
  if (f.most == most_arguments) return fewest + " or more arguments";
  return fewest + " to " + std::to_string(f.most) + " arguments";
}

/// The arguments of one call. The accessors throw misuse.
struct arguments {
  const function* of = nullptr;
  std::vector<value> values = {};
  std::vector<int> positions = {};

  int count() const { return static_cast<int>(values.size()); }
  const value& operator[](int i) const { return values[static_cast<std::size_t>(i)]; }

  /// Refuses argument i: what was expected instead.
  [[noreturn]] void expected(int i, const std::string& what) const {
    throw misuse{positions[static_cast<std::size_t>(i)], "argument " + std::to_string(i + 1) + " of " + of->name + "(" +
                                                             of->signature + ") must be " + what + ", not " +
                                                             kind_name((*this)[i])};
  }

  template <class T>
  const T& as(int i, const char* what) const {
    const T* found = std::get_if<T>(&(*this)[i]);
    if (found == nullptr) expected(i, what);
    return *found;
  }

  std::int64_t integer(int i) const {
    std::int64_t result = 0;
    if (!as_integer((*this)[i], result)) expected(i, "an integer");
    return result;
  }

  /// An integer from low to high.
  int integer(int i, int low, int high) const {
    const std::int64_t result = integer(i);
    if (result >= low && result <= high) return static_cast<int>(result);
    throw misuse{positions[static_cast<std::size_t>(i)],
                 "argument " + std::to_string(i + 1) + " of " + of->name + "(" + of->signature + ") is " +
                     std::to_string(result) + "; it must be " + std::to_string(low) + " to " + std::to_string(high)};
  }

  /// The bits of an element: a number, or a type by its name.
  int bits(int i) const {
    if (const auto* type = std::get_if<element>(&(*this)[i])) return type->bits;
    if (std::int64_t number = 0; !as_integer((*this)[i], number)) expected(i, "an element type or its number of bits");
    return integer(i, 1, 1 << 20);
  }

  int_tuple tuple(int i) const {
    int_tuple result;
    if (!as_tuple((*this)[i], result)) expected(i, "a tuple of integers");
    return result;
  }

  /// A tuple without _.
  int_tuple numbers(int i) const {
    const int_tuple result = tuple(i);
    if (has_underscore(result)) expected(i, "a tuple without _");
    return result;
  }

  sectile::layout layout(int i) const {
    sectile::layout result;
    if (is_swizzled((*this)[i])) expected(i, "a layout without a swizzle");
    if (!as_layout((*this)[i], result)) expected(i, "a layout");
    return result;
  }

  swizzled_layout swizzled(int i) const {
    swizzled_layout result;
    if (!as_swizzled((*this)[i], result)) expected(i, "a layout");
    return result;
  }

  sectile::tiler tiler(int i) const {
    sectile::tiler result;
    if (!as_tiler((*this)[i], result)) expected(i, "a layout, a shape or a tiler <...>");
    return result;
  }

  /// A swizzle, or a swizzle mode, which means its swizzle of byte addresses.
  sectile::swizzle swizzle(int i) const {
    if (const auto* mode = std::get_if<swizzle_mode>(&(*this)[i])) return byte_swizzle(*mode);
    return as<sectile::swizzle>(i, "a swizzle Sw<bits,base,shift>");
  }

  const operand_tile& tile(int i) const { return as<typed_tile>(i, "an operand tile, as tile(...) makes it"); }

  bool swizzled_at(int i) const { return is_swizzled((*this)[i]); }

  /// Whether argument i is a tuple or a number and not a layout.
  bool tuple_at(int i) const {
    int_tuple ignored;
    return as_tuple((*this)[i], ignored);
  }
};

/// f(layout) or f(swizzled layout), whichever argument i is.
template <class F>
value on_layout(const arguments& a, int i, F f) {
  if (a.swizzled_at(i)) return f(a.swizzled(i));
  return f(a.layout(i));
}

/// f(tuple) or f(layout), whichever argument i is.
template <class F>
value on_tree(const arguments& a, int i, F f) {
  if (a.tuple_at(i)) return value_of(f(a.tuple(i)));
  return f(a.layout(i));
}

/// f(tuple), f(layout), or f of the layout inside a swizzled one, which stays under its swizzle: for what acts on
/// coordinates alone.
template <class F>
value on_any_tree(const arguments& a, int i, F f) {
  if (!a.swizzled_at(i)) return on_tree(a, i, f);
  const swizzled_layout l = a.swizzled(i);
  return with_swizzle(f(l.inner), l.pattern, l.offset);
}

}  // namespace sectile::expressions
