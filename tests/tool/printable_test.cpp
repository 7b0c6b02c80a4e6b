// Text of others on a terminal: nothing in it is obeyed, and what is plain stays as it is.
#include "tool/printable.hpp"

#include <doctest/doctest.h>

using sectile::tool::printable;
using sectile::tool::printable_lines;

TEST_CASE("plain text stays, in every script") {
  for (const char* text : {"", "a.npy", "((2,2),4):((1,8),2)", "größe.npy", "数.npy", "\xF0\x9F\x8D\x8E"})
    CHECK(printable(text) == text);
}

TEST_CASE("what a terminal would obey is spelled out") {
  CHECK(printable("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(printable("\x1b[31mred\x07\x7f") == "\\x1b[31mred\\x07\\x7f");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\xC2\x9b"
                  "31m") == "\\x9b31m");  // the same as ESC [
  CHECK(printable("a\xE2\x80\xAE"
                  "b") == "a\\u202eb");                                // from right to left
  CHECK(printable("a\xE2\x80\x8B\xEF\xBB\xBF") == "a\\u200b\\ufeff");  // not to be seen
}

TEST_CASE("bytes that are no UTF-8 are spelled out one by one") {
  CHECK(printable("\xff\xfe") == "\\xff\\xfe");
  CHECK(printable("\xC3") == "\\xc3");           // cut short
  CHECK(printable("\xC3(") == "\\xc3(");         // not continued
  CHECK(printable("\xC0\x8A") == "\\xc0\\x8a");  // a line end in two bytes
  CHECK(printable("\xE0\x80\x8A") == "\\xe0\\x80\\x8a");
  CHECK(printable("\xED\xA0\x80") == "\\xed\\xa0\\x80");  // half of a pair of UTF-16
  CHECK(printable("\xF4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
}

TEST_CASE("line ends stay where there are lines") { CHECK(printable_lines("a\n\x1b[2J\n") == "a\n\\x1b[2J\n"); }
