#include "tool/sizes.hpp"

#include <fmt/format.h>

#include <sectile/dsl/plan/counted_tiles.hpp>
#include <sectile/dsl/plan/groups.hpp>

#include "tool/args.hpp"
#include "tool/images.hpp"
#include "tool/input_error.hpp"

namespace sectile::tool {

std::string letters_of(const kernel_facts& kernel, int o) {
  const operand_facts& operand = kernel.declared->operand[o].facts;
  std::string letters;
  for (int d = 0; d < operand.tile.rank; ++d) {
    const char letter = operand.has_index() && d == operand.tile.rank - 2 ? gathered_letter : operand.mode_name[d][0];
    const attention_formula* const what = kernel.attention();
    letters += letter == 'T' && what && what->pass != attention_pass::counted ? 'S' : letter;
  }
  return letters;
}

std::vector<int> given_modes(const kernel_facts& kernel, int o) {
  std::vector<int> modes;
  if (kernel.declared->operand[o].facts.im2col) return {0, 1, 2, 3};
  const operand_facts& f = kernel.declared->operand[o].facts;
  if (f.has_index()) return {f.tile.rank - 2, f.tile.rank - 1};
  for (int d = 0; d < f.tile.rank; ++d)
    if (!counts_groups(*kernel.declared, o, d)) modes.push_back(d);
  return modes;
}

std::string size_letters(const kernel_facts& kernel) {
  std::string all;
  const plan& p = *kernel.declared;
  const std::string of_places = takes_image(kernel) ? letters_of(kernel, kernel.number_of_input(0)).substr(0, 2) : "";
  const auto add = [&](bool written) {
    for (int o = 0; o < p.operands; ++o) {
      const operand_facts& f = p.operand[o].facts;
      if (!(written ? f.is_written() : f.is_read())) continue;
      const std::string letters = f.im2col ? image_letters : letters_of(kernel, o);
      for (std::size_t d = 0; d < letters.size(); ++d) {
        const bool follows = !f.im2col && (tiles_counted(p, o, static_cast<int>(d)).extent > 0 ||
                                           of_places.find(letters[d]) != std::string::npos);
        if (!follows && all.find(letters[d]) == std::string::npos) all += letters[d];
      }
    }
  };
  add(true);
  add(false);
  return all;
}

std::string letters_text(std::string_view letters) {
  return letters.empty() ? "a number" : fmt::format("{}", fmt::join(letters, " x "));
}

std::string modes_text(const kernel_facts& kernel, int o) {
  const operand_facts& operand = kernel.declared->operand[o].facts;
  if (operand.im2col) return letters_text(image_letters);
  std::vector<std::string> names;
  for (const int d : given_modes(kernel, o)) {
    const std::string name = operand.has_index() && d == operand.tile.rank - 2 ? std::string(1, gathered_letter)
                             : operand.block[d] > 1                            ? operand.mode_name[d]
                                                    : text_of(without_prime(operand.mode_at(d))).text;
    names.push_back(name.size() > 1 ? name : letters_of(kernel, o).substr(static_cast<std::size_t>(d), 1));
  }
  return names.empty() ? "a number" : fmt::format("{}", fmt::join(names, " x "));
}

std::vector<std::int64_t> named_sizes::of_operand(const kernel_facts& kernel, int o) const {
  const plan& p = *kernel.declared;
  const auto size = [&](int operand, int d) { return of(letters_of(kernel, operand)[static_cast<std::size_t>(d)]); };
  std::vector<std::int64_t> shape;
  for (int d = 0; d < p.operand[o].facts.tile.rank; ++d) {
    const counted_tiles tiles = tiles_counted(p, o, d);
    shape.push_back(tiles.extent > 0 ? tiles.count(size(tiles.of.operand, tiles.of.mode))
                                     : p.operand[o].facts.elements_for(size(o, d), d));
  }
  return shape;
}

namespace {

std::vector<std::int64_t> as_given(const kernel_facts& kernel, int o, const named_sizes& sizes) {
  std::vector<std::int64_t> shape;
  if (kernel.declared->operand[o].facts.im2col) {
    for (const char* letter = image_letters; *letter; ++letter) shape.push_back(sizes.of(*letter));
    return shape;
  }
  const std::vector<std::int64_t> all = sizes.of_operand(kernel, o);
  for (const int d : given_modes(kernel, o)) shape.push_back(all[static_cast<std::size_t>(d)]);
  return shape;
}

}  // namespace

std::vector<std::int64_t> named_sizes::of_input(const kernel_facts& kernel, int i) const {
  return as_given(kernel, kernel.number_of_input(i), *this);
}
std::vector<std::int64_t> named_sizes::of_output(const kernel_facts& kernel, int i) const {
  return as_given(kernel, kernel.number_of_output(i), *this);
}

std::string named_sizes::text() const {
  std::string all;
  for (std::size_t i = 0; i < at.size(); ++i)
    all += fmt::format("{}{} = {}", all.empty() ? "" : ", ", letters[i], at[i]);
  return all;
}

named_sizes sizes_asked(const kernel_facts& kernel, const std::string& shape) {
  named_sizes sizes{.letters = size_letters(kernel), .at = {}};
  try {
    sizes.at = parse_named_shape(shape, sizes.letters);
  } catch (const input_error& error) {
    throw input_error(
        fmt::format("{} has the modes {}: {}", kernel.name, fmt::join(sizes.letters, ", "), error.what()));
  }
  if (takes_image(kernel)) add_places(sizes, usual_filter_path());
  return sizes;
}

}  // namespace sectile::tool
