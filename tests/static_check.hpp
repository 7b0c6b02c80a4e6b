// Assertions that hold in constant evaluation, and in the code that a compiler makes of them: the two need not agree, and
// gcov counts only what runs.
#pragma once
#include <doctest/doctest.h>

// Among statements.
#define STATIC_CHECK(...)     \
  static_assert(__VA_ARGS__); \
  CHECK((__VA_ARGS__))

// Among declarations, where it is a test of its own.
#define STATIC_CASE(...)                       \
  static_assert(__VA_ARGS__);                  \
  TEST_CASE("also when it runs: " #__VA_ARGS__) { CHECK((__VA_ARGS__)); } \
  static_assert(true)

/// What a function makes when it is called: g++ calls one that gives a constant while it compiles, where it can.
template <class Result>
Result made_by(Result (*make)()) {
  return make();
}
