// Reading and printing: layouts, tuples, tilers, swizzled layouts, at compile time and at run time.
#include <doctest/doctest.h>

#include <sstream>

#include "small_layouts.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

STATIC_CASE(notation("((8,16),(8,8)):((8,512),(1,64))"_layout) == "((8,16),(8,8)):((8,512),(1,64))");
STATIC_CASE("(4,8)"_layout == make_layout(make_shape(4, 8), make_stride(1, 4)));
STATIC_CASE("4"_layout == make_layout(4, 1));
STATIC_CASE("(4):(1)"_layout != "4:1"_layout);
STATIC_CASE("(4,1)"_layout == "(4,1):(1,0)"_layout);
STATIC_CASE("(_4,_8):(_1,_-4)"_layout == "(4,8):(1,-4)"_layout);
STATIC_CASE(" ( 4 , 8 ) : ( 1 , 4 ) "_layout == "(4,8)"_layout);
STATIC_CASE(notation("(_,(3,_))"_coord) == "(_,(3,_))");
STATIC_CASE("(_,(3,_))"_coord == make_coord(_, make_coord(3, _)));
STATIC_CASE(notation("()"_coord) == "()");
STATIC_CASE(notation("<3:3,(2,4):(1,8),_,<_,5:1>>"_tiler) == "<3:3,(2,4):(1,8),_,<_,5:1>>");
STATIC_CASE("(4,_)"_tiler == make_tiler(4, _));
STATIC_CASE("(4,8):(8,1)"_tiler == tiler("(4,8):(8,1)"_layout));
STATIC_CASE("Sw<3,4,3> o (8,8):(8,1)"_swizzled == with_swizzle("(8,8):(8,1)"_layout, {3, 4, 3}));
STATIC_CASE("Sw<3,4,3> o 16 o 8:8"_swizzled == with_swizzle("8:8"_layout, {3, 4, 3}, 16));
STATIC_CASE(notation("Sw<2,1,-3> o (8,8):(8,1)"_swizzled) == "Sw<2,1,-3> o 0 o (8,8):(8,1)");
STATIC_CASE("(8,8):(8,1)"_swizzled == swizzled_layout{{0, 4, 3}, 0, "(8,8):(8,1)"_layout});

namespace {

template <layout L>
struct carries {
  static constexpr std::int64_t elements = size(L);
};

}  // namespace

STATIC_CASE(carries<"(4,8)"_layout>::elements == 32);
STATIC_CASE(std::is_same_v<carries<"(4,8)"_layout>, carries<"(4,8):(1,4)"_layout>>);

TEST_CASE("text out and in again") {
  for (const char* text : {"4:1", "(4):(1)", "((4)):((1))", "(4,(2,(3,5))):(1,(-4,(8,0)))", "1:0"}) {
    CHECK(to_string(parse_layout(text)) == text);
  }
  for (const char* text : {"_", "7", "(_,(3,_))", "()", "(-1,2)"}) CHECK(to_string(parse_tuple(text)) == text);
  for (const char* text : {"4:1", "<4:1>", "<4:1,<_,(2,2):(1,8)>>", "_"}) CHECK(to_string(parse_tiler(text)) == text);
  for (const char* text : {"Sw<3,4,3> o 0 o (8,64):(64,1)", "Sw<1,0,2> o 5 o 4:8"}) {
    CHECK(to_string(parse_swizzled(text)) == text);
  }
  CHECK(parse_swizzled("S<1,0,2> o 4:8") == parse_swizzled("Sw<1,0,2> o 0 o 4:8"));
  std::ostringstream out;
  out << "(4,8)"_layout
      << " "
      << "(1,_)"_coord
      << " " << swizzle{1, 2, 3} << " "
      << "<4:1>"_tiler;
  CHECK(out.str() == "(4,8):(1,4) (1,_) Sw<1,2,3> <4:1>");
}

TEST_CASE("the largest layout is printed whole") {
  int_tuple shape = empty_tree<int_tuple>();
  for (int k = 0; k < max_leaves; ++k) push_mode(shape, int_tuple(1));
  int_tuple stride = shape;
  for (int k = 0; k < max_leaves; ++k) stride.leaf[k] = -(INT64_MAX - k);
  const layout l = make_layout(wrap(shape), wrap(stride));
  CHECK(notation(l).complete());
  CHECK(parse_layout(to_string(l)) == l);
}

