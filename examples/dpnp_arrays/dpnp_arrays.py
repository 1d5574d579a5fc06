#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A noisy signal is cleaned and described with dpnp, on the device that SYCL selects.

dpnp has NumPy's functions, as SYCL kernels in SPIR-V; memory is shared between host and device (USM). Each result is
compared with NumPy's. Ends with 77 if dpnp is not installed or there is no OpenCL device.

dpnp_arrays.py [SAMPLES]
"""
import sys

import numpy

try:
    import dpctl
    import dpnp
except ImportError as error:
    print(f"needs dpnp: {error}")
    sys.exit(77)


def signal(numbers, samples):
    """Three tones and noise that is the same for both libraries."""
    time = numbers.arange(samples, dtype="f8") / samples
    tones = sum(numbers.sin(2 * numpy.pi * hertz * time) / (i + 1) for i, hertz in enumerate((50, 120, 333)))
    return tones + 0.5 * numbers.sin(time * 1e5) ** 3


def describe(numbers, samples):
    noisy = signal(numbers, samples)
    spectrum = numbers.fft.fft(noisy)
    strength = numbers.abs(spectrum[: samples // 2])
    loudest = numbers.sort(numbers.argsort(strength)[-3:])  # the bins of the three tones
    clean = numbers.fft.ifft(numbers.where(numbers.abs(spectrum) > strength.max() / 10, spectrum, 0)).real
    window = numbers.cumsum(clean)  # for averages of 64 neighbors
    smooth = (window[64:] - window[:-64]) / 64
    ranked = numbers.sort(smooth)
    return {
        "tones": loudest,
        "energy": (clean * clean).sum(),
        "mean": clean.mean(),
        "deviation": clean.std(),
        "quartiles": ranked[numbers.asarray([len(ranked) // 4, len(ranked) // 2, 3 * len(ranked) // 4])],
        "histogram": numbers.histogram(clean, bins=16, range=(-2, 2))[0],
    }


def main():
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 16
    devices = dpctl.get_devices(backend="opencl")
    if not devices:
        print("there is no OpenCL device that SYCL accepts")
        return 77
    print("device:", dpnp.empty(1).sycl_device.name, "of", dpnp.empty(1).sycl_device.vendor)
    wrong = 0
    expected = describe(numpy, samples)
    for name, value in describe(dpnp, samples).items():
        value = dpnp.asnumpy(value)
        same = numpy.allclose(value, expected[name], rtol=1e-9, atol=1e-9)
        wrong += not same
        print(f"{name}: {value}{'' if same else f', but NumPy has {expected[name]}'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
