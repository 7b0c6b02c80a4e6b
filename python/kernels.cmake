# The shipped kernels that the Python package has: those of every day, so that it is built within minutes. Others are
# built only if they are named, or their group is: attention's gradients, attention of packed sequences, that with its
# gradients, layers of experts, 8-bit products with scales for blocks, weights of 8 and 4 bits, convolutions, and a GEMM
# and a convolution as families, where the sizes choose among dozens. Each kernel, and each member, costs nvcc some seconds.
#   pip install . -Ccmake.define.SECTILE_PYTHON_KERNELS="everyday;attention_gradients;gemm_bf16_family"
set(SECTILE_PYTHON_KERNELS "everyday" CACHE STRING "Shipped kernels of the Python package: everyday, and groups and \
names that python/kernels.cmake has")

# sectile_ship(NAME HEADER KERNEL SUMMARY [GROUP...])
function(sectile_ship name header kernel summary)
  set(named ${name} ${ARGN})
  if(NOT ARGN)
    list(APPEND named everyday)
  endif()
  set(wanted OFF)
  foreach(word IN LISTS named)
    if(word IN_LIST SECTILE_PYTHON_KERNELS)
      set(wanted ON)
    endif()
  endforeach()
  if(wanted)
    string(REGEX REPLACE "@" "sectile::" type "${kernel}")
    string(REGEX REPLACE "%" "sectile::kernels::" type "${type}")
    sectile_add_operator(sectile_shipped "${PROJECT_SOURCE_DIR}/kernels/${header}" KERNEL "${type}" NAME ${name}
                         SUMMARY "${summary}")
  endif()
endfunction()

# @ is sectile::, % is sectile::kernels::
sectile_ship(gemm_bf16 gemm.hpp "%gemm_bf16" "C = A B^T: bf16 matrices, summed in f32, C in bf16")
sectile_ship(gemm_bf16_f32 gemm.hpp "%gemm_bf16_f32" "gemm_bf16 with C in f32")
sectile_ship(gemm_bf16_nn gemm.hpp "%gemm<@bf16, @bf16, @bf16, %gemm_form{.a = @col_major}>"
             "gemm_bf16 with A stored by columns (M contiguous)")
sectile_ship(gemm_bf16_nt gemm.hpp "%gemm<@bf16, @bf16, @bf16, %gemm_form{.a = @col_major, .b = @col_major}>"
             "gemm_bf16 with A and B stored by columns (M, N contiguous)")
sectile_ship(gemm_bf16_tt gemm.hpp "%gemm<@bf16, @bf16, @bf16, %gemm_form{.b = @col_major}>"
             "gemm_bf16 with B stored by columns (N contiguous)")
sectile_ship(gemm_f16 gemm.hpp "%gemm<@f16, @f16, @f16>" "C = A B^T: f16 matrices, summed in f32, C in f16")
sectile_ship(gemm_tf32 gemm.hpp "%gemm<@tf32, @tf32, float>" "C = A B^T: tf32 matrices, summed in f32, C in f32")
sectile_ship(gemm_e4m3 gemm.hpp "%gemm<@e4m3, @e4m3, @bf16>"
             "C = A B^T: e4m3 matrices, sums keep 13 bits, C in bf16")
sectile_ship(gemm_s8 gemm.hpp "%gemm<@s8, @s8, @s32>" "C = A B^T: s8 matrices, exact modulo 2^32, C in s32")
sectile_ship(gemm_bf16_split gemm.hpp "%gemm_bf16_split"
             "gemm_bf16 for few tiles and long sums: four CTAs make a part of each")
sectile_ship(batched_gemm_bf16 batched_gemm.hpp "%batched_gemm<@bf16, @bf16, @bf16>" "gemm_bf16 for each of many matrices")
sectile_ship(gemm_of_parts_bf16 batched_gemm.hpp "%gemm_of_parts<@bf16, @bf16, @bf16>"
             "gemm_bf16 where A and C are in parts, anywhere in larger tensors")
