// Products of polynomials with Wide coefficients, nearly as quick as with doubles.
#pragma once

#include <cstdint>
#include <span>

#include "base/crew.hpp"
#include "passes/algebra.hpp"

namespace sapper {

// x * 2^bits
Wide wide_of(double x, std::int64_t bits);

// out[i + j + shift] += x[i] * y[j], wherever there is such a place. Each polynomial is cut where
// the size of its coefficients has changed by more than some hundred bits; within a block doubles
// with one common exponent are enough, and no digit is lost. A crew, if there is one, shares the places.
void add_product(std::span<const Wide> x, std::span<const Wide> y, std::int64_t shift,
                 std::span<Wide> out, Guard& guard, Crew* crew = nullptr);

}  // namespace sapper
