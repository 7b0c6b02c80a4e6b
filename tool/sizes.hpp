// The sizes of a kernel's problem, each by the letter of its mode, as its operands name them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tool/kernel_list.hpp"

namespace sectile::tool {

inline constexpr char gathered_letter = 'R';

/// The letters of the modes of operand number `o` of the declaration: "MK" of A(M,K), "MM" of C(M,M'), "" of a number.
/// Attention's T is S: the tool gives it as many keys as queries. Rows of a matrix that an index picks some of are R.
std::string letters_of(const kernel_facts& kernel, int o);
/// Those of its modes that a launch is given: not the one that counts groups whose rows are one matrix. Of an image the
/// four of memory, of a matrix whose rows are picked its two.
std::vector<int> given_modes(const kernel_facts& kernel, int o);

/// The letters in the order in which sizes are written: those of the outputs, then the others. "MNK", "BHSD", "MK". A
/// mode that counts tiles has a size that follows from another, so none of its own; nor have the places of a filter and
/// the pixels of a convolution's output.
std::string size_letters(const kernel_facts& kernel);

/// "M x K"; "a number" where there are none.
std::string letters_text(std::string_view letters);
/// The same of the modes that a launch is given of operand number `o`; what counts tiles has its name, "KB x M".
std::string modes_text(const kernel_facts& kernel, int o);

struct named_sizes {
  std::string letters;
  std::vector<std::int64_t> at;

  std::int64_t& of(char letter) { return at[letters.find(letter)]; }
  std::int64_t of(char letter) const { return at[letters.find(letter)]; }
  /// Those of operand number `o` of the declaration, as the body has it: tiles are counted where a mode does that.
  std::vector<std::int64_t> of_operand(const kernel_facts& kernel, int o) const;
  /// Those of an input and of an output as a launch is given them.
  std::vector<std::int64_t> of_input(const kernel_facts& kernel, int i) const;
  std::vector<std::int64_t> of_output(const kernel_facts& kernel, int i) const;
  /// "M = 256, N = 512, K = 64"
  std::string text() const;
};

/// Those that a user writes: "MxNxK", or "M=256,N=512,K=64" in any order. Throws input_error.
named_sizes sizes_asked(const kernel_facts& kernel, const std::string& shape);

}  // namespace sectile::tool
