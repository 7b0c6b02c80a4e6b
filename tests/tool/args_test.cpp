// Shapes from the command line: what is read, and that every refusal names the size, the place and the rule.
#include "tool/args.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tool/input_error.hpp"

namespace {

using sectile::tool::parse_shape;
using sizes = std::vector<std::int64_t>;

std::string refusal(std::string_view text, std::string_view names) {
  try {
    parse_shape(text, names);
  } catch (const sectile::tool::input_error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("shapes are read size by size and printed back") {
  CHECK(parse_shape("256x512x64", "MNK") == sizes{256, 512, 64});
  CHECK(parse_shape("1x2x3x4", "BHSD") == sizes{1, 2, 3, 4});
  CHECK(parse_shape("7", "N") == sizes{7});
  CHECK(parse_shape("2147483647x1", "MK") == sizes{2147483647, 1});
  CHECK(parse_shape("007x1", "MK") == sizes{7, 1});
  CHECK(sectile::tool::shape_text({256, 512, 64}) == "256x512x64");
}

TEST_CASE("sizes below 1 and too large are refused") {
  CHECK(refusal("0x2x3", "MNK") == "shape '0x2x3': M = 0: every size must be at least 1");
  CHECK(refusal("1x000x3", "MNK") == "shape '1x000x3': N = 000: every size must be at least 1");
  CHECK(refusal("1x2x-3", "MNK") == "shape '1x2x-3': K = -3: every size must be at least 1");
  CHECK(refusal("1x-99999999999999999999", "MK") ==
        "shape '1x-99999999999999999999': K = -99999999999999999999: every size must be at least 1");
  CHECK(refusal("2147483648x1", "MK") == "shape '2147483648x1': M = 2147483648: every size must be at most 2147483647");
  CHECK(refusal("99999999999999999999x1", "MK") ==
        "shape '99999999999999999999x1': M = 99999999999999999999: every size must be at most 2147483647");
  CHECK(refusal("2147483647x2147483647x3", "MNK") ==
        "shape '2147483647x2147483647x3': the product of its sizes is over 2^63 - 1");
}

TEST_CASE("what is no shape is refused at its position") {
  CHECK(refusal("", "MNK") == "shape '': it ends before M; expected MxNxK");
  CHECK(refusal("12", "MNK") == "shape '12': it ends before N; expected MxNxK");
  CHECK(refusal("12x", "MNK") == "shape '12x': it ends before N; expected MxNxK");
  CHECK(refusal("12xx4", "MNK") ==
        "shape '12xx4': 'x' at position 3 is no number; expected N = a whole number from 1 on");
  CHECK(refusal(" 1x2", "MK") == "shape ' 1x2': ' ' at position 0 is no number; expected M = a whole number from 1 on");
  CHECK(refusal("1,2", "MK") == "shape '1,2': ',' at position 1; sizes are separated by 'x', as in MxK");
  CHECK(refusal("1x2x3", "MK") == "shape '1x2x3': 'x3' at position 3 is too much; expected MxK");
  CHECK(refusal("1x2 ", "MK") == "shape '1x2 ': ' ' at position 3 is too much; expected MxK");
  CHECK(refusal("-", "M") == "shape '-': '' at position 1 is no number; expected M = a whole number from 1 on");
  CHECK(refusal("1e3", "M") == "shape '1e3': 'e3' at position 1 is too much; expected M");
}
