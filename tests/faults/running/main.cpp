// faults CASE: runs one case of the gallery. Exit status 3 and the report on stdout if the fault was noticed, 0 if not,
// 2 if there is no such case.
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "running/running.hpp"

namespace {
std::map<std::string, void (*)()>& cases() {
  static std::map<std::string, void (*)()> all;
  return all;
}
}  // namespace

running_case::running_case(void (*run)(), const char* file) {
  cases()[std::filesystem::path(file).stem().string()] = run;
}

int main(int count, char** words) {
  const auto found = count == 2 ? cases().find(words[1]) : cases().end();
  if (found == cases().end()) {
    std::puts("which case?");
    for (const auto& [name, run] : cases()) std::puts(name.c_str());
    return 2;
  }
  try {
    found->second();
  } catch (const sectile::launch_error& error) {
    std::printf("refused at launch: %s\n", error.what());
    return 3;
  } catch (const sectile::model::hazard& hazard) {
    std::printf("the model found a hazard: %s\n", hazard.what());
    return 3;
  }
  std::puts("nothing was noticed");
  return 0;
}
