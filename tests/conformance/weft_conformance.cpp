// weft_conformance FILE...: builds the cases through the public API and compares bytes, or errors.
#include <fmt/format.h>
#include <fstream>
#include <string_view>

#include <weft/weft.h>

#include "case_ops.h"
#include "fill.h"
#include "support/reference.h"

namespace weft::conformance {
namespace {

using Json = nlohmann::json;

enum class Mode { fused, naive, stored };

struct Options {
  Mode mode = Mode::fused;
  bool skip_unknown_ops = false;
  std::vector<std::string> files;
};

Shape shape_of(const Json& list) {
  Shape shape;
  for (const Json& extent : list) shape.push_back(extent.get<std::int64_t>());
  return shape;
}

Tensor input(const Json& record, const std::string& dtype) {
  const std::string fill = record.at("fill");
  return make_input(dtype_named(record.value("dtype", dtype)), shape_of(record.at("shape")),
                    fill == "iota"   ? Fill::iota
                    : fill == "hash" ? Fill::hash
                                     : Fill::bits,
                    record.at(fill == "iota" ? "start" : "seed").get<std::int64_t>());
}

std::vector<std::byte> value_of(const Tensor& tensor, Mode mode) {
  if (mode == Mode::naive) return testing::reference_value(tensor);
  const std::byte* bytes = tensor.eval().node().value().get();
  return {bytes, bytes + tensor.bytes()};
}

/// Empty, or what is wrong.
std::string compare(const Tensor& got, const Json& expected, Mode mode) {
  if (got.dtype().name() != expected.at("dtype").get<std::string>())
    return fmt::format("type {}, expected {}", got.dtype().name(),
                       expected.at("dtype").get<std::string>());
  if (!(got.shape() == shape_of(expected.at("shape"))))
    return fmt::format("shape {}, expected {}", to_string(got.shape()),
                       to_string(shape_of(expected.at("shape"))));
  const std::vector<std::byte> bytes = value_of(got, mode);
  if (expected.contains("hex") && hex(bytes) != expected.at("hex").get<std::string>())
    return fmt::format("bytes {}, expected {}", hex(bytes), expected.at("hex").get<std::string>());
  if (fnv(bytes) != expected.at("fnv").get<std::string>())
    return fmt::format("hash {}, expected {}", fnv(bytes), expected.at("fnv").get<std::string>());
  return {};
}

std::string run_value_case(const Json& record, Mode mode, std::vector<Tensor>& values) {
  for (const Json& op : record.at("ops")) {
    std::vector<Tensor> operands;
    for (const Json& k : op.at("in")) operands.push_back(values.at(k.get<std::size_t>()));
    values.push_back(build_op(op, operands));
    if (mode == Mode::stored) values.back().eval();
  }
  const Json& expected = record.at("expect");
  const Json outputs = record.value("outputs", Json::array({values.size() - 1}));
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const std::string wrong =
        compare(values.at(outputs.at(k).get<std::size_t>()), expected.at(k), mode);
    if (!wrong.empty()) return fmt::format("output {}: {}", k, wrong);
  }
  return {};
}

std::string run_error_case(const Json& record, std::vector<Tensor>& values) {
  const std::size_t fails_at = record.at("fails_at").get<std::size_t>();
  const std::string category = record.at("error");
  for (std::size_t k = 0; k <= fails_at; ++k) {
    const Json& op = record.at("ops").at(k);
    std::vector<Tensor> operands;
    for (const Json& operand : op.at("in"))
      operands.push_back(values.at(operand.get<std::size_t>()));
    try {
      values.push_back(build_op(op, operands));
    } catch (const Error& error) {
      if (k < fails_at) return fmt::format("op {} was refused: {}", k, error.what());
      if (error.category() != category)
        return fmt::format("category {}, expected {}: {}", error.category(), category,
                           error.what());
      // Names differ from weft's in two places.
      const std::string name = op.at("op") == "broadcast"   ? "broadcast_to"
                               : op.at("op") == "unsqueeze" ? "expand_dims"
                                                            : op.at("op").get<std::string>();
      if (std::string_view(error.what()).substr(0, name.size() + 2) != name + ": ")
        return fmt::format("the message does not name the op: {}", error.what());
      return {};
    }
  }
  return fmt::format("was accepted, expected {}", category);
}

std::string run_case(const Json& record, Mode mode) {
  try {
    std::vector<Tensor> values;
    for (const Json& one : record.at("inputs"))
      values.push_back(input(one, record.at("dtype").get<std::string>()));
    return record.contains("error") ? run_error_case(record, values)
                                    : run_value_case(record, mode, values);
  } catch (const std::exception& error) {
    return fmt::format("threw: {}", error.what());
  }
}

struct Counts {
  std::size_t passed = 0, failed = 0, skipped = 0;
};

/// The name of the first op that does not exist here, or empty.
std::string unknown_op(const Json& record) {
  for (const Json& op : record.at("ops"))
    if (!is_known_op(op.at("op").get<std::string>())) return op.at("op").get<std::string>();
  return {};
}

void run_line(const std::string& line, const Options& options, Counts& counts) {
  const Json record = Json::parse(line);
  const std::string unknown = unknown_op(record);
  if (!unknown.empty() && options.skip_unknown_ops) {
    ++counts.skipped;
    return;
  }
  const std::string wrong =
      unknown.empty() ? run_case(record, options.mode) : fmt::format("no op {}", unknown);
  if (wrong.empty()) {
    ++counts.passed;
  } else {
    ++counts.failed;
    fmt::print("{}: {}\n", record.at("id").get<std::string>(), wrong);
  }
}

bool run_file(const std::string& path, const Options& options, Counts& counts) {
  std::ifstream file(path);
  if (!file) {
    fmt::print(stderr, "weft_conformance: cannot read {}\n", path);
    return false;
  }
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty()) continue;
    try {
      run_line(line, options, counts);
    } catch (const nlohmann::json::exception& error) {
      ++counts.failed;
      fmt::print("{}:{}: {}\n", path, number, error.what());
    }
  }
  return true;
}

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--naive") options.mode = Mode::naive;
    else if (argument == "--stored") options.mode = Mode::stored;
    else if (argument == "--skip-unknown-ops") options.skip_unknown_ops = true;
    else if (argument.starts_with("--")) options.files.clear(), i = argc;
    else options.files.emplace_back(argument);
  }
  if (options.files.empty()) {
    fmt::print(stderr,
               "usage: weft_conformance [--naive | --stored] [--skip-unknown-ops] FILE...\n");
    return 2;
  }
  Counts counts;
  bool readable = true;
  for (const std::string& file : options.files)
    readable = run_file(file, options, counts) && readable;
  fmt::print("{} passed, {} failed, {} skipped\n", counts.passed, counts.failed, counts.skipped);
  return readable && counts.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace weft::conformance

int main(int argc, char** argv) { return weft::conformance::main(argc, argv); }
