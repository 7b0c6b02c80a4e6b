# Mistakes in the text of the lowering, each of which the model has to notice without knowing the right numbers. What a
# machine that gets a verb wrong can show is in model/lowering_faults; these need another line in a role.

# What a mutant includes and no mutant changes is compiled ahead.
sectile_precompile("${CMAKE_CURRENT_LIST_DIR}/not_mutated.hpp" sectile_not_mutated)

# sectile_mutant(NAME KERNEL HEADER FROM TO EXPECTED [ALWAYS|EXHAUSTIVE]): the kernels of program.cpp that KERNEL lists
# run with FROM replaced by TO in <sectile/HEADER>, and the model's report contains EXPECTED. Compiling them is most of the
# work: one in 30 is compiled, and the others in the exhaustive tests.
function(sectile_mutant name kernel header from to expected)
  file(READ "${PROJECT_SOURCE_DIR}/include/sectile/${header}" text)
  string(FIND "${text}" "${from}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "The mutant ${name} changes what <sectile/${header}> does not say: ${from}")
  endif()
  cmake_parse_arguments(PARSE_ARGV 6 mutant "ALWAYS;EXHAUSTIVE" "" "")
  sectile_sampled(${name} 30 in_sample)
  set(when)
  set(labels mutants)
  if(mutant_EXHAUSTIVE OR NOT (in_sample OR mutant_ALWAYS))
    set(when CONFIGURATIONS exhaustive)
    list(APPEND labels exhaustive)
  else()
    string(REPLACE "," ";" kernels "${kernel}")
    set_property(GLOBAL APPEND PROPERTY sectile_mutated_kernels ${kernels})
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/mutants/${name}")
  file(WRITE "${folder}/from" "${from}")
  file(WRITE "${folder}/to" "${to}")
  file(WRITE "${folder}/expected" "${expected}")
  sectile_run_script(
    mutants/${name}
    mutants/try_mutant.cmake
    "KERNEL=${kernel}"
    "HEADER=${header}"
    "FOLDER=${folder}"
    "INCLUDE=${PROJECT_SOURCE_DIR}/include"
    "AHEAD=${sectile_not_mutated}"
    "ROOT=${PROJECT_SOURCE_DIR}"
    "COMPILER=${CMAKE_CXX_COMPILER}"
    "LIBRARIES=$<TARGET_FILE:sectile_tool>,$<TARGET_FILE:sectile_model>,$<TARGET_FILE:Boost::context>,-lpthread"
    "FLAGS=$<$<BOOL:${SECTILE_SANITIZE}>:-fsanitize=address,undefined>"
    ${when})
  set_tests_properties(mutants/${name} PROPERTIES LABELS "${labels}")
endfunction()

sectile_mutant(every_panel_is_the_first two_panels dsl/roles/producer.hpp "panel * width, row)" "0, row)"
               ", but element (0, 0) of A is there, brought by the tma_load of producer")
sectile_mutant(both_bring_slice_0 slices dsl/roles/producer.hpp "slice_of<I>() * slice_rows" "0" "tma_load of producer")
sectile_mutant(columns_beyond_the_row two_panels dsl/roles/epilogue.hpp "col < out.cols" "col < out.cols + 1"
               " bytes from byte ")
sectile_mutant(rows_beyond_the_last two_panels dsl/roles/epilogue.hpp "first_row + r < rows" "first_row + r <= rows"
               "of C on, where none of its elements is")
sectile_mutant(columns_swapped two_panels dsl/roles/epilogue.hpp "unit[i] = pack<Out>(sm.hw, x.atom[m][2 * (first + i)]" "unit[i] = pack<Out>(sm.hw, x.atom[m][2 * (first + i) ^ 2]"
               "another value than the body stores there")
sectile_mutant(not_turned swapped dsl/roles/epilogue.hpp "hw.stmatrix_x4_trans(to, unit)" "hw.stmatrix_x4(to, unit)"
               "another value than the body stores there")
sectile_mutant(rows_of_the_other_lanes bytes_by_columns layouts/row_pairs.hpp "2 * (g % 4) + g / 4" "2 * (g % 4)"
               "another value than the body stores there")
sectile_mutant(rows_not_counted_in_units bytes_by_columns dsl/roles/epilogue.hpp "stores.rows() / 16;" "1;" "stmatrix")
sectile_mutant(columns_as_if_they_were_rows by_columns dsl/roles/epilogue.hpp "at.at[along] * tile.cols" "at.at[rank - 1] * tile.cols"
               "which is not of its part of tile")
sectile_mutant(the_first_half_twice swapped dsl/plan/epilogue.hpp "n % down * panel.rows, n / down" "0, n / down"
               "both write element (0, 0) of C")
sectile_mutant(a_tensor_before_the_wait swapped dsl/roles/entry.hpp "hw.griddepcontrol_wait();" "(void)0;"
               "comes before its griddepcontrol_wait")
sectile_mutant(the_last_tile_stays deferring dsl/roles/consumer.hpp
               "if constexpr (outbox<K>::deferred) out.put_rest(*this);\n    if (thread == 0)" "if (thread == 0)"
               "elements are never written")
sectile_mutant(the_last_band_is_divided_like_the_others deferring dsl/roles/work.hpp
               "last ? g.last_band_rows : g.band_rows" "g.band_rows" "elements are never written")
sectile_mutant(a_mask_without_the_consumer turns dsl/roles/consumer.hpp
               "share() * (Rows / base::sharers) + m * 64 + p.row" "m * 64 + p.row"
               "of block 0 of a fragment for its element (7, 6); it is element (71, 6)")
sectile_mutant(sums_begin_with_anything turns dsl/roles/consumer.hpp
               "clears_accumulators = computes && head_of<K>.clears_accumulators" "clears_accumulators = false"
               "of a block, which nothing has written")
sectile_mutant(registers_not_taken_over turns dsl/roles/consumer_values.hpp "if (s.settle())" "if (s.settle() && index < 0)"
               "but a touch behind it is missing")
sectile_mutant(no_setmaxnreg turns dsl/roles/entry.hpp "hw.template registers_inc<consumer_registers>()" "(void)0"
               "a setmaxnreg must come first")
sectile_mutant(the_last_turn_is_not_taken turns dsl/roles/entry.hpp
               "if (role.index == 0) role.wait_in_order()" "if (role.index > 1) role.wait_in_order()"
               "nobody takes their arrival")
sectile_mutant(a_full_turn_is_kept full_turns dsl/roles/consumer_values.hpp
               "if (behind && s.arrive_in_order())" "if (behind && s.arrive_in_order() && index > 0)"
               "to come to the turn of consumer 1")
sectile_mutant(a_tile_out_of_turn by_turns dsl/roles/consumer.hpp "if constexpr (how_of<K>.own_tiles) wait_in_order();" ""
               "of A is there, brought by the tma_load of producer")
sectile_mutant(a_tile_for_each_consumer by_turns dsl/roles/entry.hpp "own = turn == role.index" "own = true"
               "of A is there, brought by the tma_load of producer")
sectile_mutant(the_turn_behind_the_last_tile by_turns dsl/roles/entry.hpp "if (turn == role.index) role.wait_in_order()" "(void)turn"
               "nobody takes their arrival")
sectile_mutant(a_lane_of_the_first_row abreast dsl/roles/producer.hpp "        ++at.at[row];\n" ""
               "is there, brought by the tma_load of producer")
sectile_mutant(a_lane_that_all_give_back abreast dsl/plan/plan.hpp "how.abreast && r.lanes == 1" "how.abreast"
               "1 of 2 arrivals")
sectile_mutant(a_stage_that_one_gives_back abreast dsl/plan/plan.hpp "how.abreast && r.lanes == 1" "false"
               "which is still read by a wgmma of consumer")
sectile_mutant(a_lane_for_all abreast dsl/roles/role.hpp "ring_of<K, Ring>.lanes == 1 ? stage" "ring_of<K, Ring>.lanes > 0 ? stage"
               "has all its 1 arrivals already")
sectile_mutant(a_part_is_left_out in_two dsl/roles/cluster_meeting.hpp "other = 1; other < parts" "other = 1; other < parts - 1"
               "adds up the parts of a sum in its register 0, of 2 CTAs, to")
sectile_mutant(words_of_the_neighbour in_two dsl/roles/cluster_meeting.hpp
               "sm.hw.load_shared_at(word, sums_address<N>(sm, number), sm.rank_of_part(other))"
               "this->hw.load_shared_at(word, sums_address<N>(number ^ 1), this->rank_of_part(other))"
               "added in their order they are")
sectile_mutant(the_first_share_for_all in_four dsl/roles/cluster_meeting.hpp "in_share = number - part_of_trips(quads, owner, split).first"
               "in_share = 0" "added in their order they are")
sectile_mutant(parts_added_backwards in_four dsl/roles/cluster_meeting.hpp
               "sums_address<N>(sm, own.first + quad), sm.rank_of_part(other)"
               "sums_address<N>(sm, own.first + quad), sm.rank_of_part(parts_of<K> - 1 - other)"
               "added in their order they are")
sectile_mutant(sums_over_a_stage_in_use in_two dsl/roles/cluster_meeting.hpp "if constexpr (consumers > 1) sm.hw.named_barrier_sync(sums_barrier"
               "if constexpr (consumers > 2) sm.hw.named_barrier_sync(sums_barrier" "store_shared of consumer")
sectile_mutant(sums_that_nobody_waits_for in_two dsl/roles/cluster_meeting.hpp "    await_sums<N, 0>(sm);\n    for (int other = 1;" "    for (int other = 1;"
               "load_shared_at of consumer")
sectile_mutant(states_that_nobody_waits_for merged_in_three dsl/roles/merging.hpp "  await_sums<N, 0>(sm);\n" ""
               "load_shared_at of consumer")
sectile_mutant(states_over_a_stage_in_use merged_in_three dsl/roles/merging.hpp "if constexpr (consumers > 1) sm.hw.named_barrier_sync(sums_barrier"
               "if constexpr (consumers > 2) sm.hw.named_barrier_sync(sums_barrier" "store_shared of consumer")
sectile_mutant(words_of_another_part merged_in_three dsl/roles/merging.hpp
               "sums_address<N>(sm, n), sm.rank_of_part(part)" "sums_address<N>(sm, n), sm.rank_of_part(3 - part)"
               "has other words of it than that part has left")
sectile_mutant(a_part_is_not_merged merged_in_three dsl/roles/merging.hpp "if (part + i >= parts) continue;" "if (part + i >= parts - 1) continue;"
               "merges 2 of 3 parts of a tile")
sectile_mutant(the_last_part_in_place_of_the_first merged_in_twelve dsl/roles/merging.hpp
               "merge_from(sm, to.number, 0, to.parts.count" "merge_from(sm, to.number, 1, to.parts.count"
               "where part 0 is the next")
sectile_mutant(groups_in_the_place_of_the_first merged_by_groups dsl/roles/merging.hpp
               "to.parts.first + part, parts_of_tile(sm)" "part, parts_of_tile(sm)" "has left another part")
sectile_mutant(one_counter_for_all_groups merged_by_groups dsl/roles/merging.hpp
               "counter_of_group(last, group)" "counter_of_group(last, 0)"
               "counts the parts of another tile")
sectile_mutant(a_group_is_left_out merged_by_groups dsl/roles/merging.hpp
               "merge_from(sm, to.number, 0, to.parts.count" "merge_from(sm, to.number, 0, to.parts.count - to.of_groups" "merges 2 of 3 parts of a tile")
sectile_mutant(words_of_another_piece merged_in_pieces dsl/roles/merging.hpp "read(part, pieces::quad(p, n), word)" "read(part, pieces::quad(0, n), word)"
               "has other words of it than that part has left")
sectile_mutant(a_ticket_before_all_have_left in_twelve dsl/roles/workspace_meeting.hpp
               "  sm.hw.named_barrier_sync(sums_barrier(Consumer::consumers), threads);\n" ""
               ", but taken no ticket that comes behind it")
sectile_mutant(counters_before_the_wait in_twelve dsl/roles/entry.hpp
               "  if constexpr (how_of<K>.overlap != launch_overlap::none) hw.griddepcontrol_wait();\n"
               "  open_counters<K>(hw, parameters);\n  hw.griddepcontrol_wait();\n"
               "open_tickets of consumer")
sectile_mutant(a_counter_behind_the_last_one in_twelve dsl/roles/entry.hpp
               "counter < parameters.counters" "counter <= parameters.counters" "there is no ticket counter number")
sectile_mutant(no_ticket in_twelve dsl/roles/workspace_meeting.hpp
               "sm.hw.take_ticket(to.tickets, counter, parts) == parts - 1" "sm.part == parts - 1"
               ", but taken no ticket that comes behind it")
sectile_mutant(everybody_comes_last in_twelve dsl/roles/workspace_meeting.hpp
               "take_ticket(to.tickets, counter, parts) == parts - 1" "take_ticket(to.tickets, counter, parts) >= 0"
               "where no cluster has left its part yet")
sectile_mutant(a_ticket_for_each_consumer in_twelve dsl/roles/workspace_meeting.hpp
               "takes = sm.index == 0 && sm.thread == 0" "takes = sm.thread == 0"
               "its CTA has taken a ticket from counter 0 before")
sectile_mutant(only_the_taker_knows_of_the_ticket in_twelve dsl/roles/workspace_meeting.hpp
               "last = sm.hw.named_barrier_any(sums_barrier(Consumer::consumers), threads, last)"
               "last = sm.part == parts - 1" "without knowing of a ticket of its own CTA")
sectile_mutant(a_part_in_place_of_another in_twelve dsl/roles/workspace_meeting.hpp
               "for_each_left<N, Fragment>(sm, tile, part, [&]" "for_each_left<N, Fragment>(sm, tile, part ^ 1, [&]"
               "added in their order they are")
sectile_mutant(the_first_part_stores_as_ever in_twelve dsl/roles/workspace_meeting.hpp
               "sm.holder = last ? sm.part : nobody" "(void)nobody"
               "where no cluster has left its part yet")
sectile_mutant(the_second_sum_is_not_waited_for in_twelve_twice dsl/roles/workspace_meeting.hpp
               "if (takes && sm.has_sums()) sm.hw.await_tickets(to.tickets, counter, parts - 1);" ""
               "without knowing of a ticket of its own CTA")
sectile_mutant(the_last_takes_no_ticket_of_the_second_sum in_twelve_twice dsl/roles/workspace_meeting.hpp
               "if (takes) sm.hw.take_ticket(to.tickets, counter, parts);" "if (takes && !sm.has_sums()) sm.hw.take_ticket(to.tickets, counter, parts);"
               " is left with 11 tickets taken and not all of them")
sectile_mutant(only_the_one_that_waits_knows in_twelve_twice dsl/roles/workspace_meeting.hpp
               "if (sm.has_sums()) sm.hw.named_barrier_sync(sums_barrier(Consumer::consumers), threads);" ""
               "without knowing of a ticket of its own CTA")
sectile_mutant(a_ticket_before_all_have_left_a_cut_tile in_stream dsl/roles/workspace_meeting.hpp
               "  sm.hw.named_barrier_sync(sums_barrier(Consumer::consumers), threads);\n" ""
               ", but taken no ticket that comes behind it")
sectile_mutant(every_part_of_a_cut_tile_comes_last in_stream dsl/roles/workspace_meeting.hpp
               "take_ticket(to.tickets, counter, parts) == parts - 1" "take_ticket(to.tickets, counter, parts) >= 0"
               "where no cluster has left its part yet")
sectile_mutant(one_counter_for_all_cut_tiles in_stream dsl/roles/workspace_meeting.hpp
               "number * ctas * sm.parameters.stream.rest() + tile" "number * ctas * sm.parameters.stream.rest()"
               "counts the parts of another tile")
sectile_mutant(a_ticket_more_than_a_cut_tile_has_parts in_stream dsl/roles/workspace_meeting.hpp
               "return sm.now.parts;" "return sm.now.parts + 1;"
               "tickets of a tile that has 5 parts")
sectile_mutant(whole_tiles_that_meet in_stream dsl/roles/consumer_values.hpp
               "if (this->now.is_whole()) return;" ""
               "lies outside of the sums in the workspace")
sectile_mutant(every_part_of_a_cut_tile_stores in_stream dsl/roles/consumer_values.hpp
               "  use(x);\n  if (!this->has_sums()) return;\n" "  use(x);\n"
               "both write element (")
sectile_mutant(the_last_part_of_a_cut_tile_is_nobodys in_stream dsl/plan/stream.hpp
               "if (n >= s.items()) return {};" "if (n >= s.items() - 1) return {};"
               "elements are never written")
sectile_mutant(a_ticket_before_the_warp_has_left added_up dsl/roles/sums_in_order.hpp
               "  hw.warp_sync();\n  const int counter" "  const int counter"
               "but its warp has taken no ticket that comes behind it")
sectile_mutant(lanes_that_nobody_tells_of_the_ticket added_up dsl/roles/sums_in_order.hpp
               "  hw.warp_sync();\n  if (static_cast<int>" "  if (static_cast<int>"
               "without knowing that its own warp's ticket of counter")
sectile_mutant(every_tile_comes_last added_up dsl/roles/sums_in_order.hpp
               "hw.shuffle(before, 0)) == slots - 1" "hw.shuffle(before, 0)) >= 0"
               "without knowing that its own warp's ticket of counter")
sectile_mutant(no_tile_comes_last added_up dsl/roles/sums_in_order.hpp
               "hw.shuffle(before, 0)) == slots - 1" "hw.shuffle(before, 0)) == slots"
               "sum: 1 of its 1 elements is never written")
sectile_mutant(one_slot_for_all_tiles added_up dsl/roles/sums_in_order.hpp
               "static_cast<long long>(to.tiles.slot_of(sm.tile)) * elements" "0"
               "has left that of another tile")
sectile_mutant(one_group_of_tiles added_up dsl/roles/sums_in_order.hpp
               "group = to.tiles.group_of(sm.tile)" "group = 0" "has left that of another tile")
sectile_mutant(tickets_of_another_number added_up dsl/roles/sums_in_order.hpp
               "take_place(sm.parameters.tickets, counter, slots)" "take_place(sm.parameters.tickets, counter, slots - 1)"
               "tickets of sum, of which 6 tiles are added up")
sectile_mutant(tickets_of_another_warp added_up dsl/roles/sums_in_order.hpp
               "(warps == 1 ? 0 : sm.warp_of_consumers())" "0" "load_number of consumer")
sectile_mutant(tiles_added_backwards added_up dsl/roles/sums_in_order.hpp
               "first + static_cast<long long>(at) * pitch" "first + (to.tiles.slots - 1 - at) * pitch"
               " behind that of tile ")
sectile_mutant(the_last_tile_is_left_out added_up dsl/roles/sums_in_order.hpp
               "at < to.tiles.slots;" "at + 1 < to.tiles.slots;" "nobody adds the number of tile 5 of 6")
sectile_mutant(a_tile_beyond_the_last_one added_up dsl/roles/consumer_values.hpp
               "if (this->has_sums() && is_in_work<K>(arguments_of(*this, parameters), this->tile))" "if (this->has_sums())"
               " of consumer")
sectile_mutant(rows_scattered_before_they_are_written scattered dsl/roles/scatter.hpp
               "  sm.hw.warp_sync();\n  const std::uint32_t buffer" "  const std::uint32_t buffer" "load_shared of consumer")
sectile_mutant(rows_written_before_they_are_scattered scattered dsl/roles/scatter.hpp
               "  sm.hw.warp_sync();  // whose lanes" "  //" "stmatrix")
sectile_mutant(a_ticket_before_the_row_has_left scattered dsl/roles/scatter.hpp
               "sm.hw.warp_sync();  // see" "// see" "but its warp has taken no ticket that comes behind it")
sectile_mutant(lanes_that_nobody_tells_what_is_complete scattered dsl/roles/scatter.hpp
               "    sm.hw.warp_sync();\n    sums = {};" "    sums = {};" "without knowing that its own warp's ticket of counter")
sectile_mutant(every_row_is_complete scattered dsl/roles/scatter.hpp "before == slots - 1" "true" "load_number of consumer")
sectile_mutant(one_place_for_all_summands scattered dsl/roles/scatter.hpp
               "number % slots" "0" "has left others before")
sectile_mutant(a_summand_is_left_out scattered dsl/roles/scatter.hpp
               "there && n < count" "there && n + 1 < count" "nobody adds bytes")
sectile_mutant(sums_of_warps_that_nobody_waits_for added_up dsl/program/tile_sums.hpp
               "  }\n  sm.end_showing();\n" "  }\n" "load_shared of consumer")
sectile_mutant(sums_of_warps_over_those_in_use added_up dsl/program/tile_sums.hpp
               "  sm.begin_showing(Cols::extent);\n" ""
               "store_shared of consumer")
sectile_mutant(a_counter_for_two_tiles in_clusters_twice dsl/roles/workspace_meeting.hpp
               "number * ctas * sm.parameters.work.count + tile" "number * sm.parameters.work.count + tile"
               "counts the parts of another tile")

# Numbers that threads join, and what becomes of them.
sectile_mutant(two_lanes_of_four reduced dsl/program/rows.hpp
               "hw.shuffle_xor(x, apart)" "hw.shuffle_xor(x, apart == 1 ? 1 : 4)"
               "when they are joined by their places")
sectile_mutant(half_of_a_row reduced dsl/program/rows.hpp "for (int i = 0; i < x.atom_registers; ++i) {\n        float& best"
               "for (int i = 0; i < x.atom_registers / 2; ++i) {\n        float& best"
               "row_max of consumer")
sectile_mutant(the_other_half_of_a_block reduced dsl/program/rows.hpp "return (i >> 1) & 1;" "return i & 1;"
               "when they are joined by their places")
sectile_mutant(lanes_that_disagree reduced dsl/program/row_reductions.hpp "apart = 1; apart <= 2; apart *= 2) {\n        const bool upper"
               "apart = 1; apart <= 1; apart *= 2) {\n        const bool upper" "row_reduce of consumer")
sectile_mutant(columns_of_the_tile_alone reduced dsl/program/row_reductions.hpp "first = tile * type::cols" "first = tile"
               "row_argmax of consumer")
sectile_mutant(a_place_without_its_lane reduced dsl/program/row_reductions.hpp "first + own + column[h]" "first + column[h]"
               "row_argmax of consumer")
sectile_mutant(half_of_a_warp reduced_swapped dsl/program/col_reductions.hpp "apart = 4; apart <= 16" "apart = 4; apart <= 8"
               "when they are joined by their places")
sectile_mutant(three_warps_of_four reduced dsl/program/col_reductions.hpp "for (int i = 0; i < 4; ++i) its = warp"
               "for (int i = 0; i < 3; ++i) its = warp" "col_sum of consumer")
sectile_mutant(half_of_a_warp_for_all_rows reduced_swapped dsl/program/all_rows.hpp "apart = 4; apart <= 16" "apart = 4; apart <= 8"
               "when they are joined by their places")
sectile_mutant(the_column_beside reduced dsl/roles/column_exchange.hpp "first_warp, col));\n    for" "first_warp, col ^ 1));\n    for"
               "col_sum of consumer")
sectile_mutant(the_first_ctas_part_twice rows_of_two dsl/roles/column_exchange.hpp "address_of(sm, cta, first_warp" "address_of(sm, 0, first_warp"
               "when they are joined by their places")
sectile_mutant(parts_of_two_ctas_in_one_place rows_of_two dsl/roles/column_exchange.hpp "ctas > 1 ? sm.col_in_cluster : 0" "0"
               "writes the exchange of columns")
sectile_mutant(parts_for_the_first_cta_alone rows_of_two dsl/roles/column_exchange.hpp "sm.rank_in_exchange(cta));" "sm.rank_in_exchange(0));"
               "writes the exchange of columns")
sectile_mutant(half_of_the_bytes_of_columns rows_of_two dsl/roles/column_exchange.hpp "number_bytes = 4," "number_bytes = 2,"
               "reads the exchange of columns")
sectile_mutant(one_barrier_for_two_buffers rows_of_two dsl/roles/column_exchange.hpp "sm.index - sm.share(), turn % 2" "sm.index - sm.share(), 0"
               "reads the exchange of columns")
sectile_mutant(lanes_do_not_meet rows_of_two dsl/roles/column_exchange.hpp "sm.hw.warp_sync();" "(void)0;"
               "reads with ordinary loads: a barrier must come between")
sectile_mutant(a_quad_of_two reduced_swapped dsl/program/rows.hpp "apart = 1; apart <= 2" "apart = 1; apart <= 1"
               "col_sum of consumer")
sectile_mutant(neighbours_change_places reduced dsl/program/cast.hpp
               "pack<T>(x.reading->hw, x.atom[m][2 * i], x.atom[m][2 * i + 1])"
               "pack<T>(x.reading->hw, x.atom[m][2 * i + 1], x.atom[m][2 * i])" "cast of consumer")
sectile_mutant(every_step_is_the_first rounded dsl/program/cast.hpp
               "const int at = taken * step + 4 * w;" "const int at = 4 * w;" "cast of consumer")
sectile_mutant(every_lane_combines combining dsl/program/vector_outputs.hpp "first.col == 0 && first.row % 16 == 0"
               "first.col == 0" "of its warp a second time")
sectile_mutant(groups_given_to_others combining dsl/program/vector_outputs.hpp "hw.shuffle_xor(given, 4 * Half)"
               "hw.shuffle_xor(given, 2 * Half)" "where the numbers of its warp make")
sectile_mutant(rows_beyond_the_end_count combining dsl/program/vector_outputs.hpp
               "counted<How>(of_row[h], p.row < rows)" "counted<How>(of_row[h], true)" "where the numbers of its warp make")
sectile_mutant(a_tile_beyond_the_work_combines combining_in_clusters dsl/roles/consumer.hpp
               "to.inside = is_in_work<K>(arguments_of(*this, parameters), this->tile) ? to.inside : 0;" "(void)0;"
               "is written by a tile that lies beyond the work")
sectile_mutant(every_part_combines combining_parts dsl/roles/consumer_values.hpp "if (this->has_sums()) {\n      const auto to = destination<I>(vector, at);\n      if constexpr (is_watched<consumer>) tell_numbers(*this, to, whole, written_as<I, use>"
               "{\n      const auto to = destination<I>(vector, at);\n      if constexpr (is_watched<consumer>) tell_numbers(*this, to, whole, written_as<I, use>" "but a part of the tile's sums")
sectile_mutant(any_tile_in_place of_the_tile_below dsl/plan/in_place.hpp
               "same = same && e.coordinate[d] == store->coordinate[d]" "(void)d" "loads as part of an input")
sectile_mutant(metadata_of_the_first_step sparse_product dsl/roles/consumer_products.hpp
               "metadata_offset(md, share() * P.m_blocks + m, k) + 4 * thread"
               "metadata_offset(md, share() * P.m_blocks + m, 0) + 4 * thread" "for metadata of other rows")
sectile_mutant(metadata_of_the_other_consumer sparse_product dsl/roles/consumer_products.hpp
               "metadata_offset(md, share() * P.m_blocks + m, k) + 4 * thread" "metadata_offset(md, m, k) + 4 * thread"
               "for metadata of other rows")
sectile_mutant(a_number_over_one_that_is_read drawing dsl/roles/tickets.hpp
               "    hw.mbarrier_wait(empty_barrier(hw), turn / ticket_slots ^ 1);\n" ""
               "writes drawn work slot 0")
sectile_mutant(a_number_that_is_not_there_yet drawing dsl/roles/tickets.hpp
               "    hw.mbarrier_wait(full_barrier(hw), turn / ticket_slots);\n" ""
               "reads drawn work slot 0")
sectile_mutant(a_warp_that_says_for_all_that_it_has_read drawing dsl/roles/tickets.hpp
               "      hw.named_barrier_sync(epilogue_barrier(role.index), warpgroup);\n" ""
               "reads with ordinary loads: a barrier must come between")
sectile_mutant(every_cta_draws drawing dsl/roles/tickets.hpp
               "return leads<K>(hw) && (ctas == 1 || hw.cta_rank() == 0);" "return true;"
               "before, behind which there is no work")
sectile_mutant(a_number_for_one_cta drawing dsl/roles/tickets.hpp
               "cta < ctas; ++cta" "cta < 1; ++cta"
               "deadlock in cluster 0")
sectile_mutant(the_first_round_for_ever drawing dsl/roles/tickets.hpp
               "(turn + 1) % (2 * ticket_slots)" "(turn + 1) % ticket_slots"
               "writes drawn work slot 0")
sectile_mutant(the_ticket_is_the_tile drawing dsl/roles/tickets.hpp
               "hw.cluster_count() + hw.number_drawn" "hw.number_drawn"
               "before, behind which there is no work")
sectile_mutant(two_draws_for_a_tile drawing dsl/roles/tickets.hpp
               "if (draws(hw)) found =" "if (draws(hw)) hw.draw_ticket(parameters.tickets, parameters.counters - 1), found ="
               "its cluster has drawn before, and not taken the number")
sectile_mutant(a_number_that_is_taken_twice drawing dsl/roles/tickets.hpp
               "hw.cluster_count() + hw.number_drawn(" "hw.number_drawn(to.tickets, to.counters - 1, found, to.work.count) + hw.number_drawn("
               "its cluster has not drawn since it has taken its last number")
sectile_mutant(a_producer_that_does_not_say_it_has_read drawing dsl/roles/tickets.hpp
               "if (leads<K>(hw) && !draws(hw)) hw.mbarrier_arrive_at(empty_barrier(hw), 0);" ""
               "to arrive at read[0] of cta 0")
sectile_mutant(a_number_of_two_words drawing dsl/roles/tickets.hpp
               "mbarrier_arrive_expect(full_barrier(hw), ticket_word)" "mbarrier_arrive_expect(full_barrier(hw), 2 * ticket_word)"
               "4 bytes outstanding")
sectile_mutant(a_reader_too_few drawing dsl/roles/entry.hpp
               "readers = ticket_readers(how_of<K>)" "readers = ticket_readers(how_of<K>) - 1"
               "writes drawn work slot 0")
sectile_mutant(metadata_of_a_product_that_runs sparse_product dsl/roles/consumer_products.hpp
               "  wait(s.wait());\n  if constexpr (p.instruction.sparse) {" "  if constexpr (p.instruction.sparse) {"
               "that are the metadata of a pending wgmma")

sectile_mutant(a_factor_not_shown placed dsl/roles/consumer_products.hpp
               "  this->hw.fence_proxy_async();\n  columns.meet(*this);\n}" "  columns.meet(*this);\n}" "did not fence: it must call fence_proxy_async")
sectile_mutant(a_factor_of_which_a_part_is_there placed dsl/roles/consumer_products.hpp
               "  this->hw.fence_proxy_async();\n  columns.meet(*this);\n}" "  this->hw.fence_proxy_async();\n}" "its fence_proxy_async and a barrier must come between")
sectile_mutant(a_factor_over_one_that_is_read placed dsl/roles/consumer_products.hpp
               "  columns.meet(*this);\n  write_factor" "  write_factor" "writes a left factor (byte")

sectile_mutant(copies_not_shown gathered dsl/roles/consumer.hpp
               "if constexpr (shows_copies(plan_of<K>, Ring)) this" "if constexpr (false) this"
               "what reads them, fence_proxy_async must come")
sectile_mutant(copies_not_told gathered dsl/roles/gather.hpp "role.hw.mbarrier_arrive_copied(barrier);" ""
               "128 more arrivals would release it")
sectile_mutant(copied_where_no_swizzle_is gathered dsl/roles/gather.hpp
               "byte_swizzle(op.swizzle)(begin - whole + own_begin)" "begin - whole + own_begin"
               "of A is there, brought by the copy_async of producer")
sectile_mutant(picked_beyond_the_index gathered dsl/roles/gather.hpp "own < rows && place.has(row)" "own < rows"
               "which belongs to no input of the kernel")
sectile_mutant(copied_beyond_the_row gathered dsl/roles/gather.hpp "byte < from.row_bytes" "byte <= from.row_bytes"
               "and 15 bytes behind it, which belong to no input")
sectile_mutant(row_of_another_lane gathered dsl/roles/gather.hpp "first % gather_lanes + own_row)" "first % gather_lanes)"
               "of A is there, brought by the copy_async of producer")
sectile_mutant(a_copying_thread_too_few gathered dsl/roles/entry.hpp
               "fills = ring_of<K, r>.full_arrivals;" "fills = ring_of<K, r>.full_arrivals - 1;"
               "which no copy has brought")
sectile_mutant(all_who_copy_announce gathered dsl/roles/producer.hpp
               "if (leads<K>(this->hw)) this->hw.mbarrier_arrive_expect" "this->hw.mbarrier_arrive_expect" "transaction count")
sectile_mutant(none_is_row_0 gathered dsl/roles/gather.hpp
               "possible ? number : index_words<rows>::none;" "possible ? number : 0;"
               "element (0, 0) of A is there, brought by the copy_async of producer")
sectile_mutant(pieces_of_the_first_panel gathered dsl/roles/gather.hpp "first_byte + panel * span + own_byte" "own_byte"
               "for element (0, 64) of tile (0, 0) of A, but element (0, 0)")
sectile_mutant(rows_of_the_first_tile gathered dsl/roles/gather.hpp "  p.first += p.begin;" ""
               "for element (0, 0) of tile (1, 0) of A, but element (0, 0)")
sectile_mutant(a_thread_that_says_for_all_who_copy_that_it_has_read gathered_and_drawn dsl/roles/tickets.hpp
               "      if constexpr (threads > 1) hw.named_barrier_sync(producer_barrier(how_of<K>.consumers), threads);\n" ""
               "reads with ordinary loads: a barrier must come between")
sectile_mutant(a_warp_too_few_that_meets gathered_and_drawn dsl/roles/tickets.hpp
               "how_of<K>.consumers), threads);" "how_of<K>.consumers), threads - 32);"
               "of 96 threads are there")
sectile_mutant(all_who_copy_draw gathered_and_drawn dsl/roles/tickets.hpp
               "return leads<K>(hw) && (ctas" "return (ctas"
               "its cluster has drawn before, and not taken the number")
sectile_mutant(all_who_copy_announce_a_number gathered_and_drawn dsl/roles/tickets.hpp
               "if (leads<K>(hw)) hw.mbarrier_arrive_expect" "hw.mbarrier_arrive_expect"
               "of drawn[0] has all its 1 arrivals already")
sectile_mutant(a_number_that_the_first_waits_for gathered_and_drawn dsl/roles/tickets.hpp
               "    hw.mbarrier_wait(full_barrier(hw), turn / ticket_slots);\n"
               "    if (!Loads || leads<K>(hw)) hw.mbarrier_wait(full_barrier(hw), turn / ticket_slots);\n"
               "reads drawn work slot 0")

# What they spoil is right.
get_property(mutated_kernels GLOBAL PROPERTY sectile_mutated_kernels)
list(REMOVE_DUPLICATES mutated_kernels)
list(JOIN mutated_kernels "," mutated_kernels)
sectile_mutant(nothing "${mutated_kernels}" dsl/roles/entry.hpp "namespace" "namespace" "" ALWAYS)
sectile_mutant(nothing_in_any two_panels,slices,deferring,drawing,by_turns,turns,full_turns,swapped,by_columns,bytes_by_columns,in_four,in_two,in_twelve,in_twelve_twice,in_clusters_twice,in_stream,reduced,reduced_swapped,rows_of_two,rounded,combining,combining_in_clusters,combining_parts,sparse_product,added_up,gathered,gathered_and_drawn dsl/roles/entry.hpp "namespace" "namespace" "" EXHAUSTIVE)
