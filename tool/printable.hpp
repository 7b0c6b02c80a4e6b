// Text of others (arguments, names of files, what a compiler printed) as it may be shown on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace sectile::tool {

/// The text in one line, with everything that a terminal would obey or hide spelled out: control characters as \n, \t
/// or \x1b, marks that turn the direction of writing as \u202e, bytes that are no UTF-8 as \xff. What is plain stays.
std::string printable(std::string_view text);

/// The same for a text of several lines: line ends stay.
std::string printable_lines(std::string_view text);

}  // namespace sectile::tool
