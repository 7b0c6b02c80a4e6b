// libsectile_rows: softmax and norms of rows behind one C function, for rows.py.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/long_rows.hpp>

#include <exception>
#include <string>

namespace {

using namespace sectile;

enum class operation : int { softmax, rms_norm, layer_norm };

template <class T>
struct matrices {
  const void *x, *gamma, *beta;
  void* y;
  int rows, cols;
  float epsilon;
  cudaStream_t stream;

  auto in() const { return matrix(static_cast<const T*>(x), rows, cols); }
  auto out() const { return matrix(static_cast<T*>(y), rows, cols); }
  auto vector(const void* v) const { return tensor(static_cast<const T*>(v), cols); }
};

/// Whether a row comes in eight parts of whole 16 bytes, and is longer than those of which tiles of 8 rows are as fast.
template <class T>
bool is_long(operation what, int cols) {
  const bool soon = what == operation::softmax || (sizeof(T) == 2 && what == operation::rms_norm);
  const std::int64_t bytes = std::int64_t{cols} * static_cast<int>(sizeof(T));
  return bytes > (soon ? 4096 : 8192) && bytes % (8 * 16) == 0;
}

template <class T>
void launch_on_parts(operation what, const matrices<T>& p) {
  const auto in = folded(p.in(), 8);
  const auto out = folded(p.out(), 8);
  const auto vector = [&](const void* v) { return folded(p.vector(v), 8); };
  if (what == operation::softmax)
    launch<kernels::long_softmax<T>>(in, out, p.stream);
  else if (what == operation::rms_norm)
    launch<kernels::long_rms_norm<T>>(in, vector(p.gamma), out, p.epsilon, p.stream);
  else
    launch<kernels::long_layer_norm<T>>(in, vector(p.gamma), vector(p.beta), out, p.epsilon, p.stream);
}

template <class T>
void launch_operation(operation what, const matrices<T>& p) {
  const int longest = what == operation::softmax    ? p.cols
                      : what == operation::rms_norm ? kernels::longest_row<kernels::long_rms_norm<T>>
                                                    : kernels::longest_row<kernels::long_layer_norm<T>>;
  if (is_long<T>(what, p.cols) && p.cols <= longest) return launch_on_parts(what, p);
  if (what == operation::softmax)
    launch<kernels::softmax<T>>(p.in(), p.out(), p.stream);
  else if (what == operation::rms_norm)
    launch<kernels::rms_norm<T>>(p.in(), p.vector(p.gamma), p.out(), p.epsilon, p.stream);
  else
    launch<kernels::layer_norm<T>>(p.in(), p.vector(p.gamma), p.vector(p.beta), p.out(), p.epsilon, p.stream);
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
      launch_operation(static_cast<operation>(what), matrices<float>{x, gamma, beta, y, rows, cols, epsilon, queue});
    else
      launch_operation(static_cast<operation>(what), matrices<bf16>{x, gamma, beta, y, rows, cols, epsilon, queue});
  } catch (const std::exception& e) {
    why = e.what();
    return why.c_str();
  }
  return nullptr;
}
