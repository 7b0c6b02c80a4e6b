// A run of any kernel on the model, on operands of the right shapes that are drawn at random: what the page of a user's
// own kernel shows. Nobody knows what such a kernel should compute, unless there is a reference.
#pragma once
#include <cstring>
#include <optional>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/launch/sparse.hpp>
#include <sectile/dsl/tell/tutorial/tensor_values.hpp>
#include <tuple>
#include <utility>

namespace sectile::tell {

/// The size of a mode by its name, as in "A(M,K)".
struct named_size {
  std::string mode;
  std::int64_t size = 0;
};

/// The value of a scalar operand by its name.
struct named_number {
  std::string scalar;
  double value = 0;
};

/// What a run is made of.
struct trial_options {
  std::vector<named_size> sizes{};      // of others: two tiles, and of modes that are a batch two
  std::vector<named_number> scalars{};  // of others: drawn at random
  std::uint64_t seed = 0;
  tutorial_reference reference{};  // none: only what the model checks is checked
  double tolerance = 1e-2;         // relative L2 distance from the reference
};

/// What came of it.
struct trial_result {
  std::vector<tensor_values> operands{};  // extents of all of them; values of scalars
  bool compared = false;
  double relative_l2 = 0, largest = 0, tolerance = 0;
  std::int64_t elements = 0, not_finite = 0;
  std::string hazard{};  // what the model found; ""
};

/// Extents of operand `o`. Throws launch_error where a size is of a mode that no operand has.
std::vector<std::int64_t> trial_extents(const plan& p, int o, const std::vector<named_size>& sizes);

/// Element `index` of operand `o`: evenly from -1 to 1, integers from -8 to 7 or 0 to 15, bits.
double trial_number(const element& type, std::uint64_t seed, int o, std::int64_t index);

/// The value of scalar operand `o`. Throws launch_error where a value is of a scalar that there is not.
double trial_scalar(const plan& p, int o, const trial_options& options);

/// Compares an output with the reference, and counts what is not finite. Of several the worst distance stays.
void judge(trial_result& result, const tensor_values& computed, const tensor_values& expected, bool compared);

/// One operand of K in host memory: the storage, and the view that a launch takes.
template <class K, int I>
class trial_operand {
 public:
  using declaration = operand_at<K, I>;
  using type = typename declaration::element_type;
  static constexpr bool scalar = declaration::kind == operand_kind::scalar;
  static constexpr bool output = declaration::kind == operand_kind::output;
  static constexpr bool written = output || declaration::kind == operand_kind::vector_output;
  static constexpr element what = element_of<type>();
  static constexpr int in_one = what.bits < 8 ? 8 / what.bits : 1;  // elements in what is stored as one

  trial_operand(const trial_options& options) {
    const operand_facts& f = plan_of<K>.operand[I].facts;
    numbers_.name = f.name;
    if constexpr (!scalar) numbers_.extent = trial_extents(plan_of<K>, I, options.sizes);
    std::int64_t count = 1;
    for (const std::int64_t e : numbers_.extent) count *= e;
    numbers_.values.resize(static_cast<std::size_t>(count));
    const std::int64_t stored = count == 1 ? 1 : place(count - 1) + line();
    storage_.resize(static_cast<std::size_t>((stored + in_one - 1) / in_one));
    if constexpr (written) {
      std::memset(static_cast<void*>(storage_.data()), 0xFF, storage_.size() * sizeof(type));  // NaN, or -1
    } else if constexpr (scalar) {
      put(0, trial_scalar(plan_of<K>, I, options));
    } else {
      for (std::int64_t i = 0; i < count; ++i) put(i, trial_number(what, options.seed, I, i));
      if constexpr (declaration::sparse) {
        prune(storage_.data(), numbers_.extent[0], numbers_.extent[1]);
        compressed_ = compress(storage_.data(), numbers_.extent[0], numbers_.extent[1]);
      }
    }
    read_back();
  }

  /// What a launch takes.
  auto argument() {
    if constexpr (scalar) {
      return storage_.front();
    } else if constexpr (declaration::sparse) {
      return compressed_.view();
    } else {
      using viewed = std::conditional_t<written, type, const type>;
      const int rank = static_cast<int>(numbers_.extent.size());
      tensor_view<viewed> view{storage_.data(), rank, {}, {}};
      for (int d = 0; d < rank; ++d) {
        view.extent[d] = numbers_.extent[static_cast<std::size_t>(d)];
        view.stride[d] = stride(d);
      }
      return view;
    }
  }

  /// The numbers as they are in memory now, rounded to the operand's type.
  const tensor_values& read_back() {
    for (std::size_t i = 0; i < numbers_.values.size(); ++i) numbers_.values[i] = get(static_cast<std::int64_t>(i));
    return numbers_;
  }

