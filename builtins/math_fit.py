#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the polynomials of the math_* files: minimax fits by Remez's exchange algorithm.

Needs mpmath. Each line names the helper that has the coefficients, then the bits of the weighted
error and the coefficients from the constant up, rounded to float or double. Tables are printed
whole.
"""

from fractions import Fraction

from mpmath import mp, mpf, matrix, lu_solve, qr_solve, pi, log, sqrt, exp, expm1, log1p, atanh
from mpmath import sin, cos, tan, asin, atan, sinh, cosh, erf, erfc, loggamma

mp.prec = 250
LN2, LN10 = log(mpf(2)), log(mpf(10))


def value(coefficients, x):
    result = mpf(0)
    for c in reversed(coefficients):
        result = result * x + c
    return result


def fit(f, low, high, terms, weight, turns=6):
    """The polynomial of `terms` coefficients that minimizes |weight (p - f)| on [low, high]."""
    low, high, count = mpf(low), mpf(high), terms + 1
    steps = 24 * count

    def node(k, n):
        return (low + high) / 2 - (high - low) / 2 * cos(pi * k / mpf(n))

    grid = [node(k, steps) for k in range(steps + 1)]
    values, weights = [f(x) for x in grid], [weight(x) for x in grid]
    picked = [24 * k * count // (count - 1) for k in range(count)]
    for _ in range(turns):
        a, b = matrix(count, count), matrix(count, 1)
        for row, k in enumerate(picked):
            for column in range(terms):
                a[row, column] = grid[k] ** column
            a[row, terms] = (-1) ** row / weights[k]
            b[row] = values[k]
        coefficients = list(lu_solve(a, b))[:terms]
        errors = [(value(coefficients, x) - y) * w for x, y, w in zip(grid, values, weights)]
        extremes, best = [], 0
        for k in range(1, len(errors)):
            if (errors[k] > 0) != (errors[best] > 0):
                extremes.append(best)
                best = k
            elif abs(errors[k]) > abs(errors[best]):
                best = k
        extremes.append(best)
        if len(extremes) < count:
            break
        while len(extremes) > count:
            extremes.pop(0 if abs(errors[extremes[0]]) < abs(errors[extremes[-1]]) else -1)
        picked = extremes
    return coefficients, max(abs(e) for e in errors)


def texts(numbers, digits, suffix):
    result = []
    for number in numbers:
        with mp.workprec(digits):
            head, power = float(+number).hex().split("p")
        head = head.rstrip("0").rstrip(".") if "." in head else head
        result.append(f"{head}p{power}{suffix}")
    return ", ".join(result)


def show(name, f, low, high, single, double, weight=lambda x: mpf(1)):
    """Fits with `single` terms for float and `double` terms for double; 0 for neither."""
    for terms, digits, suffix in ((single, 24, "f"), (double, 53, "")):
        if not terms:
            continue
        coefficients, error = fit(f, low, high, terms, weight)
        print(f"{name} (2^{float(log(error, 2)):.1f}): {texts(coefficients, digits, suffix)}")


def near(f, limit):
    """f, with its limit where x is too close to 0 for the formula."""
    return lambda x: limit if abs(x) < mpf(2) ** -50 else f(x)


def odd(f):
    """(f(x) / x - 1) / x^2 in z = x^2."""
    return near(lambda z: (f(sqrt(z)) / sqrt(z) - 1) / z, (f(mpf(2) ** -60) * 2**60 - 1) * 2**120)


def plus(power, bits):
    return lambda x: abs(x) ** power + mpf(2) ** -bits


def show_fraction(name, f, high, above, below, digits, suffix, turns=12):
    """f(z) in [0, high] as a fraction of polynomials with so many coefficients, by least squares whose
    weights come from the errors before; the second's constant is 1."""
    count = 6 * (above + below)
    xs = [high / 2 * (1 + cos(pi * (k + mpf(0.5)) / count)) for k in range(count)]
    ys, divisors, weights, best = [f(x) for x in xs], [mpf(1)] * count, [mpf(1)] * count, None
    for turn in range(turns):
        a, b = matrix(count, above + below), matrix(count, 1)
        for i, (x, y) in enumerate(zip(xs, ys)):
            w = sqrt(weights[i]) / (y * divisors[i])
            for k in range(above):
                a[i, k] = w * x**k
            for k in range(below):
                a[i, above + k] = -w * y * x ** (k + 1)
            b[i] = w * y
        solution = list(qr_solve(a, b)[0])
        top, bottom = solution[:above], [mpf(1)] + solution[above : above + below]
        divisors = [value(bottom, x) for x in xs]
        errors = [abs(value(top, x) / d / y - 1) for x, y, d in zip(xs, ys, divisors)]
        if best is None or max(errors) < best[0]:
            best = max(errors), top, bottom
        if turn > 2:
            weights = [w * (e / max(errors) + mpf("0.02")) for w, e in zip(weights, errors)]
    print(f"{name} (2^{float(log(best[0], 2)):.1f}):")
    print("  above:", texts(best[1], digits, suffix))
    print("  below:", texts(best[2], digits, suffix))
    print("  pi above:", texts([c * pi ** (2 * k + 1) for k, c in enumerate(best[1])], digits, suffix))
    print("  pi below:", texts([c * pi ** (2 * k) for k, c in enumerate(best[2])], digits, suffix))


