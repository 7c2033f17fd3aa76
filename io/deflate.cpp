// SPDX-License-Identifier: Apache-2.0
// zlib's streams.
#include <weft/io/deflate.h>

#include <algorithm>
#include <fmt/format.h>
#include <vector>
#include <zlib.h>

#include <weft/engine/memory/buffer.h>
#include <weft/graph/value/error.h>

namespace weft::detail {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;  // zlib counts in 32 bits
constexpr int without_header = -MAX_WBITS;

Bytef* in_bytes(const std::byte* at) {
  return reinterpret_cast<Bytef*>(const_cast<std::byte*>(at));  // zlib does not write what it reads
}

uInt some_of(std::size_t bytes) { return static_cast<uInt>(std::min(bytes, most_at_once)); }

[[noreturn]] void throw_no_memory() { throw MemoryError("zlib: there is no memory for a stream"); }

/// Ends what was begun.
struct Inflater : z_stream {
  Inflater() : z_stream{} {
    if (inflateInit2(this, without_header) != Z_OK) throw_no_memory();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(this); }
};

}  // namespace

std::uint32_t crc32_of(std::span<const std::byte> bytes, std::uint32_t crc) {
  uLong sum = crc;
  while (!bytes.empty()) {
    const uInt count = some_of(bytes.size());
    sum = ::crc32(sum, in_bytes(bytes.data()), count);
    bytes = bytes.subspan(count);
  }
  return static_cast<std::uint32_t>(sum);
}

FileBytes inflated(const FileBytes& packed, std::uint64_t size) {
  if (size > static_cast<std::uint64_t>(max_bytes)) packed.refuse("it claims too many bytes");
  const std::shared_ptr<std::byte> buffer = allocate(static_cast<std::int64_t>(size));
  Inflater stream;
  std::span<const std::byte> from = packed.all();
  std::span<std::byte> to(buffer.get(), static_cast<std::size_t>(size));
  int status = Z_OK;
  std::byte beyond{};  // what is not expected, and where a stream of 0 bytes may go
  while (status == Z_OK) {
    stream.next_in = in_bytes(from.data());
    stream.avail_in = some_of(from.size());
    stream.next_out = in_bytes(to.empty() ? &beyond : to.data());
    stream.avail_out = to.empty() ? 1 : some_of(to.size());
    const uInt in = stream.avail_in, out = stream.avail_out;
    status = ::inflate(&stream, Z_NO_FLUSH);
    from = from.subspan(in - stream.avail_in);
    if (to.empty() && stream.avail_out != out) packed.refuse("it is longer than it says");
    if (!to.empty()) to = to.subspan(out - stream.avail_out);
  }
  if (status == Z_MEM_ERROR) throw_no_memory();
  if (status != Z_STREAM_END) packed.refuse("its compressed bytes are damaged");
  if (!to.empty() || !from.empty()) packed.refuse("it has another length than it says");
  return {packed.name(), {buffer.get(), static_cast<std::size_t>(size)}, buffer};
}

struct Deflater::State : z_stream {
  std::vector<std::byte> block;
};

Deflater::Deflater(Take take) : take_(std::move(take)), state_(std::make_unique<State>()) {
  state_->block.resize(std::size_t{1} << 16);
  if (deflateInit2(state_.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, without_header, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw_no_memory();
}

Deflater::~Deflater() { deflateEnd(state_.get()); }

void Deflater::run(std::span<const std::byte> bytes, bool is_last) {
  z_stream& stream = *state_;
  std::vector<std::byte>& block = state_->block;
  do {
    const uInt count = some_of(bytes.size());
    stream.next_in = in_bytes(bytes.data());
    stream.avail_in = count;
    bytes = bytes.subspan(count);
    do {
      stream.next_out = in_bytes(block.data());
      stream.avail_out = static_cast<uInt>(block.size());
      ::deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
      take_(std::span(block).first(block.size() - stream.avail_out));
    } while (stream.avail_out == 0);
  } while (!bytes.empty());
}

}  // namespace weft::detail
