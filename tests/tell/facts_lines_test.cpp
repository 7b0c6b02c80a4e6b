// Lines of a program: that each event is found on the line that says it, in shipped kernels and in ones that stand
// here.
//
// This file is compiled with -g1. Without it there are no lines, which is a test of its own (facts_no_lines_test.cpp).
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sectile/dsl/tell/facts/facts.hpp>
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/operands_text.hpp>

#include "tests/exhaustively.hpp"
#include "tests/tell/facts_kit.hpp"
#include "tool/records.hpp"

namespace {

using namespace facts_kit;

constexpr configuration two_stages{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1};

/// Every kind of event, on lines that are written down.
struct many_events {
  static constexpr int first_line = __LINE__ - 1;
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,K)", bf16>(), input<"S(N,N')", bf16>(),
                                                     output<"C(M,N)", bf16>());
  static constexpr configuration how = two_stages;

  static constexpr int body_line = __LINE__ + 1;
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C), more = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      acc += a * b;
    }

    auto r = in_registers(sm.load(R, {m, 0}));
    auto p = cast<bf16>(acc * 0.5f);
    more += r * transpose(sm.load(B, {n, 0}));
    more += p * sm.load(S, {n, n});
    sm.store(C, {m, n}, more + acc);
  }
  static constexpr int accumulators = body_line + 2, loop = body_line + 3, load_a = body_line + 4,
                       load_b = body_line + 5, issue = body_line + 6, read = body_line + 9, touch = body_line + 10,
                       second = body_line + 11, third = body_line + 12, store = body_line + 13;
};

/// Operands of one expression on lines of their own, which a program evaluates in any order it likes.
struct wide_expression {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how = two_stages;

  static constexpr int load_a = __LINE__ + 5, load_b = __LINE__ + 7;
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += sm.load(A, {m, k})  //
             * transpose(        //
                   sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// A body that leaves the work to functions of its own.
struct with_helpers {
  static constexpr auto operands = wide_expression::operands;
  static constexpr configuration how = two_stages;

  static constexpr int inside = __LINE__ + 2;
  static constexpr void step(auto& sm, auto& acc, auto A, auto B, auto m, auto n, auto k) {
    acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
  }
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) step(sm, acc, A, B, m, n, k);
    sm.store(C, {m, n}, acc);
  }
};

struct inheriting : with_helpers {
  static constexpr int first_line = __LINE__ - 1, base_end = first_line - 2;
  static constexpr configuration how{.tile = two_stages.tile, .stages = 3, .consumers = 1};
};

struct some_operands {
  static constexpr int line = __LINE__ + 2;
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
struct based : some_operands {
  static constexpr int line = __LINE__ + 1;
  static constexpr configuration how = two_stages;
  static constexpr void body(auto& sm, auto A, auto B, auto C) { wide_expression::body(sm, A, B, C); }
};

/// A family: what stands here is told of the member that is asked for.
template <class Program>
struct family : Program {
  static constexpr int line = __LINE__ + 1;
  static constexpr auto how =
      configurations(two_stages, configuration{.tile = two_stages.tile, .stages = 3, .consumers = 1});
};

template <class K>
tell::located_trace located() {
  return tell::locate(tell::read_with_witnesses<K>());
}

/// Of a kernel that is compiled into the tool already, as pages tell of it.
tell::located_trace located(const char* kernel) {
  return tell::locate(tool::find_record(tool::find_kernel(kernel))->read());
}

/// The line of the event number `which` (from 0) of a kind, of one operand if that is given.
int line_of(const tell::located_trace& t, event_kind kind, int which = 0, int operand = -1) {
  for (int i = 0; i < t.log.events; ++i)
    if (t.log.at[i].kind == kind && (operand < 0 || t.log.at[i].operand == operand) && which-- == 0)
      return t.line_of_event(i);
  return -1;
}

/// The first line of a file that contains a text.
int line_with(const std::string& file, const std::string& text, int from = 1) {
  std::ifstream in(file);
  int n = 1;
  for (std::string line; std::getline(in, line); ++n)
    if (n >= from && line.find(text) != std::string::npos) return n;
  return -1;
}

}  // namespace

