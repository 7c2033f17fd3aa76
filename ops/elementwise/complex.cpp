// SPDX-License-Identifier: Apache-2.0
// Parts of complex numbers, which are computed by themselves.
#include <weft/ops/elementwise/complex.h>

#include <weft/ops/elementwise/entry.h>

namespace weft {
namespace {

struct RealPart : EntryOf<1, kinds::complexes> {
  static constexpr std::string_view name = "real";
  static constexpr const Op& op = real_op;
  static DType made(DType type) { return part_of(type); }

  template <class T>
  static T value(std::complex<T> x) {
    return x.real();
  }
};

struct ImaginaryPart : EntryOf<1, kinds::complexes> {
  static constexpr std::string_view name = "imag";
  static constexpr const Op& op = imag_op;
  static DType made(DType type) { return part_of(type); }

  template <class T>
  static T value(std::complex<T> x) {
    return x.imag();
  }
};

struct Conjugate : EntryOf<1, kinds::complexes> {
  static constexpr std::string_view name = "conj";
  static constexpr const Op& op = conj_op;

  template <class T>
  static std::complex<T> value(std::complex<T> x) {
    return std::conj(x);
  }
};

template <class Entry>
constexpr Instruction instruction = Family<Entry>::template instruction<Entry>(nullptr);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op real_op = op_of<Call<RealPart>>();
Tensor real(const Tensor& x) { return build<Call<RealPart>>(x); }
Tensor ElementwiseMethods::real() const { return weft::real(tensor()); }

constinit const Op imag_op = op_of<Call<ImaginaryPart>>();
Tensor imag(const Tensor& x) { return build<Call<ImaginaryPart>>(x); }
Tensor ElementwiseMethods::imag() const { return weft::imag(tensor()); }

constinit const Op conj_op = op_of<Call<Conjugate>>();
Tensor conj(const Tensor& x) { return build<Call<Conjugate>>(x); }
Tensor ElementwiseMethods::conj() const { return weft::conj(tensor()); }

}  // namespace weft
