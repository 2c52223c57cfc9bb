// SPDX-License-Identifier: BSD-3-Clause
// claros-hdf5: reads a design from an HDF5 file for libclaros (hdf5_stream.hpp). Files may make the HDF5 library crash, or
// work for ever: here that ends this program and not its caller's.
#include "hdf5_file.hpp"
#include "hdf5_stream.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

namespace {

using namespace claros::hdf5_reader;
using namespace claros::hdf5_stream;

/// Writes all, or ends: nobody listens any more.
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

struct Request {
  std::string file, rows, response;
  Allowed allowed;
  std::size_t width = 8;
  bool optional = false;
};

Request request_of(int count, char** words) {
  Request request{words[1], words[2], words[3], {}};
  for (int i = 4; i < count; ++i) {
    if (std::strcmp(words[i], "float") == 0) request.width = 4;
    if (std::strcmp(words[i], "plugins") == 0) request.allowed.plugins = true;
    if (std::strcmp(words[i], "files") == 0) request.allowed.files = true;
    if (std::strcmp(words[i], "optional") == 0) request.optional = true;
  }
  return request;
}

Dataset response_of(const File& file, const Request& request, hsize_t rows) {
  Dataset response = file.open(request.response);
  const auto& sizes = response.sizes();
  if (sizes.empty() || sizes.size() > 2 || sizes[0] != rows || sizes.back() != (sizes.size() == 2 ? 1 : rows))
    throw Refusal{"dataset '" + request.response + "' is " + response.sizes_text(),
                  "expected one response for each of " + std::to_string(rows) + " rows"};
  return response;
}

void serve(const Request& request) {
  const File file(request.file, request.allowed);
  // All that can be refused is, before the numbers are read.
  const Dataset rows = file.open(request.rows);
  if (rows.sizes().size() != 2 || rows.sizes()[0] == 0 || rows.sizes()[1] == 0)
    throw Refusal{"dataset '" + request.rows + "' is " + rows.sizes_text(), "expected rows x columns"};
  const bool has_response = !request.optional || file.has(request.response);
  std::optional<Dataset> response;
  if (has_response) response.emplace(response_of(file, request, rows.sizes()[0]));
  const Sizes sizes{rows.sizes()[0], rows.sizes()[1], has_response, rows.stored()};
  send_frame(Frame::sizes, {reinterpret_cast<const char*>(&sizes), sizeof sizes});
  rows.each_block(request.width, [](auto block) { send_frame(Frame::rows, block); });
  if (response) response->each_block(8, [](auto block) { send_frame(Frame::response, block); });
  send_frame(Frame::end, {});
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) return 2;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const Request request = request_of(count, words);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  // No environment variable and no default folder makes the library load code, unless the caller's user said so.
  if (!request.allowed.plugins) H5PLset_loading_state(0);
  try {
    serve(request);
  } catch (const Refusal& refusal) {
    send_refusal(refusal);
  } catch (const std::bad_alloc&) {
    send_refusal({"a chunk of the file asks for more memory than there is", "is the file damaged?"});
  }
  // The library's own work at the end may trip over a damaged file; nothing is left to do.
  ::_exit(0);
}
