// SPDX-License-Identifier: Apache-2.0
// Staging: what is slow to read is put in order once.
#pragma once

#include <weft/graph/plan/plan.h>

namespace weft {

/// Parts a copy in two: what is returned reads each of its elements once and writes them side by
/// side from `offset` on, in the order in which the copy writes them; the copy then reads them
/// there, as `source`.
Copy gather_first(Copy& copy, std::size_t source, std::int64_t offset);
/// As gather_first, from 0 on, but in the order of the source.
Copy gather_in_order(Copy& copy, std::size_t source);

/// Whether elements that are read often do not lie in the order in which they are, and what reads
/// them block by block would put the same ones in order again and again: large ones, and others
/// that do not repeat as a whole, which is put in order once.
bool is_turned_often(const Copy& copy, std::int64_t element);

/// How many elements a copy writes one behind another.
std::int64_t stretch_of(const Copy& copy);

/// Whether rows become columns of which every second element is read, or one of some.
bool turns_steps(const Copy& copy, std::int64_t element);

/// Gives copies that repeat elements from places far apart (a tile of a transpose), or turn rows of
/// which they read one element of some (a transpose of every second), a pass of their own that
/// reads each once, if going on from there costs less; and several that put few elements side by
/// side, all of which lie in runs in another order, one that puts them in that, unless they are
/// halves of rows that are turned as one.
void stage_copies(Plan& plan);

}  // namespace weft
