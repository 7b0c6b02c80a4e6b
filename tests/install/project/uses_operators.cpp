// A library of operators, loaded by its path as another language does.
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sectile/dsl/operator/abi.hpp>

int main(int count, char** words) {
  void* const library = count == 2 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!library) return std::printf("%s\n", dlerror()), 1;
  const auto give = reinterpret_cast<const sectile::operator_set* (*)()>(dlsym(library, "sectile_operators"));
  if (!give || give()->abi != sectile::operator_abi || give()->count != 1) return 2;
  const sectile::operator_facts& facts = *give()->at[0];
  const bool as_said = std::strcmp(facts.name, "product") == 0 && std::strcmp(facts.summary, "C = A B^T") == 0;
  return as_said && facts.count == 3 && facts.on_model ? 0 : 3;
}
