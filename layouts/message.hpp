#pragma once
// Text in a fixed buffer, built piece by piece: what the notation is printed to at compile time, and what an error
// says. Light enough for headers that a kernel includes.

#include <sectile/layouts/free_letters.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sectile {

/// Up to 2047 characters, always ended by '\0'. What does not fit is cut; complete() tells.
struct message {
  static constexpr int capacity = 2048;

  int length = 0;
  bool cut = false;
  char chars[capacity] = {};

  constexpr bool complete() const { return !cut; }
  constexpr const char* c_str() const { return chars; }

  constexpr message& add(char c) {
    if (length + 1 < capacity) {
      chars[length++] = c;
    } else {
      cut = true;
    }
    return *this;
  }

  constexpr message& add(const char* text) {
    for (; *text != '\0'; ++text) add(*text);
    return *this;
  }

  constexpr message& add_number(std::int64_t number) {
    char digits[20] = {};
    int count = 0;
    std::uint64_t rest =
        number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    do {
      digits[count++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (number < 0) add('-');
    while (count > 0) add(digits[--count]);
    return *this;
  }

  constexpr message& add(const message& other) { return add(static_cast<const char*>(other.chars)); }

  /// Integers in decimal, strings as they are; anything else says itself how it is written: print(message&, value).
  template <class T>
  constexpr message& add(const T& value) {
    if constexpr (std::is_integral_v<T>)
      return add_number(static_cast<std::int64_t>(value));
    else if constexpr (requires { value.c_str(); })
      return add(value.c_str());
    else
      print(*this, value);
    return *this;
  }

  friend constexpr bool operator==(const message& a, const char* b) {
    int k = 0;
    while (k < a.length && b[k] == a.chars[k]) ++k;
    return k == a.length && b[k] == '\0';
  }
};

}  // namespace sectile
