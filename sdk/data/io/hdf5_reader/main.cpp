// SPDX-License-Identifier: BSD-3-Clause
// claros-hdf5: reads a design from an HDF5 file for libclaros (hdf5_stream.hpp). Files may make the HDF5
// library crash, or work for ever: here that ends this program and not its caller's.
#include "serve.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

using namespace claros::hdf5_reader;
using namespace claros::hdf5_stream;

/// Writes all, or ends: the reader has gone.
void send(const void* bytes, std::size_t size) {
  for (const char* at = static_cast<const char*>(bytes); size > 0;) {
    const ssize_t now = ::write(STDOUT_FILENO, at, size);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) ::_exit(3);
    at += now;
    size -= static_cast<std::size_t>(now);
  }
}

void send_frame(Frame kind, std::span<const char> content) {
  constexpr std::size_t kLargest = std::size_t{1} << 30U;
  do {
    const auto now = content.first(std::min(content.size(), kLargest));
    const FrameHead head{kind, static_cast<std::uint32_t>(now.size())};
    send(&head, sizeof head);
    send(now.data(), now.size());
    content = content.subspan(now.size());
  } while (!content.empty());
}

void send_refusal(const Refusal& refusal) {
  std::string text = refusal.what.substr(0, kLongestRefusal / 4);
  text += '\0';
  text += refusal.remedy.substr(0, kLongestRefusal / 4);
  for (const std::string& name : refusal.names)
    if (text.size() + name.size() < kLongestRefusal) text += '\0' + name;
  send_frame(Frame::refusal, text);
}

Request request_of(int count, char** words) {
  Request request{words[1], words[2], words[3], {}};
  for (int i = 4; i < count; ++i) {
    if (std::strcmp(words[i], "float") == 0) request.number = Number::float4;
    if (std::strcmp(words[i], "plugins") == 0) request.allowed.plugins = true;
    if (std::strcmp(words[i], "files") == 0) request.allowed.files = true;
    if (std::strcmp(words[i], "optional") == 0) request.optional = true;
    if (std::strcmp(words[i], "by-columns") == 0) request.by_columns = true;
  }
  return request;
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) return 2;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const Request request = request_of(count, words);
  prepare_library(request.allowed);
  try {
    serve(request, send_frame);
  } catch (const Refusal& refusal) {
    send_refusal(refusal);
  } catch (const std::bad_alloc&) {
    send_refusal({"a chunk of the file asks for more memory than there is", "is the file damaged?"});
  }
  // The library's own work at the end may trip over a damaged file; nothing is left to do.
  ::_exit(0);
}