sectile_ship(gemm_of_parts_bf16_tt batched_gemm.hpp "%gemm_of_parts<@bf16, @bf16, @bf16, @col_major>"
             "gemm_of_parts_bf16 with B stored by columns (N contiguous)")
sectile_ship(sparse_gemm_bf16 sparse_gemm.hpp "%sparse_gemm<@bf16, @bf16, @bf16>" "gemm_bf16 with A 2:4 sparse")
sectile_ship(sparse_linear_bf16 sparse_gemm.hpp "%sparse_linear<@bf16>"
             "C = W A^T + bias: bf16 with W 2:4 sparse, summed in f32; a row of C is an output")
sectile_ship(linear_bf16 linear.hpp "%linear<@bf16>" "C = A W^T + bias: bf16, summed in f32")
sectile_ship(linear_relu_bf16 linear.hpp "%linear<@bf16, %activation::relu>" "C = relu(A W^T + bias): bf16")
sectile_ship(linear_gelu_bf16 linear.hpp "%linear<@bf16, %activation::gelu>" "C = gelu(A W^T + bias): bf16")
sectile_ship(linear_residual_bf16 linear.hpp "%linear_residual<@bf16>" "C = A W^T + bias + R: bf16; C may be R")
sectile_ship(swiglu_bf16 linear.hpp "%gated_linear<@bf16, %activation::silu>" "C = silu(A W^T) * (A V^T): bf16")
sectile_ship(scaled_linear_e4m3 linear.hpp "%scaled_linear<@e4m3, @bf16>"
             "C = A W^T * of_row * of_col: e4m3 matrices, C in bf16")
sectile_ship(softmax_bf16 rows.hpp "@member<%softmax<@bf16>, 0>" "Y = softmax(X) along each row: bf16, computed in f32")
sectile_ship(rms_norm_bf16 rows.hpp "@member<%rms_norm<@bf16>, 0>"
             "Y = X / sqrt(mean of X^2 along each row + epsilon) * gamma: bf16, computed in f32")
sectile_ship(layer_norm_bf16 rows.hpp "@member<%layer_norm<@bf16>, 0>"
             "Y = (X - mean) / sqrt(variance + epsilon) * gamma + beta along each row: bf16, computed in f32")
sectile_ship(transposed_copy_bf16 rows.hpp "%transposed_copy<@bf16>" "Y = X^T: bf16")
sectile_ship(attention_d64 attention.hpp "%attention<64, %attention_mask::none>"
             "O = softmax(Q K^T / sqrt(D)) V in bf16, head dimension D = 64; scale is log2(e) / sqrt(D)")
sectile_ship(attention_d128 attention.hpp "%attention<128, %attention_mask::none>" "attention_d64 for D = 128")
sectile_ship(attention_d64_causal attention.hpp "%attention<64, %attention_mask::causal>"
             "attention_d64 where each row sees only the columns up to its own")
sectile_ship(attention_d128_causal attention.hpp "%attention<128, %attention_mask::causal>"
             "attention_d128 where each row sees only the columns up to its own")
