// A picture: one SVG document, what it is called, and what it says to those who do not see it.
#pragma once
#include <string>

namespace sectile::tell {

/// svg is a whole document that carries its style sheet (layouts/picture_style.hpp). title is a few words; alt is whole
/// sentences. Both stand in the document as <title> and <desc>.
struct figure {
  std::string svg, title, alt;
};

}  // namespace sectile::tell