TEST_CASE("each event of a kernel that stands here is on its line") {
  const tell::located_trace t = located<many_events>();
  REQUIRE(t.why_not == "");
  CHECK(t.text.file.ends_with("facts_lines_test.cpp"));
  using k = many_events;
  CHECK(line_of(t, event_kind::loop) == k::loop);
  CHECK(line_of(t, event_kind::load, 0, 0) == k::load_a);
  CHECK(line_of(t, event_kind::load, 1, 0) == k::load_a);  // of the second trip
  CHECK(line_of(t, event_kind::load, 0, 1) == k::load_b);
  CHECK(line_of(t, event_kind::issue) == k::issue);
  CHECK(line_of(t, event_kind::load, 0, 2) == k::read);
  CHECK(line_of(t, event_kind::read) == k::read);
  CHECK(line_of(t, event_kind::touch) == k::touch);
  CHECK(line_of(t, event_kind::issue, 2) == k::second);
  CHECK(line_of(t, event_kind::issue, 3) == k::third);
  CHECK(line_of(t, event_kind::load, 2, 1) == k::second);
  CHECK(line_of(t, event_kind::store) == k::store);
  CHECK(line_of(t, event_kind::finish) == 0);  // behind the body
  for (int i = 0; i < t.log.events; ++i)
    if (t.log.at[i].kind == event_kind::issue) {
      CHECK(t.line_of_value(t.log.at[i].value) == k::accumulators);
      break;
    }
}

TEST_CASE("operands of one expression keep their lines, in whatever order they are evaluated") {
  const tell::located_trace t = located<wide_expression>();
  REQUIRE(t.why_not == "");
  CHECK(t.log.at[1].operand == 0);  // as planned: from left to right
  CHECK(line_of(t, event_kind::load, 0, 0) == wide_expression::load_a);
  CHECK(line_of(t, event_kind::load, 1, 0) == wide_expression::load_a);
  CHECK(line_of(t, event_kind::load, 0, 1) == wide_expression::load_b);
}

TEST_CASE("what a body leaves to a function of its own is found there") {
  const tell::located_trace t = located<with_helpers>();
  CHECK(line_of(t, event_kind::load) == with_helpers::inside);
  CHECK(line_of(t, event_kind::issue) == with_helpers::inside);
}

TEST_CASE("the lines of the shipped GEMM") {
  const tell::located_trace t = located("gemm_bf16");
  REQUIRE(t.why_not == "");
  CHECK(t.text.file.ends_with("kernels/gemm.hpp"));
  CHECK(line_of(t, event_kind::loop) == line_with(t.text.file, "for (auto k : sm.pipelined"));
  CHECK(line_of(t, event_kind::load, 0, 0) == line_with(t.text.file, "sm.load(A"));
  CHECK(line_of(t, event_kind::load, 0, 1) == line_with(t.text.file, "sm.load(B"));
  CHECK(line_of(t, event_kind::issue) == line_with(t.text.file, "acc += a * b"));
  CHECK(line_of(t, event_kind::store) == line_with(t.text.file, "sm.store(C"));
}

TEST_CASE("the lines of attention") {
  const tell::located_trace t = located("attention_d128_causal");
  REQUIRE(t.why_not == "");
  const auto line = [&](const char* text, int from = 1) { return line_with(t.text.file, text, from); };
  CHECK(line_of(t, event_kind::load, 0, 0) == line("sm.load(Q"));
  CHECK(line_of(t, event_kind::issue, 0) == line("auto s = sm.accumulator("));
  CHECK(line_of(t, event_kind::touch, 0) == line("mask(s, {i, j}"));
  const int loop = line("for (auto j");
  CHECK(line_of(t, event_kind::loop) == loop);
  CHECK(line_of(t, event_kind::issue, 1) == line("s = q * transpose", loop));
  CHECK(line_of(t, event_kind::issue, 2) == line("o += p * sm.load", loop));
  CHECK(line_of(t, event_kind::issue, 5) == line("o += p * sm.load(V, {b, h, start + (n - 1)"));
  CHECK(line_of(t, event_kind::load, 2, 2) == line("o += p * sm.load(V, {b, h, start + (n - 1)"));
  CHECK(line_of(t, event_kind::store) == line("sm.store(O"));
}

TEST_CASE("a page's lines are the file's, with notes where something happens") {
  const tell::located_trace t = located<many_events>();
  const tell::source_text& text = t.text;
  CHECK(text.first_line == many_events::first_line - 1);  // the comment above
  const json source = tell::source_part(plan_of<many_events>, t, text);
  CHECK(source["attributed"] == true);
  std::ifstream in(t.text.file);
  int n = 0;
  for (std::string line; std::getline(in, line);)
    if (++n >= text.first_line && n <= text.last_line())
      CHECK(source["lines"][static_cast<std::size_t>(n - text.first_line)]["code"] == line);
  CHECK(source["lines"].back()["code"] == "};");
  const auto notes = [&](int line) { return entry(source["lines"], "n", line)["notes"]; };
  CHECK(mentions(notes(many_events::load_a)[0], "the producer waits for a free stage of ring 0"));
  CHECK(mentions(notes(many_events::load_b)[0], "ring 1"));  // B is loaded elsewhere as well
  CHECK(mentions(notes(many_events::issue)[0], "each consumer issues 4 wgmma m64n64k16"));
  CHECK(mentions(notes(many_events::issue)[1], "wgmma.fence"));
  CHECK(mentions(notes(many_events::touch)[0], "wait until"));
  CHECK(mentions(notes(many_events::accumulators)[0], "64 x 64 f32 over 1 consumer: 32 registers"));
  CHECK(mentions(notes(many_events::first_line + 3)[0], "R: tiles of 64 x 64 bf16"));
  CHECK(notes(many_events::issue + 1).empty());
}

