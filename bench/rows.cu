// libsectile_rows: softmax and norms of rows behind one C function, for rows.py.
#include "bench/rows.hpp"

#include <exception>
#include <string>

namespace {

using namespace sectile;

enum class operation : int { softmax, rms_norm, layer_norm };

template <class T>
void launch_operation(operation what, const bench::rows_problem<T>& p) {
  if (what == operation::softmax)
    bench::launch_softmax(p);
  else if (what == operation::rms_norm)
    bench::launch_rms_norm(p);
  else
    bench::launch_layer_norm(p);
}

}  // namespace

/// Queues Y = softmax(X) (what = 0), rms_norm(X) * gamma (1) or layer_norm(X) * gamma + beta (2), along the rows of X
/// (rows x cols, packed, 16-byte aligned), on a stream of the current device. Elements are f32 if `wide`, else bf16.
/// Returns null, or why nothing was queued; the text is good until the thread's next call.
extern "C" const char* sectile_rows(int what, int wide, const void* x, const void* gamma, const void* beta, void* y,
                                    int rows, int cols, float epsilon, void* stream) {
  thread_local std::string why;
  const auto queue = static_cast<cudaStream_t>(stream);
  try {
    if (what < 0 || what > 2) throw launch_error("there is no operation " + std::to_string(what) + "; 0, 1 and 2 are");
    if (wide != 0)
      launch_operation(static_cast<operation>(what),
                       bench::rows_problem<float>{x, gamma, beta, y, rows, cols, epsilon, queue});
    else
      launch_operation(static_cast<operation>(what),
                       bench::rows_problem<bf16>{x, gamma, beta, y, rows, cols, epsilon, queue});
  } catch (const std::exception& e) {
    why = e.what();
    return why.c_str();
  }
  return nullptr;
}
