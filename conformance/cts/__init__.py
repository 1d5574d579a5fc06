"""A runner for an existing build of the Khronos OpenCL conformance tests (CTS)."""
