// A program without debug information: the page says that lines could not be attributed, and has everything else.
//
// This file is compiled with -g0.
#include <doctest/doctest.h>

#include <sectile/dsl/tell/facts/facts.hpp>
#include <sectile/dsl/tell/facts/source.hpp>

#include "tests/tell/facts_kit.hpp"

namespace {
using namespace facts_kit;
using small = any_gemm<64, 64, 64, configuration{.stages = 2, .consumers = 1}>;
}  // namespace

TEST_CASE("without debug information lines are not attributed, and the page says so") {
  const tell::located_trace t = tell::locate(tell::read_with_witnesses<small>());
  CHECK(t.text.lines.empty());
  CHECK(mentions(t.why_not, "lines are not attributed"));
  CHECK(t.log.events > 0);
  for (int i = 0; i < t.log.events; ++i) CHECK(t.line_of_event(i) == 0);
}

TEST_CASE("the text of such a kernel is shown if its file is known, with notes at its declarations") {
  const json j = facts_of_lines<small>({.root = "/", .source = facts_kit::file});
  CHECK(j["refused"].is_null());
  CHECK(j["source"]["attributed"] == false);
  CHECK(mentions(j["source"]["says"], "-g1"));
  const json& lines = j["source"]["lines"];
  REQUIRE(!lines.empty());
  bool declared = false;
  for (const json& line : lines)
    for (const json& note : line["notes"]) declared = declared || mentions(note, "A: tiles of 64 x 64 bf16");
  CHECK(declared);
  CHECK(j["products"][0]["line"].is_null());
  CHECK(j["positions"].size() > 3);
}

TEST_CASE("without a file there is no text, and that is said") {
  const json j = facts_of_lines<small>();
  CHECK(j["source"]["lines"].empty());
  CHECK(j["source"]["file"] == "");
  CHECK(!j["source"]["says"].get<std::string>().empty());
}
