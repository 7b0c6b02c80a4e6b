// The program that sectile_add_tutorial() makes.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/tutorial/page_writer.hpp>
#include <sectile/dsl/tell/tutorial/told.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sectile::tell {
namespace {

template <class Number>
Number number_in(std::string_view text, const char* option) {
  Number x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc{} || end != text.data() + text.size())
    throw tutorial_error(say(option, ": '", std::string(text), "' is not a ",
                             std::is_integral_v<Number> ? "whole number" : "number"));
  return x;
}

/// The numbers of "M=256,N=512" by their names. `form` is what an option's value looks like.
template <class Number>
std::vector<std::pair<std::string, Number>> assignments_in(std::string_view text, const char* option,
                                                           const char* form) {
  std::vector<std::pair<std::string, Number>> all;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    const std::size_t sign = one.find('=');
    if (sign == std::string_view::npos || sign == 0)
      throw tutorial_error(say(option, ": '", std::string(one), "' is not ", form));
    all.emplace_back(std::string(one.substr(0, sign)), number_in<Number>(one.substr(sign + 1), option));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
  }
  return all;
}

std::vector<named_size> sizes_in(std::string_view text) {
  std::vector<named_size> sizes;
  for (const auto& [mode, size] : assignments_in<std::int64_t>(text, "--sizes", "MODE=SIZE, as in M=256")) {
    if (size < 1) throw tutorial_error(say("--sizes: ", mode, "=", size, ": a size is at least 1"));
    sizes.push_back({mode, size});
  }
  return sizes;
}

std::vector<named_number> scalars_in(std::string_view text) {
  std::vector<named_number> scalars;
  for (const auto& [scalar, value] : assignments_in<double>(text, "--scalars", "NAME=NUMBER, as in alpha=0.5"))
    scalars.push_back({scalar, value});
  return scalars;
}

}  // namespace

int tutorial_program(int count, char** words, tutorial_options given, page_function* write) {
  try {
    std::filesystem::path out;
    for (int i = 1; i < count; i += 2) {
      const std::string_view option = words[i];
      if (i + 1 == count) throw tutorial_error(say(words[i], " needs a value"));
      const std::string_view value = words[i + 1];
      if (option == "--out")
        out = value;
      else if (option == "--sizes")
        given.run.sizes = sizes_in(value);
      else if (option == "--scalars")
        given.run.scalars = scalars_in(value);
      else if (option == "--seed")
        given.run.seed = number_in<std::uint64_t>(value, "--seed");
      else
        throw tutorial_error(
            say("there is no option '", words[i], "'; there are --out, --sizes, --scalars and --seed"));
    }
    if (out.empty()) throw tutorial_error("say where the page goes, with --out FOLDER");
    for (const std::filesystem::path& file : write(out, given))
      if (file.extension() != ".svg") std::printf("%s\n", file.c_str());
    return 0;
  } catch (const tutorial_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (const launch_error& error) {
    std::fprintf(stderr, "the run on the page: %s\n", error.what());
  }
  return 2;
}

}  // namespace sectile::tell
