// SPDX-License-Identifier: Apache-2.0
// What is measured: a workload, as users would write it, and the other ways to do it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <weft/weft.h>

namespace weft::bench {

using Inputs = std::vector<Tensor>;

/// How a workload is evaluated each time.
enum class Manner {
  into,       ///< built anew, into a buffer that is used again
  returned,   ///< built anew, to a tensor, which may be an alias
  planned,    ///< built once, into the buffer again and again
  handed_on,  ///< built of its own last result, which it gives up
};

struct Workload {
  std::string id;  ///< "W1", "W2.u8"; "H1/0213" is one of the group H1
  std::string what;
  std::function<Inputs()> inputs;
  std::function<Tensor(Inputs&)> build;
  Manner manner = Manner::into;
  /// What its time is divided by: a two-thread copy of the output, or this over the same inputs.
  std::function<std::function<void()>(const Inputs&)> baseline = nullptr;
  /// What is timed instead of evaluating what build() says, which it must equal: sets up what may
  /// be set up once; what it returns fills `out`, or replaces the first input where that is handed
  /// on.
  std::function<std::function<void()>(Inputs&, std::byte* out)> ours = nullptr;

  /// A group is told as the geometric mean of its members.
  std::string group() const { return id.substr(0, id.find('/')); }
};

/// Another way to do a workload.
struct Rival {
  std::string workload, name;
  /// Sets up what may be set up once; what it returns fills `out` with the result.
  std::function<std::function<void()>(const Inputs&, std::byte* out)> prepare;
};

/// Name and version of a library that rivals use.
using Version = std::pair<std::string, std::string>;

/// One list of several.
template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& lists) {
  std::vector<T> all;
  for (const std::vector<T>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// All that the build found.
const std::vector<Workload>& workloads();
const std::vector<Rival>& rivals();
std::vector<Version> rival_versions();

/// Throws std::invalid_argument where there is none.
const Workload& workload(const std::string& id);

}  // namespace weft::bench
