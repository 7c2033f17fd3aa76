// Streaming copies, for each target: whole cache lines written past the caches.
#if defined(WEFT_STREAM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_STREAM_INL_H
#undef WEFT_STREAM_INL_H
#else
#define WEFT_STREAM_INL_H
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

/// memcpy whose whole lines bypass the caches: faster where the output does not stay in them,
/// slower where it does. Others see the bytes after finish_streams().
HWY_INLINE void stream_bytes(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr std::int64_t line = 64;
  const std::int64_t past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % line);
  const std::int64_t head = past == 0 ? 0 : line - past;
  if (bytes < head + line) {
    std::memcpy(dst, src, static_cast<std::size_t>(bytes));
    return;
  }
  std::memcpy(dst, src, static_cast<std::size_t>(head));
  const hn::CappedTag<std::uint8_t, line> d;
  const std::int64_t step = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* from = reinterpret_cast<const std::uint8_t*>(src + head);
  auto* to = reinterpret_cast<std::uint8_t*>(dst + head);
  std::int64_t left = bytes - head;
  for (; left >= line; left -= line)
    for (std::int64_t part = 0; part < line; part += step, from += step, to += step)
      hn::Stream(hn::LoadU(d, from), d, to);
  std::memcpy(to, from, static_cast<std::size_t>(left));
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