TEST_CASE("what is not a layout says where and why") {
  auto why = [](const char* text) { return refusal([&] { parse_layout(text); }); };
  CHECK(why("(4,8,)") == "position 5: expected a number or '(' after ',' in \"(4,8,)\"");
  CHECK(why("") == "position 0: expected a number or '(' in \"\"");
  CHECK(why("(4,8") == "position 4: expected ',' or ')' in \"(4,8\"");
  CHECK(why("((4,8)") == "position 6: expected ',' or ')' in \"((4,8)\"");
  CHECK(why("(x)") == "position 1: expected a number or '(' after '(' in \"(x)\"");
  CHECK(why("4:1)") == "position 3: expected the end in \"4:1)\"");
  CHECK(why("(4,8):(1,x)") == "position 9: expected a number or '(' after ',' in \"(4,8):(1,x)\"");
  CHECK(why("(4,8):") == "position 6: expected a number or '(' in \"(4,8):\"");
  CHECK(why("(4,_)") == "position 3: '_' is not allowed in a shape or stride in \"(4,_)\"");
  CHECK(why("(4,0)") == "position 0: every extent must be at least 1 in \"(4,0)\"");
  CHECK(why("(4,-2):(1,4)") == "position 0: every extent must be at least 1 in \"(4,-2):(1,4)\"");
  CHECK(why("(4,8):(1,(4,2))") ==
        "position 6: the stride must have the same parentheses as the shape in \"(4,8):(1,(4,2))\"");
  CHECK(why("99999999999999999999") == "position 0: the number does not fit 64 bits in \"99999999999999999999\"");
  CHECK(why("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)").find("more than 24 leaves") != std::string::npos);
  CHECK(why(std::string(200, '(').c_str()).find("nested more than 100 deep") != std::string::npos);
}

TEST_CASE("what is not a tuple, tiler or swizzled layout says where and why") {
  CHECK(refusal([] { parse_tuple("(1,,2)"); }) == "position 3: expected a number or '(' after ',' in \"(1,,2)\"");
  CHECK(refusal([] { parse_tiler("<4:1"); }) == "position 4: expected ',' or '>' in \"<4:1\"");
  CHECK(refusal([] { parse_tiler("<4:1,>"); }) == "position 5: expected a number or '(' in \"<4:1,>\"");
  CHECK(refusal([] { parse_swizzled("Sw<3,4> o 8:1"); }) ==
        "position 6: expected ',' in Sw<bits,base,shift> in \"Sw<3,4> o 8:1\"");
  CHECK(refusal([] { parse_swizzled("Sw<3,4,2> o 8:1"); }) ==
        "position 0: a swizzle needs |shift| >= bits >= 0, base >= 0 and bits + base + |shift| < 63 in \"Sw<3,4,2> o "
        "8:1\"");
  CHECK(refusal([] { parse_swizzled("Sw<3,4,3> 8:1"); }) ==
        "position 10: expected 'o' after the swizzle in \"Sw<3,4,3> 8:1\"");
  CHECK(refusal([] { parse_swizzled("Sw<3,4,3> o -1 o 8:1"); }).find("must not be negative") != std::string::npos);
}

TEST_CASE("every text that is cut short is refused, never misread") {
  const std::string whole = "Sw<3,4,3> o 16 o ((8,16),(8,8)):((8,512),(1,64))";
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const parsed<swizzled_layout> result = try_parse_swizzled(whole.data(), n);
    const std::string head = whole.substr(0, n);
    const bool is_one = head == "Sw<3,4,3> o 1" || head == "Sw<3,4,3> o 16" || head == "Sw<3,4,3> o 16 " ||
                        head == "Sw<3,4,3> o 16 o ((8,16),(8,8))";
    CHECK_MESSAGE(static_cast<bool>(result) == is_one, head);
    CHECK(result.position <= static_cast<int>(n));
  }
}
