// What the witness of the algebra (tests/cutlass) says of what only one side can express, without CuTe.
#include <doctest/doctest.h>

#include <string>

#include "tests/cutlass/answers.hpp"

namespace {

using namespace sectile;
using namespace sectile::literals;

witness::answer said(const layout& value) { return {false, {swizzle{0, 4, 3}, 0, value}, to_string(value)}; }
witness::answer refused(const char* why) { return {true, {}, why, why}; }

TEST_CASE("Expressions that only one side can express are counted and listed, with who refuses them and why") {
  witness::all = {};
  const auto ask = [](const char* question, const witness::answer& here, const witness::answer& cute) {
    witness::compare_answers("composition", question, here, cute,
                             [](const swizzled_layout& value) { return value.inner == "4:2"_layout; });
  };
  ask("first", said("4:2"_layout), said("4:2"_layout));
  ask("second", said("4:2"_layout), refused("Stride Divisibility Condition"));
  ask("third", said("4:2"_layout), refused("Stride Divisibility Condition"));
  ask("fourth", refused("(4,2):(1,3) o 4:1 carries in a mode of extent 3"), said("4:2"_layout));
  ask("fifth", refused("no"), said("4:3"_layout));  // CuTe is wrong: it cannot express it either
  ask("sixth", refused("no"), refused("no"));
  const std::string text = witness::all.text();
  CHECK(text.find("3 of them only one side can express:\n"
                  "  composition, 2 times: CuTe refuses: Stride Divisibility Condition\n"
                  "    second\n    third\n"
                  "  composition, 1 times: layouts/ refuses: # o # carries in a mode of extent #\n"
                  "    fourth\n"
                  "6 questions, wrong here 0 times\n") != std::string::npos);
  CHECK(text.find("       2 CuTe refuses, right here\n") != std::string::npos);
  CHECK(text.find("       1 refused here, CuTe is wrong\n") != std::string::npos);
  ask("seventh", said("4:5"_layout), said("4:2"_layout));
  CHECK(witness::all.text().find("7 questions, wrong here 1 times\n") != std::string::npos);
  witness::all = {};
}

}  // namespace
