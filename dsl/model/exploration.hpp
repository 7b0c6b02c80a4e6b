// The systematic schedule: one cluster again and again, see schedule.hpp.
#pragma once

#include <sectile/dsl/model/schedule.hpp>
#include <string>

namespace sectile::model {

struct launch;
struct stack_pool;
struct turns;

/// Explores each cluster of the launch in turn. Throws what the first schedule that fails threw, and
/// std::invalid_argument if the options leave no schedule to run.
void explore(const launch& what, int workers);

/// Runs one cluster in one schedule. Throws std::invalid_argument if there is no such cluster or schedule.
void replay(const launch& what, const recorded_schedule& schedule);

/// Runs one cluster. A hazard's report ends with what `schedule` says.
void run_cluster(const launch& what, int index, stack_pool& stacks, turns& order, const std::string& schedule,
                 bool computes);

}  // namespace sectile::model
