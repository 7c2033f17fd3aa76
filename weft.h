// SPDX-License-Identifier: Apache-2.0
// All of weft but the Eigen views, which `<weft/eigen.h>` adds.
#pragma once

#include <weft/engine/memory/create.h>
#include <weft/engine/program/program.h>
#include <weft/engine/run/eval.h>
#include <weft/engine/run/options.h>
#include <weft/engine/run/plan_cache.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/view/explain.h>
#include <weft/engine/view/print.h>
#include <weft/engine/view/region.h>
#include <weft/graph/tensor.h>
#include <weft/ops.h>
