// Shapes of the command line, "256x512x64": read, printed and read back alike, every size from 1 to 2^31 - 1.

#include "target.hpp"
#include "tool/args.hpp"
#include "tool/input_error.hpp"

using sectile_fuzz::expect;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find('\0') != std::string::npos) return 0;  // no command line has one
  for (const char* names : {"MNK", "BHSD"}) {
    try {
      const std::vector<std::int64_t> shape = sectile::tool::parse_shape(text, names);
      expect(shape.size() == std::string(names).size(), "one size for each name", text);
      for (const std::int64_t extent : shape)
        expect(extent >= 1 && extent < INT64_C(1) << 31, "every size is in range", text);
      expect(sectile::tool::parse_shape(sectile::tool::shape_text(shape), names) == shape, "read back", text);
    } catch (const sectile::tool::input_error& why) {
      expect(std::string(why.what()).size() > 20, "a refusal is a sentence", why.what());
    }
  }
  return 0;
}
