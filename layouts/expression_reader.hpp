#pragma once
// Reads an expression from left to right and evaluates it on the way (notation: expression.hpp). From loose to tight:
// == and !=, o, the operators of integers as in C++, minus, a coordinate in parentheses behind a value, the colon
// between shape and stride.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sectile/layouts/expression_coordinate.hpp>
#include <sectile/layouts/expression_names.hpp>
#include <sectile/layouts/expression_text.hpp>

namespace sectile::expressions {

/// The most parentheses, brackets and minus signs around anything.
inline constexpr int most_nested = 50;

/// Reads one text. What is wrong is thrown as misuse; layout_error does not leave it.
class expression_reader {
 public:
  explicit expression_reader(std::string_view text) : in_(text) {}

  /// let name = value; ... value
  value program() {
    while (in_.accept_word("let")) definition();
    value result = comparison();
    in_.accept(";");
    if (!in_.at_end()) in_.fail(instead_of_the_end());
    return result;
  }

 private:
  struct named {
    std::string name;
    value of;
  };

  /// What the reader is inside of, innermost last; and whether that is too deep.
  struct inside {
    expression_reader& reader;
    const bool brackets, tuple;

    inside(expression_reader& in, bool in_brackets, bool in_tuple)
        : reader(in), brackets(in.in_brackets_), tuple(in.in_tuple_) {
      if (++reader.depth_ > most_nested) reader.in_.fail("nested more than " + std::to_string(most_nested) + " deep");
      reader.in_brackets_ = in_brackets;
      reader.in_tuple_ = in_tuple;
    }
    ~inside() {
      --reader.depth_;
      reader.in_brackets_ = brackets;
      reader.in_tuple_ = tuple;
    }
    inside(const inside&) = delete;
  };

  /// What f gives; what the algebra refuses on the way is wrong at `position`.
  template <class F>
  value guarded(int position, F f) {
    try {
      return f();
    } catch (const layout_error& refused) {
      throw misuse{position, refused.what(), true};
    }
  }

  std::string instead_of_the_end() {
    if (in_.peek() == ')') return "there is no '(' for this ')'";
    if (in_.peek() == ',') return "expected the end; a tuple needs parentheses";
    return "expected the end";
  }

  void definition() {
    const std::string name(in_.next_word());
    if (name.empty()) in_.fail("expected a name after let");
    const bool taken = name == "let" || name == "o" || name == "Sw" || name == "S";
    if (taken || function_named(name) != nullptr || constant_named(name) != nullptr) {
      in_.fail("'" + name + "' has a meaning already; choose another name");
    }
    in_.accept(name);
    if (in_.comes("==") || !in_.accept("=")) in_.fail("expected '=' after let " + name);
    value of = comparison();
    if (!in_.accept(";")) in_.fail("expected ';' and an expression after let " + name + " = ...");
    for (named& known : names_) {
      if (known.name == name) return void(known.of = std::move(of));
    }
    names_.push_back({name, std::move(of)});
  }

  value comparison() {
    value left = chain();
    const int position = in_.position();
    const bool equal = in_.accept("==");
    if (!equal && !in_.accept("!=")) return left;
    const value right = chain();
    written_out_ = false;
    return guarded(position, [&]() -> value {
      const std::optional<bool> same = same_value(left, right);
      if (same) return *same == equal;
      throw misuse{position, std::string(kind_name(left)) + " and " + kind_name(right) + " cannot be compared"};
    });
  }

  static constexpr std::string_view ring = "\xE2\x88\x98";  // how mathematics writes composition

  bool at_composition() { return in_.next_word() == "o" || in_.comes(ring); }

  /// A o B o C = A o (B o C). A number right behind a swizzle is the offset before it.
  value chain() {
    std::vector<value> parts;
    std::vector<int> positions;
    in_.skip_pointer();
    do {
      positions.push_back(in_.position());
      parts.push_back(binary(0));
      const bool composed = parts.size() > 1 || at_composition();
      if (composed && !written_out_ && std::holds_alternative<std::int64_t>(parts.back())) {
        throw misuse{positions.back(),
                     "a computed integer cannot be composed; for the offset of a coordinate put the "
                     "composition into parentheses"};
      }
    } while (in_.accept_word("o") || in_.accept(ring));
    if (parts.size() > 1) written_out_ = false;
    for (std::size_t last = parts.size() - 1; last > 0; last = parts.size() - 1) {
      const bool offset = last > 1 && std::holds_alternative<std::int64_t>(parts[last - 1]) &&
                          std::holds_alternative<swizzle>(parts[last - 2]);
      const std::size_t first = offset ? last - 2 : last - 1;
      int_tuple origin;
      const auto* coordinates = std::get_if<coordinate_layout>(&parts[last]);
      if (coordinates != nullptr && as_tuple(parts[first], origin))
        parts[first] = guarded(positions[first], [&] { return begun(origin, *coordinates); });
      else
        parts[first] = offset ? call("with_swizzle", {parts[last], parts[first], parts[last - 1]},
                                     {positions[last], positions[first], positions[last - 1]})
                              : call("composition", {parts[first], parts[last]}, {positions[first], positions[last]});
      parts.resize(first + 1);
    }
    return std::move(parts.front());
  }

