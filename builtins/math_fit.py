#!/usr/bin/env python3
"""Prints the polynomials of the math_* files: minimax fits by Remez's exchange algorithm.

Needs mpmath. Each line names the helper that has the coefficients, then the bits of the weighted
error and the coefficients from the constant up, rounded to float or double.
"""

from mpmath import mp, mpf, matrix, lu_solve, pi, log, sqrt, exp, expm1, log1p, atanh
from mpmath import sin, cos, asin, atan, sinh, erf, erfc

mp.prec = 250
LN2, LN10 = log(mpf(2)), log(mpf(10))


def value(coefficients, x):
    result = mpf(0)
    for c in reversed(coefficients):
        result = result * x + c
    return result


def fit(f, low, high, terms, weight, turns=6):
    """The polynomial of `terms` coefficients that minimises |weight (p - f)| on [low, high]."""
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


def show(name, f, low, high, single, double, weight=lambda x: mpf(1)):
    """Fits with `single` terms for float and `double` terms for double; 0 for neither."""
    for terms, digits, suffix in ((single, 24, "f"), (double, 53, "")):
        if not terms:
            continue
        coefficients, error = fit(f, low, high, terms, weight)
        texts = []
        for c in coefficients:
            with mp.workprec(digits):
                head, power = float(+c).hex().split("p")
            head = head.rstrip("0").rstrip(".") if "." in head else head
            texts.append(f"{head}p{power}{suffix}")
        print(f"{name} (2^{float(log(error, 2)):.1f}): {', '.join(texts)}")


def near(f, limit):
    """f, with its limit where x is too close to 0 for the formula."""
    return lambda x: limit if abs(x) < mpf(2) ** -50 else f(x)


def odd(f):
    """(f(x) / x - 1) / x^2 in z = x^2."""
    return near(lambda z: (f(sqrt(z)) / sqrt(z) - 1) / z, (f(mpf(2) ** -60) * 2**60 - 1) * 2**120)


def plus(power, bits):
    return lambda x: abs(x) ** power + mpf(2) ** -bits


r = LN2 / 2 * mpf("1.001")
show("exp_tail", near(lambda x: (expm1(x) - x) / x**2, mpf(0.5)), -r, r, 5, 10, plus(1, 10))
r = mpf("0.5005")
show("exp2_tail", near(lambda x: expm1(x * LN2) / x, LN2), -r, r, 6, 11, plus(1, 8))
r *= LN2 / LN10
show("exp10", near(lambda x: expm1(x * LN10) / x, LN10), -r, r, 6, 11, plus(1, 8))

f = near(lambda x: (log1p(x) - x + x * x / 2) / x**3, mpf(1) / 3)
show("log1p_tail", f, sqrt(mpf(0.5)) - 1, sqrt(mpf(2)) - 1, 9, 0, plus(2, 12))
z = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 * mpf("1.001")
f = near(lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z, mpf(2) / 3)
show("log1p_tail", f, 0, z, 0, 7, plus(1, 9))
g = near(lambda z: f(z) / LN2, mpf(2) / 3 / LN2)
show("log2_parts", g, 0, z, 4, 0, plus(1, 9))
show("log2_parts", near(lambda z: (g(z) - 2 / (3 * LN2)) / z, 2 / (5 * LN2)), 0, z, 0, 8, plus(2, 18))

z = (pi / 4 * mpf("1.01")) ** 2
show("sin_reduced", odd(sin), 0, z, 3, 6, plus(1, 9))
f = near(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, mpf(1) / 24)
show("cos_reduced", f, 0, z, 3, 6, plus(2, 12))
z = mpf("0.0626")
f = near(lambda z: (sin(pi * sqrt(z)) / sqrt(z) - pi) / z, -(pi**3) / 6)
show("sinpi_reduced", f, 0, z, 3, 6, plus(1, 9))
f = near(lambda z: (cos(pi * sqrt(z)) - 1) / z, -(pi**2) / 2)
show("cospi_reduced", f, 0, z, 4, 8, plus(1, 9))

show("asin_reduced", odd(asin), 0, "0.2503", 5, 12, plus(1, 9))
z = ((sqrt(mpf(2)) - 1) * mpf("1.001")) ** 2
show("atan_reduced", odd(atan), 0, z, 4, 11, plus(1, 9))
show("sinh", odd(sinh), 0, "1.01", 3, 7, plus(1, 9))

f = near(lambda z: erf(sqrt(z)) / sqrt(z) - 1, 2 / sqrt(pi) - 1)
show("erf_tail", f, 0, "1.002", 7, 12)


def erfc_scaled(k):
    def scaled(t):
        x = k * (1 + t) / (1 - t)
        return erfc(x) * exp(x * x) * (1 + 2 * x)

    return scaled


for k, high, single, double in ((mpf(2), mpf("10.1"), 10, 0), (mpf(4), mpf("27.3"), 0, 23)):
    f = erfc_scaled(k)
    show("erfc_positive", f, -1, (high - k) / (high + k), single, double, lambda t: 1 / f(t))
