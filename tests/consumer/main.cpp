// Uses weft as another project would: through its public headers only.
#include <weft/eigen.h>

int main() {
  const weft::Tensor x = weft::array({1, 2, 3}).roll({1}, {0});
  return x.as<int, 1>()(0) == 3 ? 0 : 1;
}
