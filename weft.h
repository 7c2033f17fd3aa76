// SPDX-License-Identifier: Apache-2.0
// All of weft but the Eigen views, which `<weft/eigen.h>` adds.
#pragma once

#include <weft/engine/create.h>
#include <weft/engine/eval.h>
#include <weft/engine/explain.h>
#include <weft/engine/options.h>
#include <weft/engine/print.h>
#include <weft/engine/program.h>
#include <weft/engine/region.h>
#include <weft/graph/plan_cache.h>
#include <weft/graph/tensor.h>
#include <weft/ops.h>