foreach(depth IN ITEMS 64 128)
  set(form "%attention_form{.dim = ${depth}, .lse = true}")
  sectile_ship(attention_d${depth}_delta attention_backward.hpp "%attention_delta<${form}>"
               "delta = the sum of dO * O along each row, offset = -log2(e) lse: bf16, D = ${depth}"
               attention_gradients attention_varlen_gradients)
  foreach(mask IN ITEMS none causal)
    set(form "%attention_form{.dim = ${depth}, .mask = %attention_mask::${mask}, .lse = true}")
    set(name attention_d${depth}_${mask})
    string(REPLACE _none "" name "${name}")
    sectile_ship(${name}_lse attention.hpp "%attention_of<${form}>"
                 "${name} with the natural logarithm of each row's sum of exponentials" attention_gradients)
    sectile_ship(${name}_keys_backward attention_backward.hpp "%attention_keys_backward<${form}>"
                 "the gradients dK and dV of ${name}" attention_gradients)
    sectile_ship(${name}_queries_backward attention_backward.hpp "%attention_queries_backward<${form}>"
                 "the gradient dQ of ${name}" attention_gradients)
    sectile_ship(${name}_scores_backward attention_backward.hpp "%attention_keys_backward<${form}, @bf16, true>"
                 "${name}_keys_backward that leaves dS, the scores' gradients, as well" attention_gradients)
    sectile_ship(${name}_queries_of_scores attention_backward.hpp "%attention_queries_of_scores<${form}>"
                 "the gradient dQ of ${name}, from dS" attention_gradients)
  endforeach()
endforeach()
foreach(depth IN ITEMS 64 128)
  foreach(mask IN ITEMS none causal)
    set(bounds "")
    set(name attention_d${depth}_varlen)
    set(summary "attention of packed sequences that end where vectors say; H heads share the keys of G, D = ${depth}")
    if(mask STREQUAL causal)
      set(bounds ".mask = %attention_mask::causal, .from_end = true, ")
      set(summary "${name} where each row sees the keys up to its own, the last row all")
      set(name attention_d${depth}_causal_varlen)
    endif()
    set(plain "%attention_form{.dim = ${depth}, ${bounds}.grouped = true, .varlen = true}")
    string(REPLACE ".varlen" ".lse = true, .varlen" form "${plain}")
    sectile_ship(${name} attention.hpp "%attention_of<${plain}>" "${summary}" attention_varlen attention_varlen_gradients)
    sectile_ship(${name}_lse attention.hpp "%attention_of<${form}>"
                 "${name} with the natural logarithm of each row's sum of exponentials" attention_varlen_gradients)
    sectile_ship(${name}_keys_backward attention_backward.hpp "%attention_keys_backward<${form}>"
                 "the gradients dK and dV of ${name}" attention_varlen_gradients)
    sectile_ship(${name}_queries_backward attention_backward.hpp "%attention_queries_backward<${form}>"
                 "the gradient dQ of ${name}" attention_varlen_gradients)
  endforeach()
endforeach()
sectile_ship(grouped_gemm_bf16 grouped_gemm.hpp "%grouped_gemm_bf16"
             "Y = X W^T for groups of rows with a matrix each, which end where ends says: bf16, summed in f32" experts)
sectile_ship(masked_gemm_bf16 grouped_gemm.hpp "%masked_gemm_bf16"
             "grouped_gemm_bf16 of groups with a room each, of which counts says how many rows are there" experts)
sectile_ship(grouped_inputs_bf16 grouped_gemm.hpp "%grouped_inputs_bf16" "the gradient dX of grouped_gemm_bf16" experts)
sectile_ship(grouped_weights_bf16 grouped_gemm.hpp "%grouped_weights_bf16" "the gradient dW of grouped_gemm_bf16" experts)
sectile_ship(gated_experts_bf16 experts.hpp "%gated_experts<@bf16, %activation::silu>"
             "H = silu(X G^T) * (X U^T) for groups of rows: bf16" experts)
sectile_ship(gathered_experts_bf16 experts.hpp "%gathered_experts<@bf16, %activation::silu>"
             "gated_experts_bf16 of rows that an index picks: bf16" experts)
sectile_ship(weighted_experts_bf16 experts.hpp "%weighted_experts<@bf16, @bf16>"
             "Y = weight * (H W^T) for groups of rows, a weight for each row: bf16" experts)
sectile_ship(scattered_experts_bf16 experts.hpp "%scattered_experts<@bf16, @bf16>"
             "weighted_experts_bf16 whose rows are added up to those of tokens, which place names, in their order: bf16" experts)
