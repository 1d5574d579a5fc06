# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of pyclesperanto on pictures and volumes, compared with NumPy and SciPy."""

import sys

import numpy as np
import pyclesperanto as cle
import scipy.ndimage as nd

cle.select_device(cle.list_available_devices()[0])
random = np.random.default_rng(1)
picture = random.random((64, 96)).astype(np.float32)
volume = random.random((24, 40, 48)).astype(np.float32)
mask = nd.gaussian_filter(picture, 2)
mask = mask > np.median(mask)
solid = nd.gaussian_filter(volume, 1) > 0.52
P, V = cle.push(picture), cle.push(volume)


def near(image, expected, tolerance=1e-4):
    return np.abs(np.asarray(cle.pull(image)).astype(float) - expected).max() <= tolerance


def labels(image):
    labeled = cle.connected_components_labeling(cle.push(image.astype(np.uint8)), connectivity="box")
    return int(np.asarray(cle.pull(labeled)).max()) == nd.label(image, np.ones((3,) * image.ndim))[1]


cases = {
    "gaussian blur": lambda: near(cle.gaussian_blur(P, sigma_x=2, sigma_y=2), nd.gaussian_filter(picture, 2, mode="nearest"), 2e-2),
    "gaussian blur of a volume": lambda: near(
        cle.gaussian_blur(V, sigma_x=1, sigma_y=1, sigma_z=1), nd.gaussian_filter(volume, 1, mode="nearest"), 2e-2
    ),
    "weighted sum": lambda: near(cle.add_images_weighted(P, P, factor1=2, factor2=-1), picture),
    "mean": lambda: near(cle.mean_box(P, radius_x=1, radius_y=1), nd.uniform_filter(picture, 3, mode="nearest"), 1e-3),
    "median": lambda: near(cle.median_box(P, radius_x=1, radius_y=1), nd.median_filter(picture, 3, mode="nearest")),
    "maximum": lambda: near(cle.maximum_box(V, radius_x=1, radius_y=1, radius_z=1), nd.maximum_filter(volume, 3, mode="nearest")),
    "minimum": lambda: near(cle.minimum_box(V, radius_x=1, radius_y=1, radius_z=1), nd.minimum_filter(volume, 3, mode="nearest")),
    "transposition": lambda: near(cle.transpose_xy(P), picture.T),
    "sum": lambda: abs(cle.sum_of_all_pixels(V) - volume.sum()) < 1e-4 * volume.sum(),
    "maximum projection": lambda: near(cle.maximum_z_projection(V), volume.max(0)),
    "mean projection": lambda: near(cle.mean_z_projection(V), volume.mean(0)),
    "threshold": lambda: near(cle.greater_constant(P, scalar=0.5), picture > 0.5),
    "labels": lambda: labels(mask),
    "labels of a volume": lambda: labels(solid),
    "flip": lambda: near(cle.flip(P, flip_x=True, flip_y=False, flip_z=False), picture[:, ::-1]),
    "histogram": lambda: int(np.asarray(cle.pull(cle.histogram(P, num_bins=64))).sum()) == picture.size,
    "matrix product": lambda: near(cle.multiply_matrix(P, cle.push(np.ascontiguousarray(picture.T))), picture @ picture.T, 1e-2),
}
wrong = [name for name, case in cases.items() if not case()]
print(f"{len(cases) - len(wrong)} passed, {len(wrong)} failed", *wrong)
sys.exit(bool(wrong))
