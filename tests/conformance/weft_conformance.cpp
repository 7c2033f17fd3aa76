// SPDX-License-Identifier: Apache-2.0
// weft_conformance FILE...: builds the cases through the public API and compares bytes, or errors.
#include <fmt/format.h>
#include <fstream>
#include <string_view>

#include <weft/weft.h>

#include "case_ops.h"
#include "fill.h"
#include "parameter_tensor.h"
#include <weft/testing/reference.h>

namespace weft::conformance {
namespace {

using Json = nlohmann::json;

enum class Mode { fused, naive, stored };
/// How parameters are given: as literals, as tensors, as tensors that are computed when they are
/// asked for, or as inputs of a program, which all inputs of the case are then. Operands that a
/// record spells out are tensors even beside literals.
enum class Given { literals, tensors, lazy_tensors, inputs };

struct Options {
  Mode mode = Mode::fused;
  std::vector<Given> given = {Given::literals};
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

/// Builds the ops of a case and says what came of it.
class Run {
 public:
  Run(const Json& record, Mode mode, Given given) : record_(record), mode_(mode), given_(given) {}

  std::string run() {
    try {
      for (const Json& one : record_.at("inputs"))
        values_.push_back(given(input(one, record_.at("dtype").get<std::string>())));
      return record_.contains("error") ? run_error_case() : run_value_case();
    } catch (const std::exception& error) {
      return fmt::format("threw: {}", error.what());
    }
  }

 private:
  Tensor given(const Tensor& tensor) {
    if (given_ != Given::inputs) return tensor;
    // Every third of any rank, the others of any extents.
    const PartialShape shape =
        inputs_.size() % 3 == 2 ? PartialShape::any() : PartialShape::of_rank(tensor.rank());
    inputs_.push_back(tensor);
    placeholders_.push_back(placeholder(tensor.dtype(), shape));
    return placeholders_.back();
  }

  Tensor spelled_out(const Tensor& tensor) {
    return given(given_ == Given::lazy_tensors ? lazily(tensor) : tensor);
  }

  Ints parameter(const Ints& literal) {
    if (literal.is_none() || given_ == Given::literals) return literal;
    return spelled_out(parameter_tensor(literal));
  }

  /// That of the input that a placeholder stands for, or of the tensor itself.
  Shape known_shape(const Tensor& tensor) const {
    for (std::size_t k = 0; k < placeholders_.size(); ++k)
      if (&placeholders_[k].node() == &tensor.node()) return inputs_[k].shape();
    return tensor.shape();
  }

  void build(const Json& op) {
    std::vector<Tensor> operands;
    for (const Json& k : op.at("in")) operands.push_back(values_.at(k.get<std::size_t>()));
    const Forms forms{[this](const Ints& literal) { return parameter(literal); },
                      [this](const Tensor& tensor) { return spelled_out(tensor); },
                      [this](const Tensor& tensor) { return known_shape(tensor); }};
    values_.push_back(build_op(op, operands, forms));
    if (mode_ == Mode::stored && given_ != Given::inputs) values_.back().eval();
  }

  /// The values of those numbers; of a program, those of a run.
  std::vector<Tensor> results(const std::vector<std::size_t>& numbers) const {
    std::vector<Tensor> chosen;
    for (const std::size_t number : numbers) chosen.push_back(values_.at(number));
    if (given_ != Given::inputs) return chosen;
    return Program(placeholders_, chosen).run(inputs_);
  }

  std::string run_value_case() {
    for (const Json& op : record_.at("ops")) build(op);
    const Json& expected = record_.at("expect");
    std::vector<std::size_t> numbers;
    for (const Json& number : record_.value("outputs", Json::array({values_.size() - 1})))
      numbers.push_back(number.get<std::size_t>());
    const std::vector<Tensor> got = results(numbers);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const std::string wrong = compare(got.at(k), expected.at(k), mode_);
      if (!wrong.empty()) return fmt::format("output {}: {}", k, wrong);
    }
    return {};
  }

  std::string run_error_case() {
    const std::size_t fails_at = record_.at("fails_at").get<std::size_t>();
    const std::string category = record_.at("error");
    for (std::size_t k = 0; k < fails_at; ++k) build(record_.at("ops").at(k));
    const Json& op = record_.at("ops").at(fails_at);
    try {
      build(op);
      // What tensors hold may be looked at only when the value is asked for.
      if (given_ != Given::literals) results({values_.size() - 1}).front().eval();
    } catch (const Error& error) {
      if (error.category() != category)
        return fmt::format("category {}, expected {}: {}", error.category(), category,
                           error.what());
      const std::string name = op_name(op.at("op"));
      std::string_view message = error.what();
      // A program says first which of its calls it was: "%2 roll: ...".
      if (message.starts_with('%')) message.remove_prefix(message.find(' ') + 1);
      if (message.substr(0, name.size() + 2) != name + ": ")
        return fmt::format("the message does not name the op: {}", error.what());
      return {};
    }
    return fmt::format("was accepted, expected {}", category);
  }

  const Json& record_;
  const Mode mode_;
  const Given given_;
  std::vector<Tensor> values_;
  std::vector<Tensor> placeholders_, inputs_;  // of a program
};

std::string run_case(const Json& record, const Options& options) {
  for (const Given given : options.given)
    if (const std::string wrong = Run(record, options.mode, given).run(); !wrong.empty())
      return wrong;
  return {};
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
      unknown.empty() ? run_case(record, options) : fmt::format("no op {}", unknown);
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
    else if (argument == "--tensor-parameters")
      options.given = {Given::tensors, Given::lazy_tensors};
    else if (argument == "--programs") options.given = {Given::inputs};
    else if (argument == "--skip-unknown-ops") options.skip_unknown_ops = true;
    else if (argument.starts_with("--")) options.files.clear(), i = argc;
    else options.files.emplace_back(argument);
  }
  if (options.files.empty()) {
    fmt::print(stderr,
               "usage: weft_conformance [--naive | --stored] [--tensor-parameters | --programs] "
               "[--skip-unknown-ops] FILE...\n");
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
