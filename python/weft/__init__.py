# SPDX-License-Identifier: Apache-2.0
from ._tensor import Tensor
