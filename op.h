// SPDX-License-Identifier: Apache-2.0
// What an op of your own is made of (docs/adding-an-op.md): nodes, boxes and their primitives, and
// the op as data, for programs.
#pragma once

#include <weft/graph/define.h>
#include <weft/graph/indexed.h>
#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/graph/structural_key.h>
#include <weft/graph/tensor.h>
#include <weft/graph/value/error.h>
