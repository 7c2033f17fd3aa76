// SPDX-License-Identifier: Apache-2.0
// What to_string writes: the same as NumPy 2.4.6 does with str(array). The texts are NumPy's own.
#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <vector>

#include <weft/weft.h>

using namespace weft;

namespace {

using FloatComplex = std::complex<float>;
using Complex = std::complex<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Tensor narrow(DType dtype, const std::vector<std::uint16_t>& bits) {
  return copy_from(bits.data(), dtype, static_cast<std::int64_t>(bits.size()));
}
Tensor halves(const std::vector<std::uint16_t>& bits) { return narrow(f16, bits); }

}  // namespace

TEST_CASE("Integers share one width") {
  CHECK(to_string(array({1, 2, 3})) == "[1 2 3]");
  CHECK(to_string(array({1, -20, 300})) == "[  1 -20 300]");
  CHECK(to_string(array<std::uint8_t>({0, 7, 255})) == "[  0   7 255]");
  CHECK(to_string(array<std::int8_t>({-128, 0, 127})) == "[-128    0  127]");
  CHECK(to_string(array<std::int64_t>({INT64_MIN, 0, INT64_MAX})) ==
        "[-9223372036854775808                    0  9223372036854775807]");
  CHECK(to_string(array<std::uint64_t>({0, UINT64_MAX})) ==
        "[                   0 18446744073709551615]");
  CHECK(to_string(array({{1, 2, 3}, {4, 5, 60}})) ==
        R"([[ 1  2  3]
 [ 4  5 60]])");
}

TEST_CASE("Truth values are written out") {
  CHECK(to_string(array({true, false, true})) == "[ True False  True]");
  CHECK(to_string(array({{true, true}, {true, true}})) ==
        R"([[ True  True]
 [ True  True]])");
  CHECK(to_string(scalar(false)) == "False");
}

TEST_CASE("Rank 0 is the bare number") {
  CHECK(to_string(scalar(-7)) == "-7");
  CHECK(to_string(scalar<std::uint8_t>(200)) == "200");
  CHECK(to_string(scalar(0.1)) == "0.1");
  CHECK(to_string(scalar(1.0 / 3)) == "0.3333333333333333");
  CHECK(to_string(scalar(1.0f / 3)) == "0.33333334");
  CHECK(to_string(scalar(-0.0)) == "-0.0");
  CHECK(to_string(scalar(2.0)) == "2.0");
  CHECK(to_string(scalar(1e15)) == "1000000000000000.0");
  CHECK(to_string(scalar(1e16)) == "1e+16");
  CHECK(to_string(scalar(1e16f)) == "1e+16");
  CHECK(to_string(scalar(123456.5f)) == "123456.5");
  CHECK(to_string(scalar(1234567.0f)) == "1.234567e+06");
  CHECK(to_string(scalar(0.0001)) == "0.0001");
  CHECK(to_string(scalar(0.00001)) == "1e-05");
  CHECK(to_string(scalar(1.5e-300)) == "1.5e-300");
  CHECK(to_string(scalar(5e-324)) == "5e-324");
  CHECK(to_string(scalar(not_a_number)) == "nan");
  CHECK(to_string(scalar(-infinity)) == "-inf");
  CHECK(to_string(scalar(Complex(1, 2))) == "(1+2j)");
  CHECK(to_string(scalar(Complex(0, -1.5))) == "-1.5j");
  CHECK(to_string(scalar(Complex(-0.0, 2))) == "(-0+2j)");
  CHECK(to_string(scalar(Complex(not_a_number, infinity))) == "(nan+infj)");
  CHECK(to_string(scalar(FloatComplex(1e8f, 0.1f))) == "(1e+08+0.1j)");
}