  value call(const char* name, std::vector<value> values, std::vector<int> positions) {
    const int position = positions.front();
    return applied_to(position, {function_named(name), std::move(values), std::move(positions)});
  }

  /// The value of a call. A layout that is only joined of others is held to the bounds of layouts here.
  value applied_to(int position, const arguments& a) {
    return guarded(position, [&] {
      value result = a.of->apply(a);
      if (const auto* l = std::get_if<layout>(&result)) checked_layout(*l);
      if (const auto* l = std::get_if<swizzled_layout>(&result)) with_swizzle(l->inner, l->pattern, l->offset);
      return result;
    });
  }

  /// Operators of integers that bind at least as tight as `loosest`.
  value binary(int loosest) {
    value left = negated();
    for (;;) {
      const int position = in_.position();
      const integer_operator* found = in_.next_operator(loosest);
      if (found == nullptr || (in_brackets_ && in_.peek() == '>')) return left;
      in_.accept(found->sign);
      const value right = binary(found->tightness + 1);
      written_out_ = false;
      std::int64_t a = 0, b = 0;
      if (!as_integer(left, a) || !as_integer(right, b)) {
        throw misuse{position, "'" + std::string(found->sign) + "' takes two integers, not " + kind_name(left) +
                                   " and " + kind_name(right)};
      }
      left = guarded(position, [&] { return value(apply(found->sign, a, b)); });
    }
  }

  value negated() {
    if (in_.peek() != '-' || in_.at_number()) return applied();
    const inside here(*this, in_brackets_, in_tuple_);
    const int position = in_.position();
    in_.accept("-");
    const value of = negated();
    written_out_ = false;
    std::int64_t number = 0;
    if (!as_integer(of, number)) throw misuse{position, std::string("'-' takes an integer, not ") + kind_name(of)};
    return -number;
  }

  /// An operand, or shape:stride, and the coordinates it is applied to.
  value applied() {
    const int position = in_.position();
    value result = operand();
    if (!in_tuple_ && in_.accept(":")) result = layout_of(result, position);
    while (in_.peek() == '(') result = coordinate_of(result, position);
    return result;
  }

  /// Reads the stride of a shape.
  value layout_of(const value& extents, int position) {
    const int stride_position = in_.position();
    if (in_.at_steps()) {
      const int_tuple shape = shape_of_value(extents, position);
      written_out_ = false;
      return guarded(position, [&] { return require_extents(shape), value(in_.steps_of(shape)); });
    }
    const value steps = operand();
    written_out_ = false;
    return guarded(position, [&] { return layout_of_values(extents, position, steps, stride_position); });
  }

  /// (i, j, ...) behind a value: the offset there, or with _ the slice.
  value coordinate_of(const value& of, int position) {
    const int open = in_.position();
    const std::vector<value> parts = list().first;
    written_out_ = false;
    int_tuple coordinate = empty_tree<int_tuple>();
    for (const value& part : parts) {
      int_tuple index;
      if (!as_tuple(part, index))
        throw misuse{open, std::string("a coordinate holds integers, not ") + kind_name(part)};
      add_mode(coordinate, index, open);
    }
    if (parts.size() != 1) coordinate = wrap(coordinate);
    return guarded(position, [&] { return at_coordinate(of, coordinate, position); });
  }

  /// What stands alone: a number, a name, a call, a swizzle, something in parentheses or brackets.
  value operand() {
    const bool wildcard = in_.at_wildcard();
    written_out_ = wildcard || (in_.at_number() && !in_.at_hexadecimal());
    if (in_.peek() == '(') return parenthesised();
    if (in_.peek() == '<') return bracketed();
    if (in_.comes("ArithTuple(")) return in_.accept("ArithTuple"), parenthesised();
    if (wildcard) return in_.accept("_"), int_tuple(_);
    if (in_.at_hexadecimal()) return in_.hexadecimal();
    if (in_.at_number()) return in_.number();
    if (in_.at_swizzle()) return in_.swizzle_literal();
    if (!in_.next_word().empty()) return word_value();
    in_.fail(in_.expected_operand());
  }

