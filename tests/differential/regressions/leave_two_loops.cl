// Some work-items leave two loops at once from the inner one, the others leave the outer one together.
//! options -cl-std=CL3.0
// expect leave f5350152711e16bc
//! kernel leave dims 1 global 8 local 8
//! arg out uint 8 zero
//! arg out uint 8 zero
kernel void leave(global uint* inner, global uint* outer) {
  const uint gid = (uint)get_global_id(0);
  int fuel = 9;
  uint a = 0, b = 0;
first:
  if (fuel-- <= 0)
    goto end;
second:
  a++;
  if (fuel-- <= 0)
    goto end;
  if (gid % 3 == 0)
    goto second;
  b++;
  if (fuel-- <= 0)
    goto end;
  goto first;
end:
  inner[gid] = a;
  outer[gid] = b;
}