def fit_pieces(name, f, step, count, terms):
    """The coefficients of f around the multiples of step from 0 on, in the distance."""
    step, pieces, worst = mpf(step), [], mpf(0)
    for j in range(count):
        middle, reach = j * step, step / 2 * mpf("1.001")
        g = lambda t: f(middle + t)
        coefficients, error = fit(g, -reach if j else 0, reach, terms, lambda t: 1 / g(t), 4)
        worst = max(worst, error)
        pieces.append(coefficients)
    print(f"{name} (2^{float(log(worst, 2)):.1f}):")
    return pieces


def show_rows(rows, digits, suffix):
    for row in rows:
        print("  {" + texts(row, digits, suffix) + "},")


def inverse_for(j):
    """A number c for the significands m of the j-th sixteenth of [1, 2), from 1.5 on those of [3/4, 1):
    m c - 1 is small and has no more bits than a number."""
    half = Fraction(1, 2 if j >= 8 else 1)
    low, high = Fraction(16 + j, 16) * half, Fraction(17 + j, 16) * half
    if j in (0, 15):
        return Fraction(1)
    found = []
    for bits in (4, 5, 6):
        limit = Fraction(1, 16 if bits == 4 or (bits == 5 and j < 8) else 32)
        if bits == 6 and j >= 8:
            limit = Fraction(1, 64)
        for n in range(2 ** (bits - 1), 2 ** (bits + 1)):
            c = Fraction(n, 2**bits)
            most = max(abs(low * c - 1), abs(high * c - 1))
            if most <= limit:
                found.append((most, c))
    return min(found)[1]


def show_log_tables():
    inverses = [inverse_for(j) for j in range(16)]
    # The table is indexed with twice the significand.
    print("kInverse:", texts([mpf(c.numerator) / c.denominator / (2 if j >= 8 else 1)
                              for j, c in enumerate(inverses)], 53, ""))
    for digits, suffix, fraction in ((24, "f", 16), (53, "", 42)):
        logs = [(1 if j >= 8 else 0) - log(mpf(c.numerator) / c.denominator, 2)
                for j, c in enumerate(inverses)]
        highs = [mp.floor(x * 2**fraction + mpf(0.5)) / 2**fraction for x in logs]
        print("kLogHigh:", texts(highs, digits, suffix))
        print("kLogLow:", texts([x - y for x, y in zip(logs, highs)], digits, suffix))


r = LN2 / 2 * mpf("1.001")
show("exp_tail", near(lambda x: (expm1(x) - x) / x**2, mpf(0.5)), -r, r, 5, 10, plus(1, 10))
r = mpf("0.5005")
show("exp2_tail", near(lambda x: expm1(x * LN2) / x, LN2), -r, r, 6, 11, plus(1, 8))
r *= LN2 / LN10
show("exp10", near(lambda x: expm1(x * LN10) / x, LN10), -r, r, 6, 11, plus(1, 8))

r = LN2 / 32 * mpf("1.005")
show("exp_quotient", near(lambda x: expm1(x) / x, mpf(1)), -r, r, 3, 6)
r = mpf(1) / 32 * mpf("1.005")
show("exp2_quotient", near(lambda x: expm1(x * LN2) / x, LN2), -r, r, 3, 6)
r *= LN2 / LN10
show("exp10, table", near(lambda x: expm1(x * LN10) / x, LN10), -r, r, 3, 6)
print("kSixteenths:", texts([mpf(2) ** (mpf(j) / 16) for j in range(16)], 53, ""))

f = near(lambda x: (log1p(x) - x + x * x / 2) / x**3, mpf(1) / 3)
low, high = -mpf("0.0371094"), mpf(1) / 16
show("LOG_TAIL", f, low, high, 4, 9, plus(2, 11))
show("log2_parts_alone", f, "-0.2501", "0.2001", 7, 0, plus(2, 11))
s = mpf(1) / 7  # at f = -1/4
show("log2_parts_alone", near(lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z / LN2, 2 / (3 * LN2)), 0, s * s, 0, 7)
show_log_tables()
f = near(lambda x: log1p(x) / x / LN2, 1 / LN2)
for terms in (5, 7):
    show("short_log2, fast_log2", f, -0.25, 0.5, terms, 0, lambda x: 1 / f(x))

