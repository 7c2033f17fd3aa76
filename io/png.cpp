// SPDX-License-Identifier: Apache-2.0
// libpng. It ends by longjmp what goes wrong, so what it is called from owns nothing.
#include <weft/io/png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <fmt/format.h>
#include <png.h>

#include <weft/graph/value/error.h>
#include <weft/io/file_error.h>
#include <weft/io/file_format.h>
#include <weft/io/members.h>
#include <weft/io/picture.h>

namespace weft {
namespace detail {
namespace {

constexpr std::uint64_t most_ratio = 8 * 1032;  // of deflate, and bits that become bytes

/// What libpng's functions are told, and what they tell.
struct Conversation {
  std::span<const std::byte> left{};  // to read
  std::vector<std::byte>* out{};      // to write to
  StopQuestion should_stop{};
  bool is_stopped = false;
  std::array<char, 100> complaint{};
};

Conversation& of(png_structp png) { return *static_cast<Conversation*>(png_get_io_ptr(png)); }

void complain(png_structp png, png_const_charp what) {
  auto& conversation = *static_cast<Conversation*>(png_get_error_ptr(png));
  std::strncpy(conversation.complaint.data(), what, conversation.complaint.size() - 1);
  std::longjmp(png_jmpbuf(png), 1);
}

void ignore(png_structp, png_const_charp) {}

void read_some(png_structp png, png_bytep to, std::size_t count) {
  Conversation& conversation = of(png);
  conversation.is_stopped = conversation.should_stop && (*conversation.should_stop)();
  if (conversation.is_stopped) png_error(png, "stopped");
  if (count > conversation.left.size()) png_error(png, "it is cut short");
  std::memcpy(to, conversation.left.data(), count);
  conversation.left = conversation.left.subspan(count);
}

void write_some(png_structp png, png_bytep from, std::size_t count) {
  bool is_out_of_memory = false;
  try {
    const auto* const bytes = reinterpret_cast<const std::byte*>(from);
    of(png).out->insert(of(png).out->end(), bytes, bytes + count);
  } catch (const std::bad_alloc&) {
    is_out_of_memory = true;
  }
  if (is_out_of_memory) png_error(png, "there is no memory for the file");
}

void flush(png_structp) {}

/// A picture that is read.
class PngReader {
 public:
  PngReader(const FileBytes& file, const LoadOptions& options) : file_(&file) {
    told_.left = file.all();
    told_.should_stop = options.should_stop;
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &told_, complain, ignore);
    if (png_) info_ = png_create_info_struct(png_);
    if (!info_) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw MemoryError("libpng: there is no memory to read a picture");
    }
    png_set_read_fn(png_, &told_, read_some);
    // What is no pixel is passed over: a text of some bytes may be megabytes when it is inflated.
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }

  Picture read_header() {
    if (!try_header()) refuse();
    Picture picture{png_get_image_height(png_, info_), png_get_image_width(png_, info_),
                    png_get_channels(png_, info_), u8};
    if (png_get_bit_depth(png_, info_) == 16) picture.dtype = u16;
    return picture;
  }

  void read_rows(std::byte* pixels, const Picture& picture) {
    std::vector<png_bytep> rows;
    for (std::int64_t row = 0; row < picture.height; ++row)
      rows.push_back(reinterpret_cast<png_bytep>(pixels) +
                     static_cast<std::size_t>(row) * picture.row_bytes());
    if (!try_rows(rows.data())) refuse();
  }

 private:
  [[noreturn]] void refuse() const {
    if (told_.is_stopped) throw_stopped();
    file_->refuse(told_.complaint.data());
  }

  bool try_header() {
    if (setjmp(png_jmpbuf(png_))) return false;
    png_read_info(png_, info_);
    png_set_expand(png_);
    png_set_swap(png_);  // 16 bits are big-endian
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return true;
  }
  bool try_rows(png_bytepp rows) {
    if (setjmp(png_jmpbuf(png_))) return false;
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

  const FileBytes* file_;
  Conversation told_{};
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

/// The reading half's twin.
class PngWriter {
 public:
  explicit PngWriter(std::vector<std::byte>& out) {
    told_.out = &out;
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &told_, complain, ignore);
    if (png_) info_ = png_create_info_struct(png_);
    if (!info_) {
      png_destroy_write_struct(&png_, nullptr);
      throw MemoryError("libpng: there is no memory to write a picture");
    }
    png_set_write_fn(png_, &told_, write_some, flush);
  }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }

  void write(const std::byte* pixels, const Picture& picture) {
    if (!try_write(reinterpret_cast<png_const_bytep>(pixels), picture))
      throw ShapeError(fmt::format("save: png: {}", told_.complaint.data()));
  }

 private:
  bool try_write(png_const_bytep pixels, const Picture& picture) {
    constexpr int colours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                               PNG_COLOR_TYPE_RGB_ALPHA};
    if (setjmp(png_jmpbuf(png_))) return false;
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(picture.width),
                 static_cast<png_uint_32>(picture.height), picture.dtype == u16 ? 16 : 8,
                 colours[picture.channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png_, info_);
    png_set_swap(png_);
    for (std::int64_t row = 0; row < picture.height; ++row)
      png_write_row(png_, pixels + static_cast<std::size_t>(row) * picture.row_bytes());
    png_write_end(png_, info_);
    return true;
  }

  Conversation told_{};
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

bool begins(std::span<const std::byte> bytes) { return begin_with(bytes, "\x89PNG\r\n\x1a\n"); }

Tensor load(const FileBytes& file, const LoadOptions& options) {
  refuse_member(file, options);
  PngReader reader(file, options);
  const Picture picture = reader.read_header();
  const std::shared_ptr<std::byte> pixels = memory_for(file, picture, most_ratio);
  reader.read_rows(pixels.get(), picture);
  return make_tensor<Stored>(picture.dtype, Shape{picture.height, picture.width, picture.channels},
                             pixels);
}

FileInfo info(const FileBytes& file, const LoadOptions& options) {
  const Picture picture = PngReader(file, options).read_header();
  return {"png", {{"", picture.dtype, picture.shape(), ""}}};
}

void save(const Tensor& x, Output& to, const SaveOptions& options) {
  const Picture picture = picture_of("png", x, true, 4);
  const Tensor value = value_of(x, options.eval);
  std::vector<std::byte> bytes;
  PngWriter(bytes).write(value.node().value().get(), picture);
  to.write(bytes);
}

constexpr std::array<std::string_view, 1> extensions{".png"};

}  // namespace

constinit const FileFormat png_format{"png", extensions, begins, load, nullptr, info, save};

}  // namespace detail

Tensor load_png(const std::string& path, const LoadOptions& options) {
  return detail::load_as(detail::png_format, path, options);
}

void save_png(const Tensor& x, const std::string& path, const SaveOptions& options) {
  detail::save_as(detail::png_format, x, path, options);
}

}  // namespace weft
