// Functions of each element: exponentials and logarithms, roots, and the activations of neural networks.
//
// Each is made of what a machine does to numbers, rounded as the PTX instruction rounds, and of nothing else. So a
// function has the same bits on every machine, but for ex2.approx and rcp.approx, which the chip rounds in ways of its
// own (within 2^-22.5 and 2^-23, PTX ISA "ex2", "rcp"). None has a branch, so that warps stay together: what is chosen
// from has a name, since a compiler jumps around calls in a choice. Polynomials were fitted for this file (Remez), with
// coefficients rounded to f32 one after the other. A NaN stays one. What each reaches against float64 is tested, over
// all of its range.
#pragma once
#include <sectile/dsl/program/elementwise.hpp>

namespace sectile {

namespace detail {

inline constexpr float log2_e = 1.44269502f, log2_e_rest = 1.92596303e-8f, ln_2 = 0.693147182f,
                       ln_2_rest = -1.90465421e-9f;

/// c0 + x (c1 + x (c2 + ..))
template <class Machine>
constexpr float polynomial(Machine&, float, float c) {
  return c;
}
template <class Machine, class... C>
constexpr float polynomial(Machine& hw, float x, float c, C... more) {
  return hw.fma(x, polynomial(hw, x, more...), c);
}
constexpr float magnitude(float x) { return __builtin_fabsf(x); }
/// Its magnitude with the sign of `of`.
constexpr float with_sign(float x, float of) { return __builtin_copysignf(x, of); }
/// e to the power x. x log2(e) does not fit one f32: what it lacks is a factor near 1.
template <class Machine>
constexpr float exp(Machine& hw, float x) {
  const float power = hw.multiply(x, log2_e);
  const float rest = hw.fma(x, log2_e_rest, hw.fma(x, log2_e, hw.negate(power)));  // of an infinity: any number
  return hw.multiply(hw.exp2(power), hw.fma(hw.maximum(hw.minimum(rest, 1.0f), -1.0f), ln_2, 1.0f));
}

/// x = m 2^e with m from sqrt(1/2) to sqrt(2), and ln m, if x is positive and finite.
struct logarithm {
  float exponent, of_mantissa;
};
template <class Machine>
constexpr logarithm split_logarithm(Machine& hw, float x) {
  const bool tiny = x < 0x1p-126f;
  const float scaled = hw.multiply(x, 0x1p23f), normal = tiny ? scaled : x;
  const std::uint32_t from_root = __builtin_bit_cast(std::uint32_t, normal) - 0x3F35'04F3u;  // sqrt(1/2)
  const std::uint32_t mantissa = (from_root & 0x7F'FFFFu) + 0x3F35'04F3u;
  const int e = static_cast<std::int32_t>(from_root) >> 23;
  const float f = hw.subtract(__builtin_bit_cast(float, mantissa), 1.0f);
  const float cubic = polynomial(hw, f, 0.333338588f, -0.250058085f, 0.199694842f, -0.16433011f, 0.146730304f,
                                 -0.153618723f, 0.108819693f);
  const float square = hw.multiply(f, f);
  const float rest = hw.fma(hw.multiply(f, square), cubic, hw.multiply(-0.5f, square));
  return {static_cast<float>(tiny ? e - 23 : e), hw.add(f, rest)};
}
/// What logarithms of every base answer where there is none to compute.
template <class Machine, class F>
constexpr float logarithm_of(Machine& hw, float x, F f) {
  const float usual = f(split_logarithm(hw, x));
  const float unusual = x == 0 ? -infinity : x < 0 ? __builtin_nanf("") : x;  // infinity, or a NaN
  return x > 0 && x < infinity ? usual : unusual;
}

/// 1 / (1 + 2 to the power x)
template <class Machine>
constexpr float logistic(Machine& hw, float x) {
  return hw.approximate_reciprocal(hw.add(1.0f, hw.exp2(x)));
}
/// 1 / (1 + exp(-x)). What multiplying by log2(e) rounds off shows where the result is small.
template <class Machine>
constexpr float sigmoid(Machine& hw, float x) {
  return logistic(hw, hw.multiply(x, -log2_e));
}
template <class Machine>
constexpr float tanh(Machine& hw, float x) {
  const float a = magnitude(x), square = hw.multiply(a, a);
  const float small = hw.fma(hw.multiply(a, square),
                             polynomial(hw, square, -0.333326221f, 0.133135274f, -0.0522314012f, 0.0156408809f), a);
  const float large = hw.fma(-2.0f, logistic(hw, hw.multiply(a, 2 * log2_e)), 1.0f);
  return with_sign(a >= 0.6f ? large : small, x);
}
/// erf for |x| < 1.
template <class Machine>
constexpr float erf_near_zero(Machine& hw, float x) {
  return hw.multiply(x, polynomial(hw, hw.multiply(x, x), 1.12837911f, -0.376122177f, 0.112789683f, -0.0266614053f,
                                   0.00482414523f, -0.000482266943f, -2.6328511e-05f));
}
/// 1 - erf(a) for a >= 1: exp(-a^2) times a factor whose logarithm is a polynomial.
template <class Machine>
constexpr float erfc_far_from_zero(Machine& hw, float a) {
  const float factor =
      polynomial(hw, hw.minimum(a, 5.0f), 0.000662426988f, -1.63150299f, 0.532981932f, -0.160842136f, 0.0395287871f,
                 -0.00750090228f, 0.0010455962f, -0.000100042715f, 5.83735209e-06f, -1.55972032e-07f);
  return hw.exp2(hw.fma(hw.multiply(a, -log2_e), a, factor));
}
template <class Machine>
constexpr float erf(Machine& hw, float x) {
  const float a = magnitude(x), near = erf_near_zero(hw, x);
  const float far = with_sign(hw.subtract(1.0f, erfc_far_from_zero(hw, a)), x);
  return a < 1.0f ? near : far;
}

}  // namespace detail

struct exponential_of_one {
  static constexpr const char* form = "exp(a)";
  constexpr float operator()(auto& hw, float x) const { return detail::exp(hw, x); }
};
struct logarithm_of_one {
  static constexpr const char* form = "log(a)";
  constexpr float operator()(auto& hw, float x) const {
    return detail::logarithm_of(hw, x, [&](detail::logarithm l) {
      return hw.fma(l.exponent, detail::ln_2, hw.fma(l.exponent, detail::ln_2_rest, l.of_mantissa));
    });
  }
};
struct binary_logarithm_of_one {
  static constexpr const char* form = "log2(a)";
  constexpr float operator()(auto& hw, float x) const {
    return detail::logarithm_of(hw, x, [&](detail::logarithm l) {
      return hw.add(l.exponent, hw.fma(l.of_mantissa, detail::log2_e, hw.multiply(l.of_mantissa, detail::log2_e_rest)));
    });
  }
};
struct square_root_of_one {
  static constexpr const char* form = "sqrt(a)";
  constexpr float operator()(auto& hw, float x) const { return hw.sqrt(x); }
};
struct reciprocal_square_root_of_one {
  static constexpr const char* form = "rsqrt(a)";
  constexpr float operator()(auto& hw, float x) const { return hw.reciprocal(hw.sqrt(x)); }
};
struct magnitude_of_one {
  static constexpr const char* form = "abs(a)";
  constexpr float operator()(auto&, float x) const { return detail::magnitude(x); }
};
struct tanh_of_one {
  static constexpr const char* form = "tanh(a)";
  constexpr float operator()(auto& hw, float x) const { return detail::tanh(hw, x); }
};
struct erf_of_one {
  static constexpr const char* form = "erf(a)";
  constexpr float operator()(auto& hw, float x) const { return detail::erf(hw, x); }
};
struct sigmoid_of_one {
  static constexpr const char* form = "sigmoid(a)";
  constexpr float operator()(auto& hw, float x) const { return detail::sigmoid(hw, x); }
};
struct relu_of_one {
  static constexpr const char* form = "relu(a)";
  constexpr float operator()(auto&, float x) const { return x < 0 ? 0.0f : x; }
};
struct silu_of_one {
  static constexpr const char* form = "silu(a)";
  constexpr float operator()(auto& hw, float x) const { return hw.multiply(x, detail::sigmoid(hw, x)); }
};
struct gelu_of_one {
  static constexpr const char* form = "gelu(a)";
  constexpr float operator()(auto& hw, float x) const {
    // The normal distribution at -|x| is exp(-x^2 / 2) times a factor whose logarithm is a polynomial; from there on
    // nothing cancels for either sign. (Below -5.6, where the result is under 1e-7, the factor stays as it is.)
    const float factor =
        detail::polynomial(hw, hw.minimum(detail::magnitude(x), 5.6f), -0.99999994f, -1.15110767f, 0.262154341f,
                           -0.0525223538f, 0.00706310524f, -9.23947591e-05f, -0.000236328386f, 6.42160448e-05f,
                           -8.92569187e-06f, 6.73989462e-07f, -2.18397584e-08f);
    const float tail = hw.exp2(hw.fma(hw.multiply(x, -0.5f * detail::log2_e), x, factor));
    const float upper = hw.subtract(1.0f, tail);
    return hw.multiply(x, x < 0 ? tail : upper);
  }
};
struct gelu_tanh_of_one {
  static constexpr const char* form = "gelu_tanh(a)";
  constexpr float operator()(auto& hw, float x) const {
    // -log2(e) sqrt(8 / pi) and 0.044715 times that
    const float factor = hw.fma(hw.multiply(x, x), -0.102943240f, -2.30220818f);
    return hw.multiply(x, detail::logistic(hw, hw.multiply(x, factor)));
  }
};

/// e to the power x.
template <function_argument X, class... More>
constexpr auto exp(const X& x, const More&... more) {
  static_assert(decltype(fit<exponential_of_one, X, More...>())::verified);
  return operate<exponential_of_one>(x, more...);
}
/// The logarithms to base e and 2; of 0 minus infinity, of less a NaN.
template <function_argument X, class... More>
constexpr auto log(const X& x, const More&... more) {
  static_assert(decltype(fit<logarithm_of_one, X, More...>())::verified);
  return operate<logarithm_of_one>(x, more...);
}
template <function_argument X, class... More>
constexpr auto log2(const X& x, const More&... more) {
  static_assert(decltype(fit<binary_logarithm_of_one, X, More...>())::verified);
  return operate<binary_logarithm_of_one>(x, more...);
}
/// The square root (sqrt.rn), and 1 over it.
template <function_argument X, class... More>
constexpr auto sqrt(const X& x, const More&... more) {
  static_assert(decltype(fit<square_root_of_one, X, More...>())::verified);
  return operate<square_root_of_one>(x, more...);
}
template <function_argument X, class... More>
constexpr auto rsqrt(const X& x, const More&... more) {
  static_assert(decltype(fit<reciprocal_square_root_of_one, X, More...>())::verified);
  return operate<reciprocal_square_root_of_one>(x, more...);
}
/// The magnitude.
template <function_argument X, class... More>
constexpr auto abs(const X& x, const More&... more) {
  static_assert(decltype(fit<magnitude_of_one, X, More...>())::verified);
  return operate<magnitude_of_one>(x, more...);
}
template <function_argument X, class... More>
constexpr auto tanh(const X& x, const More&... more) {
  static_assert(decltype(fit<tanh_of_one, X, More...>())::verified);
  return operate<tanh_of_one>(x, more...);
}
template <function_argument X, class... More>
constexpr auto erf(const X& x, const More&... more) {
  static_assert(decltype(fit<erf_of_one, X, More...>())::verified);
  return operate<erf_of_one>(x, more...);
}
/// The magnitude of a whole number, as a function given to mask() has them: abs(row - col).
constexpr int abs(std::same_as<int> auto x) { return x < 0 ? -x : x; }
/// 1 / (1 + exp(-x))
template <function_argument X, class... More>
constexpr auto sigmoid(const X& x, const More&... more) {
  static_assert(decltype(fit<sigmoid_of_one, X, More...>())::verified);
  return operate<sigmoid_of_one>(x, more...);
}
/// x where it is positive, else 0.
template <function_argument X, class... More>
constexpr auto relu(const X& x, const More&... more) {
  static_assert(decltype(fit<relu_of_one, X, More...>())::verified);
  return operate<relu_of_one>(x, more...);
}
/// x sigmoid(x), also called swish.
template <function_argument X, class... More>
constexpr auto silu(const X& x, const More&... more) {
  static_assert(decltype(fit<silu_of_one, X, More...>())::verified);
  return operate<silu_of_one>(x, more...);
}
/// x times the normal distribution's cumulative function: x (1 + erf(x / sqrt(2))) / 2.
template <function_argument X, class... More>
constexpr auto gelu(const X& x, const More&... more) {
  static_assert(decltype(fit<gelu_of_one, X, More...>())::verified);
  return operate<gelu_of_one>(x, more...);
}
/// The same by its approximation with tanh: x sigmoid(sqrt(8 / pi) (x + 0.044715 x^3)). Half the instructions.
template <function_argument X, class... More>
constexpr auto gelu_tanh(const X& x, const More&... more) {
  static_assert(decltype(fit<gelu_tanh_of_one, X, More...>())::verified);
  return operate<gelu_tanh_of_one>(x, more...);
}

}  // namespace sectile
