// How a verb of the machine is declared. A role is ordinary constexpr code, which may call functions that are both host
// and device, but not device-only ones; on the host these exist and are never called.
#pragma once

#define SECTILE_VERB __host__ __device__ __forceinline__ static
/// One that asks for a number.
#define SECTILE_NUMBER(name, asked)            \
  SECTILE_VERB int name() {                    \
    int r;                                     \
    asm("mov.u32 %0, %%" asked ";" : "=r"(r)); \
    return r;                                  \
  }
/// A verb that needs the machine's own state.
#define SECTILE_OWN_VERB __host__ __device__ __forceinline__