sectile_ship(summed_experts_bf16 experts.hpp "%summed_experts<@bf16, @bf16>"
             "Y = the sum over j of row slot[j] of P, in the order of j, in f32: bf16" experts)
sectile_ship(quantized_blocks_bf16_e4m3 rows.hpp "%quantized_blocks<@bf16, @e4m3>"
             "Q = X / S in e4m3, S has a scale for each row of each 128 columns" block_scales)
sectile_ship(block_scaled_gemm_e4m3 block_scaled_gemm.hpp "%block_scaled_gemm<@e4m3, @bf16>"
             "C = A B^T, each 128 of K scaled by rows of A and squares of B: e4m3, C in bf16" block_scales)
sectile_ship(block_scaled_gemm_e4m3_rows block_scaled_gemm.hpp
             "%block_scaled_gemm<@e4m3, @bf16, %scaled_part::row>"
             "block_scaled_gemm_e4m3 with a scale for each row of B" block_scales)
sectile_ship(grouped_block_scaled_gemm_e4m3 grouped_block_scaled.hpp "%grouped_block_scaled_gemm<@e4m3, @bf16>"
             "block_scaled_gemm_e4m3 for groups of rows with a matrix each, which end where ends says" block_scales)
sectile_ship(tall_grouped_block_scaled_gemm_e4m3 grouped_block_scaled.hpp "%tall_grouped_block_scaled_gemm<@e4m3, @bf16>"
             "grouped_block_scaled_gemm_e4m3 in tiles of 256 rows, for large groups" block_scales)
sectile_ship(masked_block_scaled_gemm_e4m3 grouped_block_scaled.hpp "%masked_block_scaled_gemm<@e4m3, @bf16>"
             "grouped_block_scaled_gemm_e4m3 of groups with a room each" block_scales)
foreach(weight IN ITEMS "int4 @s4x2" "int8 @s8" "e4m3 @e4m3")
  string(REPLACE " " ";" weight "${weight}")
  list(GET weight 0 kind)
  list(GET weight 1 elements)
  sectile_ship(quantized_linear_${kind} linear.hpp "%quantized_linear<@shuffled<${elements}>, @bf16, @col_major>"
               "C = W A^T * scale: shuffled weights of ${kind}, a scale for each, A and C in bf16" quantized)
endforeach()
foreach(weight IN ITEMS "int4 @s4x2 false" "uint4 @u4x2 true")
  string(REPLACE " " ";" weight "${weight}")
  list(GET weight 0 kind)
  list(GET weight 1 elements)
  list(GET weight 2 zeros)
  sectile_ship(group_quantized_linear_${kind} group_quantized_linear.hpp
               "%group_quantized_linear<@shuffled<${elements}>, @bf16, 128, ${zeros}, @col_major>"
               "C = W A^T, each 128 of K scaled by rows of W: shuffled weights of ${kind}, A, C and scales in bf16"
               quantized)
endforeach()
sectile_ship(convolution_bf16 convolution.hpp "%convolution_bf16"
             "Y = X * W: images N x H x W x C, filters places x K x C, Y has a row for each pixel: bf16, summed in f32"
             convolutions)
sectile_ship(convolution_bias_bf16 convolution.hpp "%biased_convolution_bf16"
             "Y = X * W + bias, a number for each filter: convolution_bf16" convolutions)
sectile_ship(block_scaled_gemm_e4m3_family block_scaled_family.hpp "%block_scaled_gemm_e4m3_family"
             "block_scaled_gemm_e4m3 in many configurations, of which the sizes choose" families)
sectile_ship(convolution_bf16_family convolution_family.hpp "%convolution_bf16_family"
             "convolution_bf16 in many configurations, of which the sizes choose" families)
sectile_ship(gemm_bf16_family gemm_family.hpp "%gemm_family<@bf16, @bf16, @bf16>"
             "gemm_bf16 in many configurations, of which the sizes choose" families)
