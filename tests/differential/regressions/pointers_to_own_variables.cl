// What is written through a pointer is seen in the variable that it points to, in the program's scope and in local memory.
// expect through_program_scope 083c83fe2f68408b
// expect through_local ababb2338460f1eb
//! options -cl-std=CL3.0
//! kernel through_program_scope dims 1 global 1 local 1
//! arg out uint 80 random 7
//! arg value int 01000000
//! kernel through_local dims 1 global 64 local 32
//! arg out uint 64 random 9
//! arg value int 01000000
global uint16 variables[2];
global uint16* chosen;

kernel void through_program_scope(global uint* all, int value) {
  global uint16* out = (global uint16*)all;
  variables[0] = out[0];
  variables[1] = out[1];
  chosen = variables + value;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  global uint16* volatile* where = &chosen;
  uint16 before = variables[1];
  **where = out[2];
  out[3] = variables[0];
  out[4] = variables[1] + before;
}

kernel void through_local(global uint* out, int value) {
  local uint first[32], second[32];
  const uint i = get_local_id(0);
  first[i] = out[get_global_id(0)];
  second[i] = i;
  local uint* chosen = value > 1 ? first : second;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint before = second[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  chosen[i ^ 1] = first[i] + value;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = before + 3 * second[i] + 5 * first[i];
}
