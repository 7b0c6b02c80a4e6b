// Where in the text of a program each operation stands, for any kernel and without a mark in its source.
//
// The planner reads the body once more, now at run time, and whenever it records an event the return addresses on the
// stack are written down. Debug information (a file that is compiled with -g1 has enough) leads from them to lines; see
// debug_lines.hpp. The addresses that count are those within K::body, and those are the ones below `body_line`.
#pragma once
#include <vector>

#include <sectile/dsl/tell/told_trace.hpp>

namespace sectile::tell {

/// One moment of a reading: an event (by its number in the trace) or the begin of a fragment (by its value, then event
/// is -1), and the return addresses at that moment, innermost first.
struct sighting {
  int event = -1;
  int value = -1;
  std::vector<const void*> stack{};
};

/// Where a body is called from: the file and line of the call in `witnessed`, by which its frame is found.
struct call_site {
  const char* file = "";
  int line = 0;
};

/// What a reading with witnesses brings: the trace that is told, the one that was seen now, and a sighting for each
/// event and fragment of the latter. The two differ where an expression has several operands and the program evaluates
/// them in another order than the compiler.
struct witnessed_run {
  const trace* told = nullptr;
  trace log{};
  std::vector<sighting> seen{};
  call_site body{};
};

/// Appends a sighting to the witnessed_run that `run` points to: an event_observer's function.
void note_stack(void* run, int event, int value);

/// Kernel K under another name: its body for this reading alone is compiled here, with this file's debug information,
/// and not taken from another file that was compiled without.
template <class K>
struct witnessed {
  static constexpr auto operands = K::operands;
  static constexpr configuration how = configuration_of<K>;
  static constexpr int body_line = __LINE__ + 2;
  static void body(auto& sm, auto... arguments) {
    K::body(sm, arguments...);
    [[maybe_unused]] volatile bool returned = true;  // a call that is the last thing done here would leave no frame
  }
};

/// Reads K's body with witnesses.
template <class K>
witnessed_run read_with_witnesses() {
  witnessed_run run;
  run.told = &told_trace<K>;
  run.body = {__FILE__, witnessed<K>::body_line};
  constexpr known_loops known = told_loops<K>();
  run.log = trace_body<witnessed<K>>(told_scenario, known, std::make_integer_sequence<int, operand_count<K>>{},
                                     {note_stack, &run})
                .log;
  return run;
}

}  // namespace sectile::tell
