// Another program, run to its end.
#pragma once
#include <string>
#include <vector>

namespace sectile::tell {

/// What a program left behind. status: its exit status; 128 + the signal that ended it; -1: it could not be started.
struct child_result {
  int status = -1;
  std::string output;
  std::string complaints;  // stderr
};

/// Starts `command` (a program, looked up on PATH, and its arguments), gives it `input` to read and waits for its end.
/// Neither pipes nor files are used, so that no amount of text can block or find a disk full.
child_result run_child(const std::vector<std::string>& command, const std::string& input);

}  // namespace sectile::tell
