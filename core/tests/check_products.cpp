// Products of polynomials with long coefficients, held to those made term by term.
#include <algorithm>

#include "base/bignat.hpp"
#include "classes.hpp"
#include "passes.hpp"
#include "passes/long_product.hpp"

namespace sapper::tests {

namespace {

using Bytes = Vector<std::uint8_t>;

BigNat number_at(const std::uint8_t* bytes, std::size_t size) {
  BigNat number;
  for (std::size_t i = size; i-- > 0;) {
    number.scale(256);
    number += BigNat(bytes[i]);
  }
  return number;
}

// Some coefficients are zero, some as long as can be, some shorter than there is room for.
Bytes coefficients(std::size_t length, std::size_t size, Random& random) {
  Bytes bytes(length * size, 0);
  const std::uint64_t kinds = random.below(3) == 0 ? 1 : 4;
  const std::size_t room = random.below(4) == 0 ? random.below(size) : 0;
  for (std::size_t i = 0; i < length; ++i) {
    const std::uint64_t kind = random.below(kinds);
    for (std::size_t j = 0; j + room < size; ++j)
      bytes[i * size + j] = kind == 0 ? 255 : kind == 1 ? 0 : std::uint8_t(random());
  }
  return bytes;
}

}  // namespace

void check_long_products(Random& random, Faults& faults) {
  const bool narrow = random.below(2) == 0;
  const auto below = [&](std::uint64_t bits) {
    return std::size_t(1 + random.below(std::uint64_t(1) << random.below(bits)));
  };
  const std::size_t a_length = below(narrow ? 8 : 5), b_length = below(narrow ? 7 : 5);
  const std::size_t a_size = below(narrow ? 4 : 9), b_size = below(narrow ? 4 : 8);
  const Bytes a = coefficients(a_length, a_size, random), b = coefficients(b_length, b_size, random);
  const LongProduct product({a, a_size}, {b, b_size});
  if (product.length() != a_length + b_length - 1) throw Wrong("the length of a product");
  if (product.size() > a_size + b_size + 1) throw Wrong("a product has room for more than it can be");
  Crew crew(unsigned(1 + random.below(3)));
  const Bytes found = faults.insist([&](Guard& guard) {
    Bytes bytes(product.length() * product.size(), 1);
    product.write(bytes.data(), crew, guard, kSpreadAll);
    return bytes;
  });
  Vector<BigNat> sums(product.length());
  Vector<BigNat> others;
  for (std::size_t j = 0; j < b_length; ++j) others.push_back(number_at(b.data() + j * b_size, b_size));
  for (std::size_t i = 0; i < a_length; ++i) {
    const BigNat one = number_at(a.data() + i * a_size, a_size);
    for (std::size_t j = 0; j < b_length; ++j) sums[i + j] += one * others[j];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const BigNat number = number_at(found.data() + i * product.size(), product.size());
    if (number < sums[i] || sums[i] < number) throw Wrong("a coefficient of a long product");
  }
}

}  // namespace sapper::tests
