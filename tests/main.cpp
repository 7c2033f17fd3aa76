// SPDX-License-Identifier: Apache-2.0
// The main function of weft_tests, and doctest's one implementation.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
