// The command line of a test program: words, some of which take the next one as their value.
#pragma once
#include <stdexcept>
#include <string>

namespace sectile::test {

/// Calls take(word, value) for each word; value() is the word behind it, which is then used up. Throws if take returns
/// false, because it does not know the word, and if a value is missing.
template <class Take>
void read_command_line(int count, char** words, const Take& take) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == count) throw std::runtime_error(word + " needs a value");
      return words[++i];
    };
    if (!take(word, value)) throw std::runtime_error("unknown option " + word);
  }
}

}  // namespace sectile::test
