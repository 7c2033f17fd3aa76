// SPDX-License-Identifier: Apache-2.0
// libjpeg. It ends by longjmp what goes wrong, so what it is called from owns nothing.
#include <weft/io/jpeg.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <jpeglib.h>

#include <weft/graph/value/error.h>
#include <weft/io/exif.h>
#include <weft/io/file_error.h>
#include <weft/io/file_format.h>
#include <weft/io/members.h>
#include <weft/io/picture.h>

namespace weft {
namespace detail {
namespace {

// A block of 64 pixels may take a small part of a bit where pictures come in several scans.
constexpr std::uint64_t most_ratio = 4096;
constexpr std::uint64_t always_allowed = std::uint64_t{64} << 20;
constexpr int most_scans = 500;  // each goes over the whole picture, whatever its length

/// The manager that libjpeg tells what goes wrong.
struct Complaints : jpeg_error_mgr {
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX] = "";
  StopQuestion should_stop{};
  bool is_stopped = false;
};

void complain(j_common_ptr jpeg) {
  auto& complaints = *static_cast<Complaints*>(jpeg->err);
  complaints.format_message(jpeg, complaints.text);
  std::longjmp(complaints.back, 1);
}

/// A warning is of bytes that are damaged or missing: what is made of them is no picture of
/// anybody's.
void warn(j_common_ptr jpeg, int level) {
  if (level < 0) complain(jpeg);
}

void set_complaints(Complaints& complaints) {
  jpeg_std_error(&complaints);
  complaints.error_exit = complain;
  complaints.emit_message = warn;
}

/// A picture that is read.
class JpegReader {
 public:
  JpegReader(const FileBytes& file, const LoadOptions& options) : file_(&file) {
    set_complaints(complaints_);
    complaints_.should_stop = options.should_stop;
    jpeg_.err = &complaints_;
    progress_.progress_monitor = check_scans;
    if (!try_header()) refuse();
  }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;
  ~JpegReader() { jpeg_destroy_decompress(&jpeg_); }

  Picture picture() const { return {jpeg_.image_height, jpeg_.image_width, channels(), u8}; }
  int orientation() const {
    for (const jpeg_saved_marker_ptr* at = &jpeg_.marker_list; *at; at = &(*at)->next)
      if (const int found = exif_orientation(
              {reinterpret_cast<const std::byte*>((*at)->data), (*at)->data_length});
          found != 1)
        return found;
    return 1;
  }

  void read_rows(std::byte* pixels) {
    if (!try_rows(reinterpret_cast<JSAMPROW>(pixels), picture().row_bytes())) refuse();
  }

 private:
  [[noreturn]] void refuse() {
    const std::string why = complaints_.text;
    const bool is_stopped = complaints_.is_stopped;
    jpeg_destroy_decompress(&jpeg_);  // also where there is nobody to destroy this
    if (is_stopped) throw_stopped();
    file_->refuse(why);
  }

  int channels() const { return jpeg_.num_components == 1 ? 1 : jpeg_.num_components == 4 ? 4 : 3; }

  static void check_scans(j_common_ptr jpeg) {
    auto& reading = *reinterpret_cast<j_decompress_ptr>(jpeg);
    auto& complaints = *static_cast<Complaints*>(jpeg->err);
    complaints.is_stopped = complaints.should_stop && (*complaints.should_stop)();
    if (complaints.is_stopped) std::longjmp(complaints.back, 1);
    if (reading.input_scan_number <= most_scans) return;
    std::snprintf(complaints.text, sizeof complaints.text, "it has more than %d scans", most_scans);
    std::longjmp(complaints.back, 1);
  }

  bool try_header() {
    if (setjmp(complaints_.back)) return false;
    jpeg_create_decompress(&jpeg_);
    jpeg_.progress = &progress_;
    jpeg_.mem->max_memory_to_use = static_cast<long>(always_allowed + most_ratio * file_->size());
    jpeg_mem_src(&jpeg_, reinterpret_cast<const unsigned char*>(file_->all().data()),
                 static_cast<unsigned long>(file_->size()));
    jpeg_save_markers(&jpeg_, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&jpeg_, TRUE);
    if (channels() == 1) jpeg_.out_color_space = JCS_GRAYSCALE;
    else jpeg_.out_color_space = channels() == 4 ? JCS_CMYK : JCS_RGB;
    return true;
  }
  bool try_rows(JSAMPROW pixels, std::size_t row_bytes) {
    if (setjmp(complaints_.back)) return false;
    jpeg_start_decompress(&jpeg_);
    while (jpeg_.output_scanline < jpeg_.output_height) {
      JSAMPROW row = pixels + jpeg_.output_scanline * row_bytes;
      jpeg_read_scanlines(&jpeg_, &row, 1);
    }
    jpeg_finish_decompress(&jpeg_);
    return true;
  }

