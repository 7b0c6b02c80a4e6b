// What CUDA's error numbers mean for someone who launches kernels, and what to do about each.
//
// The runtime and the driver number these errors alike ("Data types used by CUDA Runtime", cudaError_t; "Data types
// used by CUDA driver", CUresult), so one table by number serves both, and needs no CUDA to be tested.
#pragma once
#include <string>

namespace sectile {

/// What is left after an error: everything, or a context in which every later call fails with the same error.
enum class aftermath : unsigned char { usable, context_lost };

struct cuda_trouble {
  int code = 0;
  const char* name = "";    // of the runtime's enumerator
  const char* what = "";    // a clause: what has happened
  const char* advice = "";  // a clause: what to do
  aftermath after = aftermath::usable;
};

inline constexpr cuda_trouble cuda_troubles[] = {
    {1, "cudaErrorInvalidValue", "the driver refused an argument",
     "after cudaDeviceReset every pointer and stream from before is invalid"},
    {2, "cudaErrorMemoryAllocation", "the device is out of memory",
     "free some, or split the problem; other processes on this GPU count as well"},
    {3, "cudaErrorInitializationError", "CUDA cannot be initialized in this process",
     "a child of fork() cannot use CUDA if its parent did before: fork first, or start a new process"},
    {4, "cudaErrorCudartUnloading", "CUDA is shutting down because the process ends",
     "launch before main returns, not from destructors of static objects"},
    {9, "cudaErrorInvalidConfiguration", "the device takes no launch with so many threads or CTAs",
     "use smaller tiles or fewer consumers"},
    {34, "cudaErrorStubLibrary", "the program loaded CUDA's stub library instead of the driver",
     "remove .../lib64/stubs from LD_LIBRARY_PATH"},
    {35, "cudaErrorInsufficientDriver", "the NVIDIA driver is older than the CUDA runtime of this program",
     "update the driver, or build with an older toolkit"},
    {36, "cudaErrorCallRequiresNewerDriver", "the NVIDIA driver is too old for this call", "update the driver"},
    {46, "cudaErrorDevicesUnavailable", "every GPU is busy or must not be used (compute mode exclusive or prohibited)",
     "wait for the other process, or ask for `nvidia-smi -c DEFAULT`"},
    {98, "cudaErrorInvalidDeviceFunction", "this program has no code of the kernel for this GPU",
     "compile it with -gencode=arch=compute_90a,code=sm_90a"},
    {100, "cudaErrorNoDevice", "there is no GPU that this process may use",
     "look at nvidia-smi and CUDA_VISIBLE_DEVICES"},
    {101, "cudaErrorInvalidDevice", "there is no GPU of that number", "look at CUDA_VISIBLE_DEVICES"},
    {200, "cudaErrorInvalidKernelImage", "the kernel's code is damaged", "build the program again"},
    {201, "cudaErrorDeviceUninitialized", "no CUDA context is current on this thread", "call cudaSetDevice first"},
    {209, "cudaErrorNoKernelImageForDevice", "this program has no code for this GPU",
     "compile it with -gencode=arch=compute_90a,code=sm_90a for H100 and H200"},
    {214, "cudaErrorECCUncorrectable", "the GPU's memory had an error that could not be corrected",
     "restart the process; if it returns, the GPU needs service (nvidia-smi -q -d ECC)", aftermath::context_lost},
    {217, "cudaErrorPeerAccessUnsupported", "these GPUs cannot access each other's memory", "copy it"},
    {218, "cudaErrorInvalidPtx", "the driver could not compile the kernel's PTX", "compile it for sm_90a itself"},
    {220, "cudaErrorNvlinkUncorrectable", "NVLink had an error that could not be corrected",
     "restart the process; if it returns, the machine needs service (nvidia-smi nvlink -e)", aftermath::context_lost},
    {222, "cudaErrorUnsupportedPtxVersion", "the driver is too old for the kernel's PTX",
     "update the driver, or compile for sm_90a itself"},
    {226, "cudaErrorContained", "the GPU's memory had an error, and the driver stopped the work that met it",
     "restart the process", aftermath::context_lost},
    {304, "cudaErrorOperatingSystem", "the operating system refused the driver something",
     "check that /dev/nvidia* are accessible, and the limits of the container"},
    {400, "cudaErrorInvalidResourceHandle", "the stream or kernel is not of the current device's context",
     "it belongs to another device, was destroyed, or is older than a cudaDeviceReset; cudaSetDevice comes before the "
     "launch"},
    {401, "cudaErrorIllegalState", "the stream or graph is not in a state that allows this", "finish what was begun"},
    {500, "cudaErrorSymbolNotFound", "the NVIDIA driver does not have this function", "update the driver"},
    {600, "cudaErrorNotReady", "the work is still running", "wait for it"},
    {700, "cudaErrorIllegalAddress", "a kernel touched memory that it must not (an illegal address)",
     "compute-sanitizer shows which; restart the process", aftermath::context_lost},
    {701, "cudaErrorLaunchOutOfResources", "the kernel needs more registers or shared memory than the device has free",
     "use smaller tiles, or a build without -G"},
    {702, "cudaErrorLaunchTimeout", "a kernel ran longer than the display's watchdog allows",
     "use a GPU without a display, or smaller problems; restart the process", aftermath::context_lost},
    {705, "cudaErrorPeerAccessNotEnabled", "the device has no access to the other device's memory",
     "call cudaDeviceEnablePeerAccess"},
    {709, "cudaErrorContextIsDestroyed", "the context of this stream or thread was destroyed",
     "call cudaSetDevice, and make streams and memory anew"},
    {710, "cudaErrorAssert", "an assert() in a kernel failed", "its text is on stderr; restart the process",
     aftermath::context_lost},
    {714, "cudaErrorHardwareStackError", "a kernel's call stack was corrupted",
     "compute-sanitizer shows where; restart the process", aftermath::context_lost},
    {715, "cudaErrorIllegalInstruction", "a kernel came to an illegal instruction (a trap is one)",
     "compute-sanitizer shows where; restart the process", aftermath::context_lost},
    {716, "cudaErrorMisalignedAddress", "a kernel used an address that is not aligned to the access",
     "compute-sanitizer shows which; restart the process", aftermath::context_lost},
    {717, "cudaErrorInvalidAddressSpace", "a kernel used an address of the wrong kind (shared, local or global)",
     "compute-sanitizer shows which; restart the process", aftermath::context_lost},
    {718, "cudaErrorInvalidPc", "a kernel jumped to where there is no code",
     "compute-sanitizer shows where; restart the process", aftermath::context_lost},
    {719, "cudaErrorLaunchFailure",
     "a kernel stopped with an exception that the device does not name (a trap, a bad "
     "address in shared memory)",
     "compute-sanitizer shows which; restart the process", aftermath::context_lost},
    {721, "cudaErrorTensorMemoryLeak", "a kernel ended with tensor memory in use", "restart the process",
     aftermath::context_lost},
    {800, "cudaErrorNotPermitted", "CUDA does not permit this call here",
     "in a host function or callback of a stream nothing can be launched: let an ordinary thread do it"},
    {801, "cudaErrorNotSupported", "the device or driver does not support this", "look at the driver's version"},
    {802, "cudaErrorSystemNotReady", "the system's GPUs are not ready yet",
     "on machines with NVSwitch the fabric manager must run"},
    {803, "cudaErrorSystemDriverMismatch", "the driver's kernel module and its library are of different versions",
     "reboot after an update of the driver"},
    {804, "cudaErrorCompatNotSupportedOnDevice", "CUDA's forward compatibility does not cover this GPU",
     "update the driver, or remove .../compat from LD_LIBRARY_PATH"},
    {805, "cudaErrorMpsConnectionFailed", "the MPS server cannot be reached", "start nvidia-cuda-mps-control"},
    {806, "cudaErrorMpsRpcFailure", "the MPS server did not answer", "restart nvidia-cuda-mps-control"},
    {807, "cudaErrorMpsServerNotReady", "the MPS server does not take clients yet", "try again"},
    {808, "cudaErrorMpsMaxClientsReached", "the MPS server has as many clients as it takes", "end one of them"},
    {809, "cudaErrorMpsMaxConnectionsReached", "the MPS server has no connection left", "end one of its clients"},
    {810, "cudaErrorMpsClientTerminated", "the MPS server ended this process's work, as a client that shares it failed",
     "restart the process", aftermath::context_lost},
    {900, "cudaErrorStreamCaptureUnsupported", "this cannot be done while a stream captures a graph",
     "do it before cudaStreamBeginCapture or after cudaStreamEndCapture"},
    {901, "cudaErrorStreamCaptureInvalidated", "an earlier call made the capture of this stream invalid",
     "end it with cudaStreamEndCapture and capture again without that call"},
    {902, "cudaErrorStreamCaptureMerge", "this would join two captures",
     "let each stream wait for its own capture only"},
    {903, "cudaErrorStreamCaptureUnmatched", "the capture did not begin on this stream",
     "end it on the stream where it began"},
    {904, "cudaErrorStreamCaptureUnjoined", "a stream that joined the capture was not joined back",
     "let the capturing stream wait for an event of it"},
    {905, "cudaErrorStreamCaptureIsolation", "the capture would depend on work outside of it",
     "wait for that work before the capture"},
    {906, "cudaErrorStreamCaptureImplicit", "the default stream would wait for a stream that captures a graph",
     "launch on the capturing stream, or capture on one that was made with cudaStreamNonBlocking"},
    {907, "cudaErrorCapturedEvent", "the event belongs to a capture", "use it on streams of that capture only"},
    {908, "cudaErrorStreamCaptureWrongThread", "another thread began the capture",
     "end it there, or begin it with cudaStreamCaptureModeRelaxed"},
    {909, "cudaErrorTimeout", "the device did not answer in time", "try again"},
    {911, "cudaErrorExternalDevice", "a device outside CUDA failed", "restart the process", aftermath::context_lost},
    {912, "cudaErrorInvalidClusterSize", "the device takes no cluster of so many CTAs", "use a smaller cluster"},
    {913, "cudaErrorFunctionNotLoaded", "the kernel is not loaded", "launch it once before"},
    {999, "cudaErrorUnknown", "the driver failed for a reason that it does not name",
     "look at the system's log (dmesg, Xid)"},
};

/// The entry of an error number; nullptr if the table has none.
constexpr const cuda_trouble* find_trouble(int code) {
  for (const cuda_trouble& t : cuda_troubles)
    if (t.code == code) return &t;
  return nullptr;
}

/// Whether every later call in the process fails, too.
constexpr bool loses_context(int code) {
  const cuda_trouble* t = find_trouble(code);
  return t && t->after == aftermath::context_lost;
}

/// "the device is out of memory (cudaErrorMemoryAllocation)". `otherwise` is CUDA's own text, for an error that the
/// table does not have.
inline std::string trouble_reason(int code, const char* otherwise = "") {
  if (const cuda_trouble* t = find_trouble(code)) return std::string(t->what) + " (" + t->name + ")";
  return (otherwise[0] ? otherwise : "an unknown error") + std::string(" (CUDA error ") + std::to_string(code) + ")";
}

/// "; free some, or split the problem": what to do, if that is known.
inline std::string trouble_advice(int code) {
  const cuda_trouble* t = find_trouble(code);
  return t ? "; " + std::string(t->advice) : "";
}

/// Reason and advice.
inline std::string trouble_text(int code, const char* otherwise = "") {
  return trouble_reason(code, otherwise) + trouble_advice(code);
}

}  // namespace sectile
