// Tiler notation, and what tilers do to a layout: read, printed and read back alike; composition and division by mode
// are done or refused in a sentence.

#include <sectile/layouts/layouts.hpp>
#include <sectile/layouts/text.hpp>

#include "target.hpp"

using namespace sectile;
using sectile_fuzz::expect;

namespace {

template <class Call>
void may_be_refused(Call call) {
  try {
    call();
  } catch (const layout_error& why) {
    expect(std::string(why.what()).size() > 20, "a refusal is a sentence", why.what());
  }
}

void read_twice(const std::string& text) {
  const parsed<tiler> first = try_parse_tiler(text.data(), text.size());
  expect(first.position >= 0 && first.position <= static_cast<int>(text.size()), "the position lies in the text", text);
  if (!first) return expect(first.problem[0] != '\0', "a problem has words", text);
  const message printed = notation(first.value);
  expect(printed.complete(), "a tiler is printed whole", text);
  const parsed<tiler> second = try_parse_tiler(printed.chars, static_cast<std::size_t>(printed.length));
  expect(second && second.value == first.value, "what is printed is read back", printed.chars);

  const layout whole = parse_layout("((8,6),(4,(5,2)),16):((1,64),(8,(400,32)),2000)");
  may_be_refused([&] { composition(whole, first.value); });
  may_be_refused([&] { expect(rank(zipped_divide(whole, first.value)) == 2, "zipped_divide has rank 2", text); });
  may_be_refused([&] { flat_divide(whole, first.value); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  may_be_refused([&] { read_twice(text); });
  return 0;
}