 private:
  tensor_values numbers_{};
  std::vector<type> storage_{};
  std::conditional_t<declaration::sparse, sparse_matrix<std::conditional_t<declaration::sparse, type, f16>>, int>
      compressed_{};

  static constexpr bool by_columns() { return plan_of<K>.operand[I].facts.order == col_major; }

  std::int64_t extent(int mode) const { return numbers_.extent[static_cast<std::size_t>(mode)]; }

  /// Elements from one line of the contiguous mode to the next: whole pieces of 16 bytes, as TMA needs.
  std::int64_t line() const {
    const int rank = static_cast<int>(numbers_.extent.size());
    if (rank < 2) return 1;
    if (plan_of<K>.operand[I].facts.is_vector()) return extent(rank - 1);
    const std::int64_t contiguous = extent(by_columns() ? rank - 2 : rank - 1), piece = 128 / what.bits;
    return declaration::sparse ? contiguous : (contiguous + piece - 1) / piece * piece;
  }

  std::int64_t stride(int mode) const {
    const int rank = static_cast<int>(numbers_.extent.size());
    const int inner = by_columns() ? rank - 2 : rank - 1, outer = by_columns() ? rank - 1 : rank - 2;
    if (mode == inner) return 1;
    std::int64_t s = line();
    if (mode == outer) return s;
    s *= extent(outer);
    for (int d = mode + 1; d < rank - 2; ++d) s *= extent(d);
    return s;
  }

  /// Where element `index` of the row-major order lies.
  std::int64_t place(std::int64_t index) const {
    std::int64_t at = 0;
    for (int d = static_cast<int>(numbers_.extent.size()) - 1; d >= 0; --d) {
      const std::int64_t e = numbers_.extent[static_cast<std::size_t>(d)];
      at += index % e * stride(d);
      index /= e;
    }
    return at;
  }

  void put(std::int64_t index, double x) {
    const std::int64_t at = place(index);
    if constexpr (in_one > 1) {
      auto& byte = storage_[static_cast<std::size_t>(at / in_one)].bits;
      const int first = static_cast<int>(at % in_one) * what.bits, mask = (1 << what.bits) - 1;
      byte = static_cast<std::uint8_t>((byte & ~(mask << first)) | (static_cast<int>(x) & mask) << first);
    } else if constexpr (std::is_integral_v<type>) {
      storage_[static_cast<std::size_t>(at)] = static_cast<type>(x);
    } else {
      storage_[static_cast<std::size_t>(at)] = type(static_cast<float>(x));
    }
  }

  double get(std::int64_t index) const {
    const std::int64_t at = place(index);
    if constexpr (in_one > 1) {
      const int first = static_cast<int>(at % in_one) * what.bits, codes = 1 << what.bits;
      const int code = storage_[static_cast<std::size_t>(at / in_one)].bits >> first & (codes - 1);
      return what.kind == number::signed_integer && code >= codes / 2 ? code - codes : code;
    } else if constexpr (std::is_integral_v<type>) {
      return static_cast<double>(storage_[static_cast<std::size_t>(at)]);
    } else {
      return static_cast<double>(static_cast<float>(storage_[static_cast<std::size_t>(at)]));
    }
  }
};

/// Runs K on the model, through `around` (which has to call what it is given, once). Throws launch_error for sizes that
/// K does not take.
template <class K, class Around>
trial_result try_out(const trial_options& options, Around around) {
  trial_result result;
  result.tolerance = options.tolerance;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    std::tuple<trial_operand<K, I>...> operands{(static_cast<void>(I), options)...};
    try {
      around([&] { run_on_model_by_itself<K>({}, std::get<I>(operands).argument()...); });
    } catch (const model::hazard& found) {
      result.hazard = found.what();
    }
    named_inputs inputs;
    std::vector<tensor_values> computed;
    const auto collect = [&](auto& operand) {
      const tensor_values& now = operand.read_back();
      const bool is_number = now.extent.empty();
      result.operands.push_back({now.name, now.extent, is_number ? now.values : std::vector<double>{}});
      using kind = std::remove_cvref_t<decltype(operand)>;
      if constexpr (kind::output || (kind::written && plan_of<K>.epilogues == 0)) {
        computed.push_back(now);
      } else if constexpr (!kind::written) {
        inputs.all.push_back(now);
      }
    };
    (collect(std::get<I>(operands)), ...);
    if (!result.hazard.empty()) return;
    for (const tensor_values& now : computed) {
      tensor_values expected{now.name, now.extent, std::vector<double>(now.values.size())};
      if (options.reference) options.reference(inputs, expected);
      judge(result, now, expected, static_cast<bool>(options.reference));
    }
  }
  (std::make_integer_sequence<int, operand_count<K>>{});
  return result;
}

}  // namespace sectile::tell
