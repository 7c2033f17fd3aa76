// SPDX-License-Identifier: Apache-2.0
// DLPack's structs, as its standard lays them out, and who owns what.
#include "dlpack.h"

#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include <weft/engine/memory/create.h>

#include "array_out.h"
#include "gil.h"

namespace weft::python {
namespace {

struct Device {
  std::int32_t type, id;
  static constexpr std::int32_t cpu = 1;
};
struct PackedType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct PackedTensor {
  void* data;
  Device device;
  std::int32_t rank;
  PackedType type;
  std::int64_t *shape, *strides;
  std::uint64_t byte_offset;
};
struct Unversioned {
  static constexpr const char* name = "dltensor";
  static constexpr const char* used_name = "used_dltensor";
  PackedTensor tensor;
  void* context;
  void (*deleter)(Unversioned*);
};
struct Versioned {
  static constexpr const char* name = "dltensor_versioned";
  static constexpr const char* used_name = "used_dltensor_versioned";
  static constexpr std::uint64_t read_only = 1, is_copied = 2;
  std::uint32_t major, minor;
  void* context;
  void (*deleter)(Versioned*);
  std::uint64_t flags;
  PackedTensor tensor;
};

using Kind = DType::Kind;
struct Entry {
  DType dtype;
  std::uint8_t code;
};
constexpr Entry entries[] = {{i8, 0},  {i16, 0},  {i32, 0}, {i64, 0},  {u8, 1},
                             {u16, 1}, {u32, 1},  {u64, 1}, {f16, 2},  {f32, 2},
                             {f64, 2}, {bf16, 4}, {c64, 5}, {c128, 5}, {bool_, 6}};

DType dtype_of_packed(PackedType type) {
  for (const Entry& entry : entries)
    if (entry.code == type.code && entry.dtype.size() * 8 == type.bits && type.lanes == 1)
      return entry.dtype;
  throw DtypeError(fmt::format("from_dlpack: weft has no type of code {}, {} bits and {} lanes",
                               type.code, type.bits, type.lanes));
}

PackedType packed_type(DType dtype) {
  for (const Entry& entry : entries)
    if (entry.dtype == dtype) return {entry.code, static_cast<std::uint8_t>(dtype.size() * 8), 1};
  throw DtypeError(fmt::format("__dlpack__: DLPack has no type for {}", dtype.name()));
}

/// The tensor that a capsule of that kind holds, if it is one. From then on it is ours.
template <class Managed>
std::shared_ptr<Managed> taken(nb::handle capsule) {
  if (!PyCapsule_IsValid(capsule.ptr(), Managed::name)) return nullptr;
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), Managed::name));
  PyCapsule_SetName(capsule.ptr(), Managed::used_name);
  return {managed, [](Managed* done) {
            if (!done->deleter || !Py_IsInitialized()) return;
            const nb::gil_scoped_acquire held;  // a producer may drop Python objects
            done->deleter(done);
          }};
}

Tensor tensor_of(const PackedTensor& packed, std::shared_ptr<const void> owner) {
  const Device device = packed.device;
  if (device.type != Device::cpu)
    throw ParameterError("bad_device",
                         fmt::format("from_dlpack: the array lies on a device of type {}, expected "
                                     "the CPU's memory (type {})",
                                     device.type, Device::cpu));
  const DType dtype = dtype_of_packed(packed.type);
  const auto rank = static_cast<std::size_t>(packed.rank);
  const Shape shape(packed.shape, packed.shape + rank);
  const auto* const data = static_cast<const std::byte*>(packed.data) + packed.byte_offset;
  const bool is_aligned =
      reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(dtype.size()) == 0;
  if (!packed.strides) {
    const Tensor seen = borrow(data, dtype, shape, std::move(owner));
    return is_aligned ? seen : copy_from(data, dtype, shape);
  }
  return borrow(data, dtype, shape, Shape(packed.strides, packed.strides + rank), std::move(owner));
}

/// What a capsule points to, with its value and shape.
template <class Managed>
struct Exported {
  Managed managed{};
  Elements elements;
  std::vector<std::int64_t> shape, strides;

  explicit Exported(Elements told) : elements(std::move(told)) {
    shape.assign(elements.shape.begin(), elements.shape.end());
    strides.assign(elements.strides.begin(), elements.strides.end());
    managed.tensor = {const_cast<std::byte*>(elements.first.get()),
                      {Device::cpu, 0},
                      static_cast<std::int32_t>(shape.size()),
                      packed_type(elements.dtype),
                      shape.data(),
                      strides.data(),
                      0};
    managed.context = this;
    managed.deleter = [](Managed* done) { delete static_cast<Exported*>(done->context); };
  }
};

template <class Managed>
nb::object capsule_of(std::unique_ptr<Exported<Managed>> exported) {
  PyObject* const capsule = PyCapsule_New(&exported->managed, Managed::name, [](PyObject* unused) {
    if (!PyCapsule_IsValid(unused, Managed::name)) return;  // somebody took it over
    auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(unused, Managed::name));
    managed->deleter(managed);
  });
  if (!capsule) nb::raise_python_error();
  static_cast<void>(exported.release());
  return nb::steal(capsule);
}

}  // namespace

bool has_dlpack(nb::handle array) { return PyObject_HasAttrString(array.ptr(), "__dlpack__") == 1; }

Tensor tensor_from_dlpack(nb::handle array, bool must_borrow) {
  nb::object capsule;
  try {
    nb::dict options;
    options["max_version"] = nb::make_tuple(1, 1);
    if (must_borrow) options["copy"] = false;
    capsule = array.attr("__dlpack__")(**options);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    capsule = array.attr("__dlpack__")();  // older than versions
  }
  if (const auto versioned = taken<Versioned>(capsule)) {
    if (versioned->major > 1)
      throw ParameterError("bad_version", fmt::format("from_dlpack: version {}.{}, expected 1",
                                                      versioned->major, versioned->minor));
    return tensor_of(versioned->tensor, versioned);
  }
  if (const auto unversioned = taken<Unversioned>(capsule))
    return tensor_of(unversioned->tensor, unversioned);
  throw DtypeError("from_dlpack: __dlpack__ gave no capsule of DLPack");
}

nb::object to_dlpack(const Tensor& tensor, bool is_versioned, bool copy, bool may_go_back) {
  Elements elements = copy ? copied_elements(tensor) : elements_of(tensor, may_go_back);
  if (!is_versioned)
    return capsule_of(std::make_unique<Exported<Unversioned>>(std::move(elements)));
  auto exported = std::make_unique<Exported<Versioned>>(std::move(elements));
  exported->managed.major = 1;
  exported->managed.minor = 1;
  exported->managed.flags = copy ? Versioned::is_copied : Versioned::read_only;
  return capsule_of(std::move(exported));
}

}  // namespace weft::python
