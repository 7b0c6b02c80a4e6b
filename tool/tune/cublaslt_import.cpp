// cuBLASLt's functions, which forward to the library when they are first called. Linked in the ordinary way it would be
// loaded at every start of the tool, which takes longer than most of its commands, and on machines that have none the
// tool would not start at all.
#include <cublasLt.h>
#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace {

void* library() {
  static void* const opened = [] {
    void* found = dlopen(SECTILE_CUBLASLT, RTLD_NOW | RTLD_LOCAL);  // where it was when this program was built
    const std::string name = "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR);
    return found ? found : dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }();
  if (!opened) throw std::runtime_error("cuBLASLt cannot be loaded: " SECTILE_CUBLASLT " is not there any more");
  return opened;
}

template <class Function>
Function* find(const char* name, Function*) {
  void* const found = dlsym(library(), name);
  if (!found) throw std::runtime_error(std::string("cuBLASLt has no ") + name);
  return reinterpret_cast<Function*>(found);
}

}  // namespace

extern "C" {

size_t CUBLASWINAPI cublasLtGetVersion() {
  static const auto call = find("cublasLtGetVersion", cublasLtGetVersion);
  return call();
}
const char* CUBLASWINAPI cublasLtGetStatusString(cublasStatus_t status) {
  static const auto call = find("cublasLtGetStatusString", cublasLtGetStatusString);
  return call(status);
}
cublasStatus_t CUBLASWINAPI cublasLtCreate(cublasLtHandle_t* handle) {
  static const auto call = find("cublasLtCreate", cublasLtCreate);
  return call(handle);
}
cublasStatus_t CUBLASWINAPI cublasLtDestroy(cublasLtHandle_t handle) {
  static const auto call = find("cublasLtDestroy", cublasLtDestroy);
  return call(handle);
}
cublasStatus_t CUBLASWINAPI cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* to, cublasComputeType_t compute,
                                                     cudaDataType_t scale) {
  static const auto call = find("cublasLtMatmulDescCreate", cublasLtMatmulDescCreate);
  return call(to, compute, scale);
}
cublasStatus_t CUBLASWINAPI cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t of) {
  static const auto call = find("cublasLtMatmulDescDestroy", cublasLtMatmulDescDestroy);
  return call(of);
}
cublasStatus_t CUBLASWINAPI cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t of, cublasLtMatmulDescAttributes_t name,
                                                           const void* value, size_t bytes) {
  static const auto call = find("cublasLtMatmulDescSetAttribute", cublasLtMatmulDescSetAttribute);
  return call(of, name, value, bytes);
}
cublasStatus_t CUBLASWINAPI cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* to, cudaDataType type, uint64_t rows,
                                                       uint64_t cols, int64_t ld) {
  static const auto call = find("cublasLtMatrixLayoutCreate", cublasLtMatrixLayoutCreate);
  return call(to, type, rows, cols, ld);
}
cublasStatus_t CUBLASWINAPI cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t of) {
  static const auto call = find("cublasLtMatrixLayoutDestroy", cublasLtMatrixLayoutDestroy);
  return call(of);
}
cublasStatus_t CUBLASWINAPI cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* to) {
  static const auto call = find("cublasLtMatmulPreferenceCreate", cublasLtMatmulPreferenceCreate);
  return call(to);
}
cublasStatus_t CUBLASWINAPI cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t of) {
  static const auto call = find("cublasLtMatmulPreferenceDestroy", cublasLtMatmulPreferenceDestroy);
  return call(of);
}
cublasStatus_t CUBLASWINAPI cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t of,
                                                                 cublasLtMatmulPreferenceAttributes_t name,
                                                                 const void* value, size_t bytes) {
  static const auto call = find("cublasLtMatmulPreferenceSetAttribute", cublasLtMatmulPreferenceSetAttribute);
  return call(of, name, value, bytes);
}
cublasStatus_t CUBLASWINAPI cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                                           cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                           cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                           cublasLtMatmulPreference_t preference, int wanted,
                                                           cublasLtMatmulHeuristicResult_t answers[], int* found) {
  static const auto call = find("cublasLtMatmulAlgoGetHeuristic", cublasLtMatmulAlgoGetHeuristic);
  return call(handle, operation, a, b, c, d, preference, wanted, answers, found);
}
cublasStatus_t CUBLASWINAPI cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void* alpha,
                                           const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                                           cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                                           cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout,
                                           const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                                           size_t workspace_bytes, cudaStream_t stream) {
  static const auto call = find("cublasLtMatmul", cublasLtMatmul);
  return call(handle, operation, alpha, a, a_layout, b, b_layout, beta, c, c_layout, d, d_layout, algorithm, workspace,
              workspace_bytes, stream);
}

}  // extern "C"
