// fault: in a CuTe kernel, a tile of 320 columns for an instruction of 256
// caught: compile time
// expect: mode 1 of a tile of (64,320,64) is 320, not a multiple of the 256 of (64,256,16): what covers it has 2097152 places and it has 1310720; 256 or 512 fit
#include "cute_types.hpp"

using CtaTile = Shape<Int<64>, Int<320>, Int<64>>;
using Instruction = Shape<Int<64>, Int<256>, Int<16>>;
static_assert(st::holds<st::divides_evenly(st::adapt::tuple_of<CtaTile>(), st::adapt::tuple_of<Instruction>())>);
