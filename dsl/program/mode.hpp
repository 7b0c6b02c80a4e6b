// Modes by their names: what makes the M of A(M,K) and the M of C(M,N) the same, and different from N.
#pragma once
#include <sectile/layouts/free_letters.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace sectile {

/// A mode is its name: up to 8 letters in one number, so that it can be a template argument for every compiler and two
/// of the same name are one. `any` is no particular mode, as constants are; `mixed` is what m * n counts along. (Not
/// `mode`, which is a function of the layout algebra.)
enum class mode_id : std::uint64_t { any = 0, mixed = ~std::uint64_t{0} };

inline constexpr int mode_letters = 8;

/// The mode called `name`, which ends at a zero, a comma, a bracket or, where it is in blocks, a stroke.
constexpr mode_id mode_named(const char* name) {
  std::uint64_t letters = 0;
  for (int i = 0; i < mode_letters && name[i] && name[i] != ',' && name[i] != ')' && name[i] != '/'; ++i)
    letters |= static_cast<std::uint64_t>(static_cast<unsigned char>(name[i])) << (8 * i);
  return static_cast<mode_id>(letters);
}

/// A mode's name, to be read.
struct mode_text {
  char text[mode_letters + 1]{};
};
constexpr mode_text text_of(mode_id m) {
  mode_text t{};
  for (int i = 0; i < mode_letters; ++i) t.text[i] = static_cast<char>(static_cast<std::uint64_t>(m) >> (8 * i) & 0xFF);
  return t;
}

/// M of M': the same rows a second time, as in the Gram matrix C(M,M') = A A^T. Both have one size and one extent.
constexpr mode_id without_prime(mode_id m) {
  std::uint64_t letters = static_cast<std::uint64_t>(m);
  if (m == mode_id::mixed) return m;
  for (int i = mode_letters - 1; i > 0; --i) {
    const std::uint64_t letter = letters >> (8 * i) & 0xFF;
    if (letter != 0 && letter != '\'') break;
    letters &= ~(std::uint64_t{0xFF} << (8 * i));
  }
  return static_cast<mode_id>(letters);
}
/// Whether they count the same things: of one name, but for primes, or any.
constexpr bool alike(mode_id a, mode_id b) {
  return a == mode_id::any || b == mode_id::any || (a != mode_id::mixed && without_prime(a) == without_prime(b));
}

/// Whether a is M and b is M', or the other way round: the same things, and not the same ones.
constexpr bool differ_by_prime(mode_id a, mode_id b) {
  return a != b && a != mode_id::any && b != mode_id::any && alike(a, b);
}

/// A mode's name where an argument is expected: {"M", 128}. Or a number, as in {128}, which a configuration may hold in
/// order to be refused in a sentence: a name of no letters, whose last byte is in no text.
struct mode_label {
  mode_id name = mode_id::any;
  constexpr mode_label() = default;
  consteval mode_label(const char* text) : name(mode_named(text)) {}  // implicit on purpose
  constexpr mode_label(mode_id m) : name(m) {}                           // and for nvcc, which spells out constants
  template <class Number>
  requires std::is_integral_v<Number>
  constexpr mode_label(Number n) : name(static_cast<mode_id>(no_letters | static_cast<std::uint32_t>(n))) {}

  constexpr bool is_a_number() const { return (static_cast<std::uint64_t>(name) & ~low_half) == no_letters; }
  constexpr int number() const { return static_cast<int>(static_cast<std::uint64_t>(name) & low_half); }
  friend constexpr bool operator==(const mode_label&, const mode_label&) = default;

 private:
  static constexpr std::uint64_t no_letters = std::uint64_t{0xFE} << 56, low_half = 0xFFFFFFFF;
};

/// How many elements of a mode a tile has.
struct mode_extent {
  mode_label along{};
  int elements = 0;
  friend constexpr bool operator==(const mode_extent&, const mode_extent&) = default;
};

inline constexpr int max_tiled_modes = 8;
/// The extents of a tile, mode by mode: {{"M", 128}, {"N", 256}, {"K", 64}}. Not an array, which nvcc does not take in
/// a template argument of a __global__ function.
struct tile_extents {
  mode_extent at0{}, at1{}, at2{}, at3{}, at4{}, at5{}, at6{}, at7{};

  constexpr mode_extent operator[](int i) const {
    const mode_extent* all[max_tiled_modes] = {&at0, &at1, &at2, &at3, &at4, &at5, &at6, &at7};
    return *all[i];
  }
  constexpr void set(int i, const mode_extent& to) {
    mode_extent* all[max_tiled_modes] = {&at0, &at1, &at2, &at3, &at4, &at5, &at6, &at7};
    *all[i] = to;
  }
  /// The extent along m: that of its own name, else that of its name without a prime; 0 if there is none.
  constexpr int of(mode_id m) const {
    const int own = find(m);
    return own != 0 ? own : find(without_prime(m));
  }
  friend constexpr bool operator==(const tile_extents&, const tile_extents&) = default;

 private:
  constexpr int find(mode_id m) const {
    if (m == mode_id::any) return 0;
    for (const mode_extent* x : {&at0, &at1, &at2, &at3, &at4, &at5, &at6, &at7})
      if (x->along.name == m) return x->elements;
    return 0;
  }
};

/// Extents in an order, which modes do not have: like those in braces, {128, 64}, they are refused in a sentence.
template <class... Numbers>
requires(sizeof...(Numbers) > 0 && sizeof...(Numbers) <= max_tiled_modes && (std::is_integral_v<Numbers> && ...))
constexpr tile_extents tile(Numbers... numbers) {
  tile_extents t{};
  int mode = 0;
  (t.set(mode++, {numbers, 1}), ...);
  return t;
}

}  // namespace sectile
