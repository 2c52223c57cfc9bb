// SPDX-License-Identifier: BSD-3-Clause
/// @file numpy_files.hpp  Files of NumPy, made byte by byte.
#pragma once

#include <boost/crc.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

inline std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += i < 8 ? static_cast<char>(number >> (8 * i)) : char{};
  return text;
}

template <class T>
std::string raw(const std::vector<T>& numbers, bool big = false) {
  std::string bytes;
  for (const T& number : numbers) {
    std::string one(sizeof(T), '\0');
    std::memcpy(one.data(), &number, sizeof(T));
    if (big) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& numbers,
                       bool fortran = false, int version = 1) {
  const std::string header = "{'descr': " + descr + ", 'fortran_order': " + (fortran ? "True" : "False") +
                             ", 'shape': " + shape + ", }   \n";
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' +
         little(header.size(), version == 1 ? 2 : 4) + header + numbers;
}

struct Member {
  std::string name, content;
};

inline std::uint32_t crc(const std::string& bytes) {
  boost::crc_32_type sum;
  sum.process_bytes(bytes.data(), bytes.size());
  return sum.checksum();
}

inline std::string deflated(const std::string& content) {
  namespace io = boost::iostreams;
  std::string packed;
  io::zlib_params params;
  params.noheader = true;
  io::filtering_ostream out;
  out.push(io::zlib_compressor(params));
  out.push(io::back_inserter(packed));
  out << content;
  io::close(out);
  return packed;
}

/// A zip archive: local headers with the members, the central directory, its end.
inline std::string zip(const std::vector<Member>& members, bool deflate) {
  std::string bytes, directory;
  for (const auto& [name, content] : members) {
    const std::string data = deflate ? deflated(content) : content;
    const std::string common = little(20, 2) + little(0, 2) + little(deflate ? 8 : 0, 2) + little(0, 2) +
                               little(33, 2) + little(crc(content), 4) + little(data.size(), 4) +
                               little(content.size(), 4) + little(name.size(), 2) + little(0, 2);
    directory += "PK\1\2" + little(20, 2) + common + little(0, 10) + little(bytes.size(), 4) + name;
    bytes += "PK\3\4" + common + name + data;
  }
  return bytes + directory + "PK\5\6" + little(0, 4) + little(members.size(), 2) + little(members.size(), 2) +
         little(directory.size(), 4) + little(bytes.size(), 4) + little(0, 2);
}
