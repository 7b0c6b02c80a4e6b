#pragma once
// How the layout algebra refuses: one exception type whose message is a sentence in a fixed buffer, so that the
// headers a kernel includes need no <string>. In constant evaluation the same refusal is a compile error at the line
// that throws, which holds the words of the sentence. (A function that is not constexpr would do as well, but compilers
// go on to show where that is declared.)

#include <exception>

#include <sectile/layouts/message.hpp>

namespace sectile {

/// Thrown by every function of layouts/ that cannot keep its law. what() is one sentence.
class layout_error : public std::exception {
 public:
  /// The parts (texts, numbers, layouts, ...) are joined.
  explicit layout_error(const auto&... parts) { (why_.add(parts), ...); }
  const char* what() const noexcept override { return why_.chars; }

 private:
  message why_;
};

}  // namespace sectile
