# The rungs of the ladder that are written by hand, each with a few constants changed. A rung is read as a page of text,
# so it has no parameters: a variant is its file with other words in it, as a reader would try it.
#
#   sectile_rung_variant(NAME RUNG WORDS OTHER_WORDS [WORDS OTHER_WORDS ..])
#
# writes kernels/ladder/RUNG.hpp as ${rung_variants}/NAME.hpp, where the struct is called NAME. Words that are not in the
# file are an error, so a rung that is edited cannot leave its variants behind.
set(rung_variants "${CMAKE_CURRENT_BINARY_DIR}/rung_variants")
set(rung_variant_names "")

function(sectile_rung_variant name rung)
  set(from "${PROJECT_SOURCE_DIR}/kernels/ladder/${rung}.hpp")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${from}")
  file(READ "${from}" text)
  set(edits "struct ${rung} {" "struct ${name} {" ${ARGN})
  while(edits)
    list(POP_FRONT edits words others)
    string(FIND "${text}" "${words}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "bench/rung_variants.cmake: ${name}: there is no '${words}' in ${from}")
    endif()
    string(REPLACE "${words}" "${others}" text "${text}")
  endwhile()
  file(GENERATE OUTPUT "${rung_variants}/${name}.hpp" CONTENT "${text}")
  set(rung_variant_names ${rung_variant_names} ${name} PARENT_SCOPE)
endfunction()

sectile_rung_variant(simt_no_gap simt "pitch = depth * 2 + 16" "pitch = depth * 2")
sectile_rung_variant(simt_small simt "rows = 128, cols = 128" "rows = 64, cols = 64" "each = 8" "each = 4")
foreach(depth IN ITEMS 16 64)
  sectile_rung_variant(simt_depth_${depth} simt "depth = 32" "depth = ${depth}")
endforeach()

foreach(n IN ITEMS 16 32 64 128 192)
  sectile_rung_variant(one_tile_${n} one_tile "cols = 256" "cols = ${n}")
endforeach()

# The room between core matrices, and how many threads of a store then meet in a bank.
foreach(room IN ITEMS 32 64)
  math(EXPR meet "${room} / 16")
  sectile_rung_variant(core_matrices_${room} core_matrices "lbo = 128 + 16" "lbo = 128 + ${room}"
                       "sizeof(piece)) == 1" "sizeof(piece)) == ${meet}")
endforeach()

# A box is as wide as the swizzle's span: a narrower one takes several for the same tile.
set(in_boxes "#include <sectile/layouts/reachable.hpp>" "#include \"bench/load_boxes.hpp\""
             "boxes(a_tile) == 1 && boxes(b_tile) == 1" "boxes(a_tile) == boxes(b_tile)"
             "hw.tma_load(a, p.A_map, full, {k0, origin.row})" "bench::load_boxes(hw, A, a, p.A_map, full, k0, origin.row)"
             "hw.tma_load(b, p.B_map, full, {k0, origin.col})" "bench::load_boxes(hw, B, b, p.B_map, full, k0, origin.col)")
foreach(mode IN ITEMS none b32 b64)
  sectile_rung_variant(tma_${mode} tma "swizzle_mode::b128" "swizzle_mode::${mode}" ${in_boxes})
endforeach()
foreach(n IN ITEMS 64 128)
  sectile_rung_variant(tma_${n} tma "cols = 256" "cols = ${n}")
endforeach()
# Shared memory that is asked for and not used keeps other CTAs off the SM.
sectile_rung_variant(tma_2_ctas tma "shared_bytes = full_at + 8" "shared_bytes = 80 * 1024")
sectile_rung_variant(tma_1_cta tma "shared_bytes = full_at + 8" "shared_bytes = 120 * 1024")

foreach(count IN ITEMS 2 3 5)
  sectile_rung_variant(stages_${count} stages "stage_count = 4" "stage_count = ${count}")
endforeach()
sectile_rung_variant(stages_2_alone stages "stage_count = 4" "stage_count = 2"
                     "shared_bytes = full_at + stage_count * 8" "shared_bytes = 120 * 1024")
foreach(count IN ITEMS 2 3 4 6)
  sectile_rung_variant(stages_128_${count} stages "cols = 256" "cols = 128" "stage_count = 4" "stage_count = ${count}")
endforeach()

set(includes "")
foreach(name IN LISTS rung_variant_names)
  string(APPEND includes "#include \"rung_variants/${name}.hpp\"\n")
endforeach()
file(GENERATE OUTPUT "${rung_variants}/all.hpp" CONTENT "#pragma once\n${includes}")