  const FileBytes* file_;
  Complaints complaints_{};
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct jpeg_{};
};

/// A picture that is written, to memory that is libjpeg's.
class JpegWriter {
 public:
  JpegWriter() {
    set_complaints(complaints_);
    jpeg_.err = &complaints_;
  }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;
  ~JpegWriter() {
    jpeg_destroy_compress(&jpeg_);
    std::free(out_);
  }

  std::span<const std::byte> write(const std::byte* pixels, const Picture& picture, int quality) {
    if (!try_write(reinterpret_cast<const JSAMPLE*>(pixels), picture, quality))
      throw ShapeError(fmt::format("save: jpeg: {}", complaints_.text));
    return {reinterpret_cast<const std::byte*>(out_), bytes_};
  }

 private:
  bool try_write(const JSAMPLE* pixels, const Picture& picture, int quality) {
    if (setjmp(complaints_.back)) return false;
    jpeg_create_compress(&jpeg_);
    jpeg_mem_dest(&jpeg_, &out_, &bytes_);
    jpeg_.image_width =
        static_cast<JDIMENSION>(std::min<std::int64_t>(picture.width, JPEG_MAX_DIMENSION + 1));
    jpeg_.image_height =
        static_cast<JDIMENSION>(std::min<std::int64_t>(picture.height, JPEG_MAX_DIMENSION + 1));
    jpeg_.input_components = static_cast<int>(picture.channels);
    jpeg_.in_color_space = picture.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&jpeg_);
    jpeg_set_quality(&jpeg_, quality, TRUE);
    jpeg_start_compress(&jpeg_, TRUE);
    while (jpeg_.next_scanline < jpeg_.image_height) {
      JSAMPROW row = const_cast<JSAMPROW>(pixels) + jpeg_.next_scanline * picture.row_bytes();
      jpeg_write_scanlines(&jpeg_, &row, 1);
    }
    jpeg_finish_compress(&jpeg_);
    return true;
  }

  Complaints complaints_{};
  jpeg_compress_struct jpeg_{};
  unsigned char* out_ = nullptr;
  unsigned long bytes_ = 0;
};

bool begins(std::span<const std::byte> bytes) { return begin_with(bytes, "\xff\xd8\xff"); }

Tensor load(const FileBytes& file, const LoadOptions& options) {
  refuse_member(file, options);
  JpegReader reader(file, options);
  const Picture picture = reader.picture();
  const std::shared_ptr<std::byte> pixels = memory_for(file, picture, most_ratio);
  const int orientation = reader.orientation();  // goes when the last row is read
  reader.read_rows(pixels.get());
  const Tensor x =
      make_tensor<Stored>(u8, Shape{picture.height, picture.width, picture.channels}, pixels);
  return options.apply_orientation ? turned_upright(x, orientation) : x;
}

FileInfo info(const FileBytes& file, const LoadOptions& options) {
  const JpegReader reader(file, options);
  const int orientation = reader.orientation();
  return {"jpeg",
          {{"", u8, reader.picture().shape(),
            orientation == 1 ? "" : fmt::format("EXIF orientation {}", orientation)}}};
}

void save(const Tensor& x, Output& to, const SaveOptions& options) {
  const Picture picture = picture_of("jpeg", x, false, 3);
  if (options.quality < 1 || options.quality > 100)
    throw ParameterError("bad_quality",
                         fmt::format("save: quality is {}, expected 1 to 100", options.quality));
  const Tensor value = value_of(x, options.eval);
  JpegWriter writer;
  to.write(writer.write(value.node().value().get(), picture, options.quality));
}

constexpr std::array<std::string_view, 2> extensions{".jpg", ".jpeg"};

}  // namespace

constinit const FileFormat jpeg_format{"jpeg", extensions, begins, load, nullptr, info, save};

}  // namespace detail

Tensor load_jpeg(const std::string& path, const LoadOptions& options) {
  return detail::load_as(detail::jpeg_format, path, options);
}

void save_jpeg(const Tensor& x, const std::string& path, const SaveOptions& options) {
  detail::save_as(detail::jpeg_format, x, path, options);
}

}  // namespace weft
