// Which schedules the model runs.
//
// fair: threads run in turn, each until it must wait; an asynchronous operation completes only when no thread can run.
//
// random: thread and operation are drawn from a seed, and every verb may let others go first.
//
// systematic: one cluster is run again and again, each time in another schedule, until all of them are done that depart
// from a default schedule at most a given number of times. It is the idea of bounding preemptions (Musuvathi and
// Qadeer, "Iterative context bounding", PLDI 2007), with departures counted as by Emmi, Qadeer and Rakamaric
// ("Delay-bounded scheduling", POPL 2011): few departures reach most errors, and the number of schedules is a
// polynomial of the program's length instead of an exponential.
//
// What takes turns there is not the single thread but the role (a producer, a consumer warpgroup), and each batch of
// asynchronous operations (the loads that report to one phase of a barrier, one wgmma group, one bulk store). By
// default a role goes on until it must wait, then the next one runs; operations complete, the oldest first, when no
// role can go on. Wherever a role comes to a barrier or begins to load, and wherever there is a choice, a departure may
// let any other role or operation go first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sectile::model {

/// In which order threads and asynchronous operations come.
enum class schedule_mode : std::uint8_t { fair, random, systematic };

/// What a systematic exploration did.
struct schedule_count {
  long run = 0;      ///< schedules
  int clusters = 0;  ///< that they were run on
  int bound = 0;     ///< the preemptions that each may have had
  int all_to = -1;   ///< every schedule with at most so many was run

  bool all() const { return all_to == bound; }
};

/// "all 1,284 schedules with at most 2 preemptions", or "10,000 schedules: all with at most 1 preemption, and the first
/// of those with 2"
std::string describe(const schedule_count& count);

/// At decision number `decision` of a run, not what is the default but alternative `choice` (from 1).
struct departure {
  std::uint32_t decision = 0, choice = 0;

  friend bool operator==(const departure&, const departure&) = default;
};

/// One schedule of one cluster.
struct recorded_schedule {
  int cluster = 0;
  std::vector<departure> departures{};  ///< in order

  friend bool operator==(const recorded_schedule&, const recorded_schedule&) = default;
};

/// "CLUSTER:DECISION.CHOICE,DECISION.CHOICE", as in "0:17.2,40.1" or "0:"
std::string spell(const recorded_schedule& schedule);
/// Reads what spell() wrote. Throws std::invalid_argument with one sentence.
recorded_schedule parse_schedule(std::string_view text);

}  // namespace sectile::model
