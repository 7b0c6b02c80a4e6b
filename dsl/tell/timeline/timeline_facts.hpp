// A timeline as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <sectile/dsl/tell/timeline/timeline_of_kernel.hpp>

namespace sectile::tell {

/// Times are in nominal cycles, ids are places in the list `events`.
///
///     note, unit, constants   what the times are worth, and the rates that they are made of
///     complete, stopped       whether the run ended, and else who waits for ever and what the model reported
///     summary                 some sentences
///     length, ctas            of the run, of the cluster
///     lanes                   {name, kind: role | copies | tensor_cores | stores, cta, first_thread, last_thread}
///     rings                   {name, operands, stages, guarded: whether stages are released}
///     barriers                {name, ring, stage, arrivals}; every CTA has one of each
///     events                  {kind, lane: where it is drawn, by: the role that asked, start, end (null: never),
///                             causes: ids, says}, and as far as it applies issued (where it is not start), barrier,
///                             bytes, boxes, ctas: those that receive, instructions, fenced, uses: [{operand, ring,
///                             stage}], trip, tile, fill: of the stage, counted from 0, at: [row, column] of a store
///     changes                 {at, cta, ring, stage, state, trip, tile, event}: a stage is in another state from now
///     on letters, steps          in order: {at, event, what: begins | ends | happens, stages: by CTA and ring a letter
///                             for each stage, as it is then}
///     statistics              from, to, tensor_cores, waits (the longest first), rings, bytes
nlohmann::ordered_json facts_of(const timeline& t);

/// The same of a kernel, with `sizes` and `refused`.
nlohmann::ordered_json facts_of(const kernel_timeline& k);

}  // namespace sectile::tell