TEST_CASE("Floats keep their points below each other") {
  CHECK(to_string(array({1.0, 2.0, 3.0})) == "[1. 2. 3.]");
  CHECK(to_string(array({0.5, 10.25, -3.0})) == "[ 0.5  10.25 -3.  ]");
  CHECK(to_string(array({0.1f, 0.2f, 0.3f})) == "[0.1 0.2 0.3]");
  CHECK(to_string(array({1.0 / 3, 2.0 / 3})) == "[0.33333333 0.66666667]");
  CHECK(to_string(array({1.0f / 3, 2.0f / 3})) == "[0.33333334 0.6666667 ]");
  CHECK(to_string(array({0.0, -0.0})) == "[ 0. -0.]");
  CHECK(to_string(array({0.999999999, 1.0})) == "[1. 1.]");
  CHECK(to_string(array({0.0001, 0.05})) == "[0.0001 0.05  ]");
  CHECK(to_string(array({99999999.0, 1e6})) == "[99999999.  1000000.]");
  CHECK(to_string(array({{1.5, -2.25}, {100.0, 0.125}})) ==
        R"([[  1.5    -2.25 ]
 [100.      0.125]])");
}

TEST_CASE("Small, large and widely spread floats are in exponent form") {
  CHECK(to_string(array({1e8, 1.0})) == "[1.e+08 1.e+00]");
  CHECK(to_string(array({0.00001, 0.05})) == "[1.e-05 5.e-02]");
  CHECK(to_string(array({1000.0, 1.0})) == "[1000.    1.]");
  CHECK(to_string(array({1000.5, 1.0})) == "[1.0005e+03 1.0000e+00]");
  CHECK(to_string(array({1e-10, 12345.678, -1e300})) ==
        "[ 1.0000000e-010  1.2345678e+004 -1.0000000e+300]");
  CHECK(to_string(array({0.3f, 1.2345678e20f})) == "[3.0000001e-01 1.2345678e+20]");
  CHECK(to_string(array({0.0, 1e-20})) == "[0.e+00 1.e-20]");
  CHECK(to_string(array({1e6f, 999999.0f})) == "[1.00000e+06 9.99999e+05]");
}

TEST_CASE("What is not finite fits into the column") {
  CHECK(to_string(array({not_a_number, 1.0, -infinity})) == "[ nan   1. -inf]");
  CHECK(to_string(array({not_a_number, infinity})) == "[nan inf]");
  CHECK(to_string(array({not_a_number, 1.25, infinity})) == "[ nan 1.25  inf]");
  CHECK(to_string(array({1e-9, not_a_number, -infinity})) == "[1.e-09    nan   -inf]");
}

TEST_CASE("Complex numbers are two columns") {
  CHECK(to_string(array({Complex(1, 2), Complex(-3.5, -0.25)})) == "[ 1. +2.j   -3.5-0.25j]");
  CHECK(to_string(array({Complex(1, 2), Complex(not_a_number, -infinity),
                         Complex(0, not_a_number)})) == "[ 1. +2.j nan-infj  0.+nanj]");
  CHECK(to_string(array({FloatComplex(0.1f, 1e10f), FloatComplex(-0.0f, 1)})) ==
        "[ 0.1+1.e+10j -0. +1.e+00j]");
}

TEST_CASE("Half floats show the digits that tell half floats apart") {
  CHECK(to_string(halves({0x2e66, 0x3266, 0x34cd})) == "[0.1 0.2 0.3]");
  CHECK(to_string(halves({0x3555})) == "[0.3333]");
  CHECK(to_string(halves({0x63ce, 0x3c00})) == "[999.   1.]");
  CHECK(to_string(halves({0x63d0})) == "[1.e+03]");
  CHECK(to_string(halves({0x7bff, 0x0001, 0x8000})) == "[ 6.55e+04  5.96e-08 -0.00e+00]");
  CHECK(to_string(halves({0x7e00, 0x7c00, 0x3800})) == "[nan inf 0.5]");
  CHECK(to_string(halves({0x2400, 0x0010})) == "[1.563e-02 9.537e-07]");
}

TEST_CASE("Without elements there are only brackets") {
  CHECK(to_string(array<float>(std::initializer_list<float>{})) == "[]");
  CHECK(to_string(iota({0, 3})) == "[]");
  CHECK(to_string(iota({3, 0, 2})) == "[]");
}

TEST_CASE("Planes are set apart by blank lines") {
  CHECK(to_string(iota({2, 2, 3})) ==
        R"([[[ 0  1  2]
  [ 3  4  5]]

 [[ 6  7  8]
  [ 9 10 11]]])");
  CHECK(to_string(iota({2, 1, 2, 2}, -3)) ==
        R"([[[[-3 -2]
   [-1  0]]]


 [[[ 1  2]
   [ 3  4]]]])");
  CHECK(to_string(iota({1, 1, 1, 1, 1})) == "[[[[[0]]]]]");
}