TEST_CASE("structs are found with the comments and templates above them, and with nothing else") {
  const std::string gemm = located("gemm_bf16").text.file;
  const tell::source_text text = tell::struct_around(gemm, line_with(gemm, "sm.store"));
  REQUIRE(!text.lines.empty());
  CHECK(text.lines.front().starts_with("/// In the configuration"));
  CHECK(text.lines[2].starts_with("template <class Left"));
  CHECK(text.lines.back() == "};");
  CHECK(tell::struct_named(gemm, "gemm").first_line == text.first_line);
  CHECK(tell::struct_named(gemm, "gemm_form").lines.size() == 7);
  CHECK(tell::struct_named(gemm, "no_such_kernel").lines.empty());
  CHECK(tell::struct_named("/no/such/file.hpp", "gemm").lines.empty());
  CHECK(tell::struct_around(gemm, 1).lines.empty());
}

TEST_CASE("a product's line and a position's line are the trace's") {
  const tell::located_trace t = located<many_events>();
  const plan& p = plan_of<many_events>;
  const json products = tell::products_part(p, t), positions = tell::positions_part(p, t);
  CHECK(products[0]["line"] == many_events::issue);
  CHECK(products[2]["line"] == many_events::third);
  CHECK(products[1]["a_source"] == "registers");
  for (const json& q : products) CHECK(entry(positions, "position", q["position"])["line"] == q["line"]);
  int before = -1;
  for (const json& at : positions) {
    CHECK(at["position"].get<int>() > before);
    before = at["position"];
  }
  CHECK(positions.back()["kind"] == "finish");
}

TEST_CASE("of a kernel that inherits its body, both structs are shown, and its own configuration counts") {
  const json source = facts_of_lines<inheriting>()["source"];
  CHECK(source["lines"].back()["n"] == inheriting::base_end);
  REQUIRE(source["others"].size() == 1);
  const json& own = source["others"][0];
  CHECK(own["file"] == "facts_lines_test.cpp");
  CHECK(own["first_line"] == inheriting::first_line);
  CHECK(own["says"] == "inheriting has the body of with_helpers, and its own:");
  bool told = false;
  for (const json& line : own["lines"])
    for (const json& note : line["notes"]) told = told || mentions(note, "3 stages");
  CHECK(told);
  for (const json& line : source["lines"])
    for (const json& note : line["notes"]) CHECK(!mentions(note, "threads a CTA"));
}

TEST_CASE("of a kernel whose operands are a base's, that base is shown") {
  if constexpr (test::exhaustively) {
    const json source = facts_of_lines<based>()["source"];
    REQUIRE(source["others"].size() == 1);
    CHECK(source["others"][0]["says"] == "the operands are those of some_operands:");
    CHECK(mentions(entry(source["others"][0]["lines"], "n", some_operands::line)["notes"][0], "A: tiles of 64 x 64"));
    CHECK(mentions(entry(source["lines"], "n", based::line)["notes"][0], "threads a CTA"));
  }
}

TEST_CASE("of a family, the line of its configurations tells the member's") {
  using both = family<with_helpers>;
  const auto told = [](const json& facts) {
    return entry(facts["source"]["others"][0]["lines"], "n", both::line)["notes"][0];
  };
  const json first = facts_of_lines<member<both, 0>>();
  CHECK(first["source"]["others"][0]["says"] == "family has the body of with_helpers, and its own:");
  CHECK(mentions(told(first), "2 stages"));
  CHECK(first["configuration"]["stages"] == 2);
  if constexpr (test::exhaustively) CHECK(mentions(told(facts_of_lines<member<both, 1>>()), "3 stages"));
}

TEST_CASE("an input that goes through registers alone is among the operands of an explanation") {
  CHECK(tell::operands_text(plan_of<many_events>).find("  R     input") != std::string::npos);
}
