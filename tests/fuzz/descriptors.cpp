// Matrix descriptors, operand tiles and TMA boxes on random values and all corners, against hardware_model.hpp.
//
//   fuzz_descriptors [values = 20000] [seed = 1]
//
// Fields: encode and decode are inverse of one another on everything legal, and everything else is refused. Tiles:
// every element of every accepted tile is read where it was written, what is refused breaks a rule, and the proof of
// reachability, which looks at some elements only, agrees with looking at all of them. Exits with 1 if a law broke.

#include <cstdlib>

#include "laws_of_boxes.hpp"
#include "laws_of_tiles.hpp"

namespace sectile_fuzz {
namespace {

void check_fields(const matrix_descriptor& d) {
  using namespace hardware;
  const int span = span_bytes(d.swizzle);
  const bool legal = fits(start_field, d.start_bytes) && fits(leading_field, d.leading_bytes) &&
                     fits(stride_field, d.stride_bytes) && fits(base_field, d.base_offset) &&
                     (span > 16 || d.base_offset == 0);
  require(check(d).ok() == legal, "legal fields", words(d));
  check_words(check(d));
  if (!legal) return;
  const std::uint64_t word = placed(start_field, d.start_bytes) | placed(leading_field, d.leading_bytes) |
                             placed(stride_field, d.stride_bytes) |
                             placed(base_field, static_cast<std::uint64_t>(d.base_offset)) |
                             placed(mode_field, code_of_span(span));
  require(encode(d) == word, "encode", words(d));
  require(decode(word) == d && check(word).ok(), "decode o encode", words(d));
}

void check_word(std::uint64_t word) {
  std::uint64_t known = 0;
  for (const hardware::field& f : {hardware::start_field, hardware::leading_field, hardware::stride_field,
                                   hardware::base_field, hardware::mode_field}) {
    for (int bit = 0; bit < f.width; ++bit) known |= std::uint64_t{1} << (f.low + bit);
  }
  const bool phase_without_swizzle =
      hardware::taken(hardware::mode_field, word) == 0 && hardware::taken(hardware::base_field, word) != 0;
  const bool legal = (word & ~known) == 0 && !phase_without_swizzle;
  require(check(word).ok() == legal, "legal words", std::to_string(word));
  check_words(check(word));
  require(start_bytes_of(word) == hardware::taken(hardware::start_field, word), "start_bytes_of", std::to_string(word));
  if (legal) require(encode(decode(word)) == word, "encode o decode", std::to_string(word));
}

/// Every pair of corner values in every pair of fields, and every single bit.
void check_corners() {
  constexpr unsigned corners[] = {0, 16, 32,       1u << 13,        1u << 17, (1u << 18) - 16,
                                  1, 15, 1u << 18, (1u << 18) + 16, ~0u};
  for (const unsigned start : corners) {
    for (const unsigned leading : corners) {
      for (const unsigned stride : corners) {
        for (int base = -1; base <= 8; ++base) {
          for (const swizzle_mode mode : modes) check_fields({start, leading, stride, base, mode});
        }
      }
    }
  }
  for (int bit = 0; bit < 64; ++bit) check_word(std::uint64_t{1} << bit);
  check_word(0);
  check_word(~std::uint64_t{0});
}

unsigned random_bytes(random_source& random) {
  const auto granules = static_cast<unsigned>(random.below(1 << 14));
  if (random.once_in(20)) return static_cast<unsigned>(random.next() >> random.between(32, 52));
  return 16 * (random.once_in(4) ? granules >> random.below(14) : granules);
}

matrix_descriptor random_descriptor(random_source& random) {
  return {random_bytes(random), random_bytes(random), random_bytes(random),
          static_cast<int>(random.once_in(30) ? random.between(-3, 20) : random.below(8)), modes[random.below(4)]};
}

std::uint64_t random_word(random_source& random) {
  const std::uint64_t word = random.next();
  return random.once_in(4) ? word : word & ~descriptor_reserved_bits;
}

int run(std::int64_t count, std::uint64_t seed) {
  report out;
  const auto attempt_law = [&](std::int64_t number, auto law) {
    try {
      law();
    } catch (const finding& what) {
      out.found(number, what.what());
    }
  };
  attempt_law(-1, [] { check_corners(); });
  for (std::int64_t number = 0; number < count; ++number) {
    case_state state{random_source(seed, static_cast<std::uint64_t>(number)), out};
    attempt_law(number, [&] { check_fields(random_descriptor(state.random)); });
    attempt_law(number, [&] { check_word(random_word(state.random)); });
    attempt_law(number, [&] { check_tensor(state); });
    attempt_law(number, [&] { check_box(state); });
    attempt_law(number, [&] { check_canonical(state); });
    attempt_law(number, [&] { check_tile(state); });
    if (number % 8 == 0) attempt_law(number, [&] { check_boxes_of_tile(state); });
  }
  out.print();
  std::printf("%lld values of each kind, seed %llu: %lld findings\n", static_cast<long long>(count),
              static_cast<unsigned long long>(seed), static_cast<long long>(out.findings));
  return out.findings == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sectile_fuzz

int main(int argc, char** argv) {
  const auto argument = [&](int i, long long otherwise) { return argc > i ? std::atoll(argv[i]) : otherwise; };
  return sectile_fuzz::run(argument(1, 20000), static_cast<std::uint64_t>(argument(2, 1)));
}
