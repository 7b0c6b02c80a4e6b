// Names for the model's reports, from the plan: stages, barriers, roles and tensors in the words of the program.
#pragma once
#include <sectile/dsl/launch/tensor_facts.hpp>
#include <sectile/dsl/model/labels.hpp>
#include <sectile/dsl/plan/plan.hpp>

namespace sectile::model {

/// The tensor of operand `o`: where its elements are, as the program that launches says.
tensor_label name_tensor(const plan& p, int o, const tensor_facts& t);

/// Adds operand `o`'s tensor to the names. Throws unless its tensor map reads and writes elements of the tensor alone.
void name_tensor(const plan& p, int o, const tensor_facts& t, const tensor_map& map, label_set& names);

/// The same of a matrix whose rows are picked, of which there is no map.
void name_gathered(const plan& p, int o, const given_operands& given, label_set& names);

/// Looks at where groups end, if a mode is cut, and leaves rows that belong to none out of what a launch has to write.
/// Throws unless these numbers are such that groups follow each other.
void take_group_ends(const plan& p, const given_operands& given, label_set& names);

/// All names that a plan gives, those of tensors excepted.
label_set name_everything(const plan& p);

}  // namespace sectile::model
