// A table of measured times as a file: for each problem the microseconds of every member of a family.
//
// It is JSON with a problem in each line. A line ends with a check, a number made of its values and of the check before
// it: what was edited, taken out or put in is noticed, and the message says where.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <sectile/dsl/launch/cost_model.hpp>
#include <string>
#include <vector>

#include "tool/family_list.hpp"

namespace sectile::tool {

/// What was measured: the machine and the family.
struct table_head {
  std::string kernel;
  std::uint64_t family = 0;  // fingerprint
  std::string gpu, software;
  std::string date;  // when it was begun
  std::vector<mode_id> modes;
  std::vector<std::string> members;  // as member_text has them
};
struct timed_problem {
  problem_size sizes{};
  std::vector<std::optional<double>> us;  // of each member; nothing where it was not worth measuring
};
struct tuning_table {
  table_head head;
  std::vector<timed_problem> problems{};

  const timed_problem* find(const problem_size& sizes) const;
};

/// The head of a table of this family that is begun today.
table_head table_head_of(const shipped_family& family, const std::string& gpu, const std::string& software);

std::string to_json(const tuning_table& table);
/// What to_json has written. `name`: of the file, for messages. Throws input_error for anything else.
tuning_table table_from_json(const std::string& name, const std::string& text);
tuning_table read_table(const std::filesystem::path& path);

/// Throws input_error unless the table is of this kernel's family, whatever its configurations were.
void require_kernel(const std::string& name, const table_head& table, std::string_view kernel);
/// Throws input_error unless the table is of this family, in the configurations that it has now.
void require_family(const std::string& name, const table_head& table, const shipped_family& family);
/// Throws input_error unless members of the table and of the family now can be told by their names.
void require_names(const std::string& name, const table_head& table, const table_head& here);
/// Throws input_error unless measurements of this machine can be added to the table.
void require_machine(const std::string& name, const table_head& table, const table_head& here);

}  // namespace sectile::tool