TEST_CASE("Lines wrap at 75 characters") {
  CHECK(to_string(iota(30)) ==
        R"([ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
 24 25 26 27 28 29])");
  CHECK(to_string(iota({2, 26})) ==
        R"([[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
  24 25]
 [26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49
  50 51]])");
  CHECK(to_string(iota<double>({1, 1, 25})) ==
        R"([[[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16.
   17. 18. 19. 20. 21. 22. 23. 24.]]])");
  CHECK(to_string(array({0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,
                         1.0, 1.0, 1.0, 1.0})) ==
        R"([0.5 1.  1.  1.  1.  1.  1.  1.  1.  1.  1.  1.  1.  1.  1.  1.  1.  1.
 1. ])");
}

TEST_CASE("More than a thousand elements are summarised") {
  CHECK(to_string(iota(1001)) == "[   0    1    2 ...  998  999 1000]");
  CHECK(to_string(iota({40, 30})) ==
        R"([[   0    1    2 ...   27   28   29]
 [  30   31   32 ...   57   58   59]
 [  60   61   62 ...   87   88   89]
 ...
 [1110 1111 1112 ... 1137 1138 1139]
 [1140 1141 1142 ... 1167 1168 1169]
 [1170 1171 1172 ... 1197 1198 1199]])");
  CHECK(to_string(iota({4, 300})) ==
        R"([[   0    1    2 ...  297  298  299]
 [ 300  301  302 ...  597  598  599]
 [ 600  601  602 ...  897  898  899]
 [ 900  901  902 ... 1197 1198 1199]])");
  CHECK(to_string(iota<float>({300, 2, 3})) ==
        R"([[[0.000e+00 1.000e+00 2.000e+00]
  [3.000e+00 4.000e+00 5.000e+00]]

 [[6.000e+00 7.000e+00 8.000e+00]
  [9.000e+00 1.000e+01 1.100e+01]]

 [[1.200e+01 1.300e+01 1.400e+01]
  [1.500e+01 1.600e+01 1.700e+01]]

 ...

 [[1.782e+03 1.783e+03 1.784e+03]
  [1.785e+03 1.786e+03 1.787e+03]]

 [[1.788e+03 1.789e+03 1.790e+03]
  [1.791e+03 1.792e+03 1.793e+03]]

 [[1.794e+03 1.795e+03 1.796e+03]
  [1.797e+03 1.798e+03 1.799e+03]]])");
  CHECK(to_string(iota({2, 7, 8, 10})) ==
        R"([[[[   0    1    2 ...    7    8    9]
   [  10   11   12 ...   17   18   19]
   [  20   21   22 ...   27   28   29]
   ...
   [  50   51   52 ...   57   58   59]
   [  60   61   62 ...   67   68   69]
   [  70   71   72 ...   77   78   79]]

  [[  80   81   82 ...   87   88   89]
   [  90   91   92 ...   97   98   99]
   [ 100  101  102 ...  107  108  109]
   ...
   [ 130  131  132 ...  137  138  139]
   [ 140  141  142 ...  147  148  149]
   [ 150  151  152 ...  157  158  159]]

  [[ 160  161  162 ...  167  168  169]
   [ 170  171  172 ...  177  178  179]
   [ 180  181  182 ...  187  188  189]
   ...
   [ 210  211  212 ...  217  218  219]
   [ 220  221  222 ...  227  228  229]
   [ 230  231  232 ...  237  238  239]]

  ...

  [[ 320  321  322 ...  327  328  329]
   [ 330  331  332 ...  337  338  339]
   [ 340  341  342 ...  347  348  349]
   ...
   [ 370  371  372 ...  377  378  379]
   [ 380  381  382 ...  387  388  389]
   [ 390  391  392 ...  397  398  399]]

  [[ 400  401  402 ...  407  408  409]
   [ 410  411  412 ...  417  418  419]
   [ 420  421  422 ...  427  428  429]
   ...
   [ 450  451  452 ...  457  458  459]
   [ 460  461  462 ...  467  468  469]
   [ 470  471  472 ...  477  478  479]]

  [[ 480  481  482 ...  487  488  489]
   [ 490  491  492 ...  497  498  499]
   [ 500  501  502 ...  507  508  509]
   ...
   [ 530  531  532 ...  537  538  539]
   [ 540  541  542 ...  547  548  549]
   [ 550  551  552 ...  557  558  559]]]


 [[[ 560  561  562 ...  567  568  569]
   [ 570  571  572 ...  577  578  579]
   [ 580  581  582 ...  587  588  589]
   ...
   [ 610  611  612 ...  617  618  619]
   [ 620  621  622 ...  627  628  629]
   [ 630  631  632 ...  637  638  639]]

  [[ 640  641  642 ...  647  648  649]
   [ 650  651  652 ...  657  658  659]
   [ 660  661  662 ...  667  668  669]
   ...
   [ 690  691  692 ...  697  698  699]
   [ 700  701  702 ...  707  708  709]
   [ 710  711  712 ...  717  718  719]]

  [[ 720  721  722 ...  727  728  729]
   [ 730  731  732 ...  737  738  739]
   [ 740  741  742 ...  747  748  749]
   ...
   [ 770  771  772 ...  777  778  779]
   [ 780  781  782 ...  787  788  789]
   [ 790  791  792 ...  797  798  799]]

  ...

  [[ 880  881  882 ...  887  888  889]
   [ 890  891  892 ...  897  898  899]
   [ 900  901  902 ...  907  908  909]
   ...
   [ 930  931  932 ...  937  938  939]
   [ 940  941  942 ...  947  948  949]
   [ 950  951  952 ...  957  958  959]]

  [[ 960  961  962 ...  967  968  969]
   [ 970  971  972 ...  977  978  979]
   [ 980  981  982 ...  987  988  989]
   ...
   [1010 1011 1012 ... 1017 1018 1019]
   [1020 1021 1022 ... 1027 1028 1029]
   [1030 1031 1032 ... 1037 1038 1039]]

  [[1040 1041 1042 ... 1047 1048 1049]
   [1050 1051 1052 ... 1057 1058 1059]
   [1060 1061 1062 ... 1067 1068 1069]
   ...
   [1090 1091 1092 ... 1097 1098 1099]
   [1100 1101 1102 ... 1107 1108 1109]
   [1110 1111 1112 ... 1117 1118 1119]]]])");
}