  /// A call, or the value of a name.
  value word_value() {
    const int position = in_.position();
    const std::string word(in_.next_word());
    in_.accept(word);
    for (const named& known : names_) {
      if (known.name == word) return known.of;
    }
    if (const value* known = constant_named(word)) return *known;
    if (const function* known = function_named(word)) return called(*known, position);
    std::vector<std::string> mine;
    for (const named& known : names_) mine.push_back(known.name);
    const std::string meant = nearest_names(word, mine);
    throw misuse{position, std::string("there is no ") + (in_.peek() == '(' ? "function" : "name") + " '" + word + "'" +
                               (meant.empty() ? "" : "; " + meant)};
  }

  value called(const function& f, int position) {
    if (in_.peek() != '(') in_.fail(std::string("expected '(' after the function ") + f.name);
    auto [values, positions] = list();
    written_out_ = false;
    const int given = static_cast<int>(values.size());
    if (given < f.fewest || given > f.most) {
      throw misuse{position, std::string(f.name) + "(" + f.signature + ") takes " + arguments_text(f) + ", not " +
                                 std::to_string(given)};
    }
    return applied_to(position, {&f, std::move(values), std::move(positions)});
  }

  /// (a, b, ...) with the position of each.
  std::pair<std::vector<value>, std::vector<int>> list() {
    const inside here(*this, false, false);
    in_.accept("(");
    std::pair<std::vector<value>, std::vector<int>> result;
    if (in_.accept(")")) return result;
    do {
      if (result.first.size() == most_arguments) in_.fail("more than " + std::to_string(most_arguments) + " arguments");
      result.second.push_back(in_.position());
      result.first.push_back(comparison());
    } while (in_.accept(","));
    if (!in_.accept(")")) in_.fail("expected ',' or ')'");
    return result;
  }

  /// Adds one more mode to a tuple in the making.
  void add_mode(int_tuple& to, const int_tuple& part, int position) {
    guarded(position, [&] { return push_mode(to, part), value(true); });
  }

  /// A tuple; or an expression in parentheses, unless it is written out as the one mode of a tuple.
  value parenthesised() {
    const inside here(*this, false, false);
    const int open = in_.position();
    in_.accept("(");
    int_tuple result = empty_tree<int_tuple>(), part;
    if (in_.accept(")")) return written_out_ = true, value(result);
    int position = in_.position();
    value first = comparison();
    bool written_out = written_out_;
    const bool one = in_.peek() != ',';
    if (one && !(written_out && as_tuple(first, part))) return close(), first;
    add_part(result, first, position);
    while (in_.accept(",")) {
      const inside tuple(*this, false, true);  // a colon ends the part: it is where a ')' is missing
      position = in_.position();
      add_part(result, binary(0), position);
    }
    close();
    written_out_ = written_out;
    return guarded(open, [&] { return value(wrap(result)); });
  }

  void close() {
    if (!in_.accept(")")) in_.fail("expected ',' or ')'");
  }

  void add_part(int_tuple& to, const value& part, int position) {
    int_tuple read;
    if (!as_tuple(part, read)) {
      throw misuse{position, std::string("a tuple is made of integers, not ") + kind_name(part) +
                                 "; make_layout(A, B) joins layouts, and <A, B> is a tiler"};
    }
    add_mode(to, read, position);
  }

  /// <tile, ...>
  value bracketed() {
    const inside here(*this, true, false);
    const int open = in_.position();
    in_.accept("<");
    tiler_builder builder;
    do {
      const int position = in_.position();
      const value part = binary(0);
      guarded(position, [&] {
        tiler tile;
        if (!as_tiler(part, tile))
          throw layout_error("a tiler is made of layouts, shapes and _, not ", kind_name(part));
        if (builder.profile.form.leaves + tile.form.leaves > max_leaves) {
          throw layout_error("a tiler may have at most ", max_leaves, " tiles");
        }
        builder.push(tile);
        return value(true);
      });
    } while (in_.accept(","));
    if (!in_.accept(">")) in_.fail("expected ',' or '>'");
    written_out_ = false;
    return guarded(open, [&] { return value(builder.finish()); });
  }

  expression_text in_;
  std::vector<named> names_;
  int depth_ = 0;
  bool in_brackets_ = false;  // directly inside <...>, where >> ends two tilers
  bool in_tuple_ = false;     // directly inside a tuple, behind its first part
  bool written_out_ = false;  // what was read last is a number, _ or a tuple, not computed
};

}  // namespace sectile::expressions
