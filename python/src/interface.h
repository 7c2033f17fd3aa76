// SPDX-License-Identifier: Apache-2.0
// NumPy's array interface in C: what `__array_struct__` points to. Its layout is NumPy's promise.
#pragma once

#include <cstdint>

namespace weft::python {

struct ArrayInterface {
  int two;  ///< 2, to know it by
  int rank;
  char kind;
  int item_bytes;
  int flags;
  std::intptr_t* shape;
  std::intptr_t* strides_bytes;
  void* data;
  void* description;

  static constexpr int aligned = 0x100, native_order = 0x200, writable = 0x400;
};

}  // namespace weft::python