// NumPy has no type for these two: the rules are those above, with the digits that bf16 has.
TEST_CASE("Brain floats follow the rule of half floats") {
  CHECK(to_string(narrow(bf16, {0x3f80, 0x4049, 0x3dcd})) == "[1.   3.14 0.1 ]");
  CHECK(to_string(narrow(bf16, {0x42c8, 0x3f80})) == "[1.e+02 1.e+00]");
  CHECK(to_string(narrow(bf16, {0x7fc0, 0xff80, 0x8000})) == "[ nan -inf  -0.]");
}

TEST_CASE("Structs are shown as their bytes") {
  struct Pixel {
    std::uint8_t red, green, blue;
  };
  CHECK(to_string(array<Pixel>({{255, 0, 16}, {1, 2, 3}})) == "[0xff0010 0x010203]");
  CHECK(to_string(scalar(Pixel{255, 0, 16})) == "0xff0010");
}

TEST_CASE("An expression is evaluated, and fmt prints it") {
  const Tensor turned = iota({2, 3}).roll(1, 1);
  CHECK_FALSE(turned.is_stored());
  CHECK(fmt::format("{}", turned) == "[[2 0 1]\n [5 3 4]]");
  CHECK(turned.is_stored());
}

TEST_CASE("Elements need not be aligned") {
  unsigned char bytes[1 + 2 * sizeof(double)];
  const double values[] = {0.5, 2.0};
  std::memcpy(bytes + 1, values, sizeof(values));
  CHECK(to_string(borrow(bytes + 1, f64, 2)) == "[0.5 2. ]");
}

