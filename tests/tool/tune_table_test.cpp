// The file of measured times: what is written is read back, and a file that was cut off, edited, or is of something
// else is refused with the place.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/tool/tune_kit.hpp"
#include "tool/input_error.hpp"

namespace tune_table_test {
namespace {

using namespace tune_kit;

std::string why_refused(const std::string& text) {
  try {
    table_from_json("t.json", text);
    return "taken";
  } catch (const input_error& error) {
    return error.what();
  }
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from);
  return text.replace(at, from.size(), to);
}
std::string message_of(const std::function<void()>& work) {
  try {
    work();
    return "accepted";
  } catch (const input_error& error) {
    return error.what();
  }
}

const std::string mend = "; put back the file as `sectile tune` wrote it, or measure again with another --out";

}  // namespace

TEST_CASE("a table is read as it was written") {
  const tuning_table table = made_up_table("1x4096x4096,4096x4096x4096,300x200x104");
  const std::string text = to_json(table);
  const tuning_table read = table_from_json("t.json", text);
  CHECK(to_json(read) == text);
  CHECK(read.head.kernel == "gemm_bf16");
  CHECK(read.head.family == family().facts->fingerprint);
  CHECK(read.head.gpu == "NVIDIA H200");
  CHECK(read.head.modes == modes());
  CHECK(read.head.members.size() == static_cast<std::size_t>(family().facts->count));
  REQUIRE(read.problems.size() == 3);
  CHECK(read.find(sizes_of_text("300x200x104")) == &read.problems[2]);
  CHECK(read.find(sizes_of_text("300x200x112")) == nullptr);
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t i = 0; i < read.head.members.size(); ++i) {
      const auto &was = table.problems[p].us[i], &is = read.problems[p].us[i];
      REQUIRE(was.has_value() == is.has_value());
      if (is) CHECK(*is == doctest::Approx(*was).epsilon(0.001));
    }
  CHECK(std::ranges::count(read.problems[0].us, std::optional<double>()) > 0);  // not all are worth measuring
  CHECK(to_json(table_from_json("t.json", to_json({.head = head()}))) == to_json({.head = head()}));  // none yet
}

TEST_CASE("a file that was cut off anywhere is refused, with the line where it ends") {
  const std::string text = to_json(made_up_table("1x4096x4096,64x64x64"));
  const std::size_t last = text.find_last_not_of('\n');
  for (std::size_t length = 0; length < last; length += 37) {
    CAPTURE(length);
    const std::string part = text.substr(0, length);
    const auto line = 1 + std::count(part.begin(), part.end(), '\n');
    const std::string why = why_refused(part);
    CHECK(why.ends_with(mend));
    CHECK(why.find("line " + std::to_string(line)) != std::string::npos);
  }
  CHECK(why_refused(text.substr(0, last - 4)).starts_with("t.json: it ends in the middle, in line "));
  CHECK(why_refused(text.substr(0, last + 1)) == "taken");
}

TEST_CASE("an edited file is refused, with the problem or the field") {
  const int members = family().facts->count;
  const std::string text = to_json(made_up_table("1x4096x4096,64x64x64,64x64x128"));
  CHECK(why_refused(replaced(text, "[64, 64, 64]", "[64, 64, 72]")) ==
        "t.json: problem 2 (64x64x72) was edited, or one before it is missing" + mend);
  const std::size_t time = text.find("\"us\": [") + 7;
  CHECK(why_refused(std::string(text).replace(time, 1, text[time] == '9' ? "8" : "9")) ==
        "t.json: problem 1 (1x4096x4096) was edited, or one before it is missing" + mend);
  CHECK(why_refused(replaced(text, "NVIDIA H200", "NVIDIA H100")) ==
        "t.json: what stands above its first \"check\" was edited" + mend);
  const std::size_t second = text.find("  {\"sizes\": [64, 64, 64]"), third = text.find("  {\"sizes\": [64, 64, 128]");
  CHECK(why_refused(std::string(text).erase(second, third - second)) ==
        "t.json: problem 2 (64x64x128) was edited, or one before it is missing" + mend);
  CHECK(why_refused(replaced(text, "\"gpu\"", "\"cpu\"")) == "t.json: the file has no \"gpu\"" + mend);
  CHECK(why_refused(replaced(text, "\"NVIDIA H200\"", "200")) == "t.json: \"gpu\" of the file is no text" + mend);
  CHECK(why_refused(replaced(text, "[64, 64, 64]", "[64, 64]")) == "t.json: problem 2 has 2 sizes for 3 modes" + mend);
  CHECK(why_refused(replaced(text, "[64, 64, 64]", "[64, 0, 64]")) == "t.json: problem 2 has the size 0" + mend);
  CHECK(why_refused(replaced(text, "[64, 64, 64]", "[64, \"x\", 64]")) ==
        "t.json: problem 2 has the size \"x\"" + mend);
  CHECK(why_refused(replaced(text, "\"us\": [", "\"us\": [-1, "))
            .find("problem 1 has " + std::to_string(members + 1) + " times for " + std::to_string(members) +
                  " members") != std::string::npos);
  CHECK(why_refused(replaced(text, "\"us\": [" + text.substr(time, text.find(',', time) - time), "\"us\": [-1")) ==
        "t.json: problem 1 has the time -1" + mend);
  CHECK(why_refused(replaced(text, "\"problems\": [", "\"problems\": {")).find(" is no JSON") != std::string::npos);
  CHECK(why_refused("[]") == "t.json: the file has no \"sectile_table\"" + mend);
  CHECK(why_refused("hello").starts_with("t.json: line 1 is no JSON"));
}

TEST_CASE("a problem that is there twice is refused") {
  tuning_table table = made_up_table("1x4096x4096");
  table.problems.push_back(table.problems[0]);
  CHECK(why_refused(to_json(table)) == "t.json: problem 2 (1x4096x4096) is there twice" + mend);
}

TEST_CASE("a table of another version, family or machine is refused") {
  const std::string text = to_json(made_up_table("64x64x64"));
  CHECK(why_refused(replaced(text, "\"sectile_table\": 1", "\"sectile_table\": 2")) ==
        "t.json: it is a table of version 2, and this program writes version 1; measure again with another --out");
  const auto of_family = [](const table_head& h) { return message_of([&] { require_family("t.json", h, family()); }); };
  CHECK(of_family(head()) == "accepted");
  table_head other = head();
  other.kernel = "gemm_f16";
  CHECK(of_family(other) == "t.json: it is of gemm_f16, not of gemm_bf16; give another --out");
  other = head();
  ++other.family;
  CHECK(of_family(other) ==
        "t.json: the configurations of gemm_bf16 have changed since it was measured; measure again with another --out");
  const auto of_machine = [](const table_head& h) { return message_of([&] { require_machine("t.json", h, head()); }); };
  CHECK(of_machine(head()) == "accepted");
  CHECK(of_machine(head("NVIDIA H100 PCIe")) ==
        "t.json: it was measured on an NVIDIA H100 PCIe, and this is an NVIDIA H200; give another --out");
  other = head();
  other.software = "CUDA 12.9";
  CHECK(
      of_machine(other) ==
      "t.json: it was measured with CUDA 12.9, and this is CUDA 13.0; times of both do not mix, so give another --out");
}

TEST_CASE("a file that is not there, and a folder") {
  CHECK(message_of([] { read_table("/no/such/file"); }) == "/no/such/file: it cannot be read");
  CHECK(message_of([] { read_table("/"); }) == "/: it cannot be read");
}

}  // namespace tune_table_test
