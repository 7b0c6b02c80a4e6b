// Files that the tool writes.
#pragma once

#include <filesystem>
#include <string>

namespace sectile::tool {

/// Throws input_error unless a file could be written there, so that a long run is not in vain.
void require_writable(const std::filesystem::path& path);

/// Writes a text file; what was there stays as it was until the new one is complete. Throws input_error.
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace sectile::tool