TEST_CASE("a format is for each element") {
  CHECK(fmt::format("{:.2f}", array({1.0, -2.345, 10.5})) == "[ 1.00 -2.35 10.50]");
  CHECK(fmt::format("{:.1f}", array({{1.f, 2.f}, {3.f, 40.f}})) == "[[ 1.0  2.0]\n [ 3.0 40.0]]");
  CHECK(fmt::format("{:x}", array({10, 255})) == "[ a ff]");
  CHECK(fmt::format("{:03d}", array<std::int8_t>({1, -2})) == "[001 -02]");
  CHECK(fmt::format("{:.3e}", scalar(1234.5)) == "1.234e+03");
  CHECK(fmt::format("{:.1f}", halves({0x3c00, 0x7c00})) == "[1.0 inf]");
  CHECK(fmt::format("{:.1f}", array({Complex(1, 2), Complex(-1, -0.5)})) ==
        "[ 1.0+2.0j -1.0-0.5j]");
  CHECK(fmt::format("{:>6}", array({true, false})) == "[  True  False]");
  CHECK(fmt::format("{:d}", array({true, false})) == "[1 0]");
  CHECK(fmt::format("{:.2f}|{:.0f}", scalar(0.5f), scalar(2.0)) == "0.50|2");
  CHECK(fmt::format("{:.2f}", iota<float>({2000})) ==
        "[   0.00    1.00    2.00 ... 1997.00 1998.00 1999.00]");
  CHECK(to_string(array({0.5}), ".3f") == "[0.500]");
  CHECK(fmt::format("{:.2f}", iota<float>({0, 3})) == "[]");
}

TEST_CASE("a format that the type does not have is refused") {
  CHECK_THROWS_AS((void)fmt::format("{:d}", array({1.5})), FormatError);
  CHECK_THROWS_AS((void)fmt::format("{:.2f}", array({1})), FormatError);
  CHECK_THROWS_AS((void)fmt::format(fmt::runtime("{:{}}"), array({1}), 3), Error);
  CHECK_THROWS_WITH_AS((void)to_string(full({2}, std::array<std::byte, 3>{}), "x"),
                       "print: {:x} is no format of struct of 3 bytes: structs have none",
                       FormatError);
}

TEST_CASE("a long tensor is summarised from its corners alone, though it were larger than memory") {
  const std::int64_t n = std::int64_t{1} << 25;
  const Tensor vast = concat({full({n, n}, 1.f), full({n, 1}, 2.f)}, 1).roll({1, 1}, {0, 1});
  CHECK(vast.bytes() > std::int64_t{1} << 51);
  CHECK(to_string(vast) ==
        R"([[2. 1. 1. ... 1. 1. 1.]
 [2. 1. 1. ... 1. 1. 1.]
 [2. 1. 1. ... 1. 1. 1.]
 ...
 [2. 1. 1. ... 1. 1. 1.]
 [2. 1. 1. ... 1. 1. 1.]
 [2. 1. 1. ... 1. 1. 1.]])");
  CHECK_FALSE(vast.is_stored());
  CHECK(fmt::format("{:.1f}", full({n, 2, n}, 0.5f)[0]) ==
        "[[0.5 0.5 0.5 ... 0.5 0.5 0.5]\n [0.5 0.5 0.5 ... 0.5 0.5 0.5]]");
}

TEST_CASE("what is summarised may be stored on the way, as far as it is shown") {
  const std::int64_t n = std::int64_t{1} << 25;
  const Tensor vast = full({n, n}, std::uint8_t{7}).stored().transpose();
  CHECK(to_string(vast).substr(0, 21) == "[[7 7 7 ... 7 7 7]\n [");
  CHECK_FALSE(vast.is_stored());
}

TEST_CASE("streams and fmt print tensors, shapes and types") {
  std::ostringstream stream;
  stream << array({1, 2}) << ' ' << Shape{2, 3} << ' ' << PartialShape{"n", 4, Dim(1, 3)} << ' '
         << f16 << ' ' << opaque(3) << ' ' << iota({2, 3}).shape();
  CHECK(stream.str() == "[1 2] [2, 3] [n, 4, 1..3] f16 struct of 3 bytes [2, 3]");
  CHECK(fmt::format("{} {} {}", Shape{2, 3}, PartialShape::any(), bf16) == "[2, 3] [...] bf16");
  CHECK(fmt::format("{:>6}|{:<7}|", f32, Shape{1}) == "   f32|[1]    |");
}
