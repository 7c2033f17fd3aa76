// SPDX-License-Identifier: Apache-2.0
// Events, kept until somebody asks for them.
#include <weft/engine/run/trace.h>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace weft {
namespace {

constexpr std::size_t most_events = 1'000'000;

/// A text in JSON; names are weft's own, or those of ops.
std::string quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + '"';
}

}  // namespace

std::int64_t Trace::now() const noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                              start_)
      .count();
}

Trace::Thread& Trace::thread() {
  const auto number = static_cast<std::uint32_t>(threads_.size() + 1);
  return threads_.try_emplace(std::this_thread::get_id(), Thread{number, 0}).first->second;
}

std::int64_t Trace::begin() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    Thread& own = thread();
    return own.last = std::max(own.last, now());
  } catch (...) {  // no memory, no event
    return -1;
  }
}

void Trace::end(const char* category, std::string_view name, std::int64_t begin) noexcept {
  if (begin < 0) return;
  try {
    const std::lock_guard lock(mutex_);
    Thread& own = thread();
    own.last = std::max({own.last, begin + 1, now()});
    if (events_.size() < most_events)
      events_.push_back({std::string(name), category, begin, own.last, own.number});
  } catch (...) {  // no memory, no event
  }
}

std::size_t Trace::size() const {
  const std::lock_guard lock(mutex_);
  return events_.size();
}

std::string Trace::json() const {
  const std::lock_guard lock(mutex_);
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  for (std::size_t k = 0; k < events_.size(); ++k) {
    const Event& event = events_[k];
    fmt::format_to(std::back_inserter(text),
                   "{}\n  {{\"name\": {}, \"cat\": \"{}\", \"ph\": \"X\", \"pid\": 1, \"tid\": {}, "
                   "\"ts\": {}.{:03}, \"dur\": {}.{:03}}}",
                   k == 0 ? "" : ",", quoted(event.name), event.category, event.thread,
                   event.begin / 1000, event.begin % 1000, (event.end - event.begin) / 1000,
                   (event.end - event.begin) % 1000);
  }
  return text + "\n]}\n";
}

}  // namespace weft