c = mpf(float.fromhex("0x1.bcb7b2p-2"))
f = near(lambda x: (log1p(x) / LN10 - c * x) / x**2, -c / 2)
show("log10_rest", lambda x: -c / 2 if abs(x) < mpf(2) ** -12 else f(x), -0.25, 0.5, 9, 0, plus(2, 12))

z = (pi / 4 * mpf("1.01")) ** 2
show("sin_reduced", odd(sin), 0, z, 3, 6, plus(1, 9))
f = near(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, mpf(1) / 24)
show("cos_reduced", f, 0, z, 3, 6, plus(2, 12))
z = (pi / 2 * mpf("1.002")) ** 2
s = near(lambda z: sin(sqrt(z)) / sqrt(z), mpf(1))
show("sin_half", odd(sin), 0, z, 4, 8, lambda z: (z + mpf(2) ** -9) / s(z))
show("short_sin", odd(sin), 0, z, 3, 0, lambda z: (z + mpf(2) ** -9) / s(z))
s = near(lambda z: sin(pi * sqrt(z)) / sqrt(z), pi)
f = near(lambda z: (sin(pi * sqrt(z)) / sqrt(z) - pi) / z, -(pi**3) / 6)
show("sinpi_half", f, 0, "0.2503", 4, 8, lambda z: (z + mpf(2) ** -9) / s(z))
f = near(lambda w: sin(pi * (1 - sqrt(1 - 4 * w)) / 2) / w, pi)
show("sinpi_arch", f, 0, "0.25", 5, 8, lambda w: 1 / f(w))
z = (pi / 4 * mpf("1.005")) ** 2
f = near(lambda z: tan(sqrt(z)) / sqrt(z), mpf(1))
show_fraction("tan_fraction", f, z, 2, 2, 24, "f")
show_fraction("tan_fraction", f, z, 3, 4, 53, "")
z = (LN2 / 2 * mpf("1.001")) ** 2
show("hyperbolic_parts, sinh", odd(sinh), 0, z, 2, 5, plus(1, 9))
f = near(lambda z: (cosh(sqrt(z)) - 1 - z / 2) / z**2, mpf(1) / 24)
show("hyperbolic_parts, cosh", f, 0, z, 2, 4, plus(2, 12))
f = near(lambda x: ((1 + x) ** (mpf(1) / 3) - 1) / x, mpf(1) / 3)
w = lambda x: x / (1 + x) ** (mpf(1) / 3) + mpf(2) ** -7
show("cbrt_from_table", f, 0, 1, 8, 0, w)

show("asin_reduced", odd(asin), 0, "0.2503", 5, 12, plus(1, 9))
z = ((sqrt(mpf(2)) - 1) * mpf("1.001")) ** 2
show("atan_reduced", odd(atan), 0, z, 4, 11, plus(1, 9))

f = near(lambda a: erf(a) / a, 2 / sqrt(pi))
show_rows(zip(*fit_pieces("kErf32", f, "0.25", 16, 6)), 24, "f")
show_rows(zip(*fit_pieces("kErf64", f, "0.375", 16, 12)), 53, "")
show_rows(fit_pieces("kErfRows64", f, "0.0625", 96, 8), 53, "")
f = near(lambda z: erf(sqrt(z)) / sqrt(z), 2 / sqrt(pi))
show_fraction("erf_alone", f, mpf("15.5"), 6, 5, 24, "f")


def erfc_scaled(k):
    def scaled(t):
        x = k * (1 + t) / (1 - t)
        return erfc(x) * exp(x * x) * (x + k)

    return scaled


for k, high, single, double in ((mpf(2), mpf("10.1"), 9, 0), (mpf(4), mpf("27.3"), 0, 21)):
    f = erfc_scaled(k)
    show("erfc_positive", f, -1, (high - k) / (high + k), single, double, lambda t: 1 / f(t))


def gamma_rest(u):
    """gamma(z) e^z z^(1/2 - z) for z = 1 / u."""
    if u < mpf(2) ** -40:
        return sqrt(2 * pi) * (1 + u / 12)
    return exp(loggamma(1 / u) + 1 / u - (1 / u - mpf(0.5)) * log(1 / u))


show("tgamma", gamma_rest, 0, 1 / mpf("3.499"), 0, 6, lambda u: 1 / gamma_rest(u))
