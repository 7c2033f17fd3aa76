// SPDX-License-Identifier: Apache-2.0
#include <weft/cli/command.h>

int main(int argc, char** argv) { return weft::run_command(argc, argv); }
