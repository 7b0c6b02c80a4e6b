#pragma once
// How the layout algebra refuses: one exception type whose message is a sentence in a fixed buffer, so that the
// headers a kernel includes need no <string>. In constant evaluation the same refusal is a compile error: every
// function that throws is an ordinary, not constexpr, function, and the compiler names it.

#include <exception>

#include <sectile/layouts/message.hpp>

namespace sectile {

/// Thrown by every function of layouts/ that cannot keep its law. what() is one sentence.
class layout_error : public std::exception {
 public:
  explicit layout_error(const message& why) noexcept : why_(why) {}
  const char* what() const noexcept override { return why_.chars; }

 private:
  message why_;
};

/// Throws layout_error; the parts (texts, numbers, layouts, ...) are joined.
template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  message why;
  (why.add(parts), ...);
  throw layout_error(why);
}

}  // namespace sectile
