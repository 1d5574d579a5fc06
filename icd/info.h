// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of clGet*Info: the rules for param_value_size, param_value and param_value_size_ret that
// all queries share.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace heddle::icd {

// The destination of a query's result. Each put returns CL_SUCCESS, or CL_INVALID_VALUE if
// param_value is not null and too small, and then writes nothing.
class InfoOutput {
 public:
  InfoOutput(std::size_t size, void* value, std::size_t* size_ret)
      : size_(size), value_(value), size_ret_(size_ret) {}

  cl_int put_bytes(const void* data, std::size_t bytes) const {
    if (value_ && size_ < bytes)
      return CL_INVALID_VALUE;
    if (value_ && bytes != 0)
      std::memcpy(value_, data, bytes);
    if (size_ret_)
      *size_ret_ = bytes;
    return CL_SUCCESS;
  }
  // A value of exactly the type in the query table: put<cl_uint>(4).
  template <class T>
  cl_int put(std::type_identity_t<T> value) const {
    return put_bytes(&value, sizeof value);
  }
  template <class T>
  cl_int put_array(std::span<const T> values) const {
    return put_bytes(values.data(), values.size_bytes());
  }
  // Including the terminating zero.
  cl_int put_text(std::string_view text) const {
    if (value_ && size_ < text.size() + 1)
      return CL_INVALID_VALUE;
    if (value_) {
      std::memcpy(value_, text.data(), text.size());
      static_cast<char*>(value_)[text.size()] = '\0';
    }
    if (size_ret_)
      *size_ret_ = text.size() + 1;
    return CL_SUCCESS;
  }
  // For results that are assembled in place, such as an array of pointers to buffers.
  bool has_value() const { return value_ != nullptr; }
  std::size_t size() const { return size_; }
  void* value() const { return value_; }
  std::size_t* size_ret() const { return size_ret_; }

 private:
  std::size_t size_;
  void* value_;
  std::size_t* size_ret_;
};

} // namespace heddle::icd
