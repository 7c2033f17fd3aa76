// SPDX-License-Identifier: Apache-2.0
// A batch of pictures from [n, height, width, channels] to [n, channels, height, width].
#include <fmt/format.h>

#include <cstdint>

#include <weft/weft.h>

int main() {
  // Two pictures of 2 x 3 pixels; the bytes of a pixel follow each other.
  const weft::Tensor batch = weft::iota<std::uint8_t>({2, 2, 3, 3});
  const weft::Tensor planes = batch.transpose({0, 3, 1, 2});
  fmt::print("shape {}, nothing has moved yet\n", weft::to_string(planes.shape()));

  // Printing evaluates: one pass over the output.
  fmt::print("{}\n", planes);

  // And back again: no pass at all, since every element is where it was.
  const weft::Tensor back = batch.transpose({0, 3, 1, 2}).transpose({0, 2, 3, 1});
  fmt::print("{}", weft::explain(back));
}
