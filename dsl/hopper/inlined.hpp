// Where a body was not inlined into its kernel, ptxas says so. A role counts where it is in the body, and each place is a
// constant once all is inlined. In a function of its own a body looks every place up when it runs, with the role in local
// memory: ten times the code, on which ptxas works for minutes. nvcc inlines as it sees fit, and a long body is not; nor
// can a caller ask for it. So the kernel declares a register, which is known in it alone, and each store of a body names
// it, in an instruction that ptxas leaves out.
#pragma once

#ifdef __CUDACC_DEBUG__  // nvcc -G inlines nothing, and its code is slow anyway
#define SECTILE_IN_ITS_KERNEL(before, behind)
#else
#define SECTILE_IN_ITS_KERNEL(before, behind) \
  asm volatile(before "this_body_is_too_long_to_be_inlined__write__gnu__always_inline__in_front_of_it" behind)
#endif
