// SPDX-License-Identifier: BSD-3-Clause
// claros_mutate [N] [READER...]: N damaged inputs (100000) for each reader, the same at every call: input k
// of a reader is made from the numbers k and its name. A refusal is a claros::Error that says where and what;
// anything else is a finding, whose bytes stay in finding-READER. `claros_mutate --one READER K` reads input
// K alone.
#include "state_readers.hpp"

#include <claros/error.hpp>

#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

namespace claros::fuzz {

void expect(bool fits, const char* what) {
  if (fits) return;
  std::cerr << "what was read is not sound: " << what << '\n';
  std::abort();
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::filesystem::path& work_folder() {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("claros-mutate-" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder folder;
  return folder.path;
}

namespace {

using Engine = std::mt19937_64;

std::size_t below(Engine& engine, std::size_t end) { return end ? engine() % end : 0; }

void overwrite(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t width) {
  for (std::size_t k = 0; k < width && at + k < bytes.size(); ++k)
    bytes[at + k] = static_cast<char>(value >> (8 * k));
}

/// One damage: of bits, bytes, numbers in either order, digits, or pieces that go, come twice or come from
/// another seed.
void damage(std::string& bytes, const std::vector<std::string>& seeds, Engine& engine) {
  static const std::uint64_t extremes[] = {0,
                                           1,
                                           0x7f,
                                           0x80,
                                           0xff,
                                           0x7fff,
                                           0xffff,
                                           0x7fffffff,
                                           0x80000000,
                                           0xffffffff,
                                           0x7fffffffffffffff,
                                           0x8000000000000000,
                                           ~std::uint64_t{0}};
  const std::size_t at = below(engine, bytes.size()),
                    length = 1 + below(engine, std::min<std::size_t>(64, bytes.size() + 1));
  switch (engine() % 9) {
    case 0:
      if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << (engine() % 8)));
      break;
    case 1:
      if (!bytes.empty()) bytes[at] = static_cast<char>(engine());
      break;
    case 2:
      overwrite(bytes, at, extremes[engine() % std::size(extremes)], std::size_t{1} << (engine() % 4));
      break;
    case 3:
      bytes.erase(at, length);
      break;
    case 4:
      bytes.insert(at, bytes.substr(below(engine, bytes.size()), length));
      break;
    case 5:
      bytes.resize(at);
      break;
    case 6: {
      const std::string& other = seeds[engine() % seeds.size()];
      bytes.replace(at, length, other.substr(below(engine, other.size()), length));
      break;
    }
    case 7:
      if (!bytes.empty()) bytes[at] = "0123456789-+.eE ,\n\"#{}[]%"[engine() % 25];
      break;
    default:  // the edits of a crafted state stand at the end
      for (std::size_t k = 0; k < 24 && k < bytes.size(); ++k)
        bytes[bytes.size() - 1 - k] = static_cast<char>(engine());
  }
}

std::string input(const Reader& reader, const std::vector<std::string>& seeds, std::uint64_t number) {
  std::seed_seq seed{
      static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
      static_cast<std::uint32_t>(reader.name.size() * 131 + static_cast<unsigned char>(reader.name[0]))};
  Engine engine(seed);
  std::string bytes = seeds[engine() % seeds.size()];
  if (number == 0)
    bytes = seeds.front();  // sound: it has to be read
  else
    for (std::size_t k = 1 + engine() % 4; k > 0; --k) damage(bytes, seeds, engine);
  return reader.wrap ? reader.wrap(bytes) : bytes;
}

/// Whether it was read; false for a refusal.
bool read(const Reader& reader, const std::string& bytes, std::uint64_t number) {
  const auto file = work_folder() / "input", finding = std::filesystem::path("finding-" + reader.name);
  std::ofstream(file, std::ios::binary) << bytes;
  try {
    reader.read(file);
    return true;
  } catch (const Error& error) {
    const Complaint& first = error.complaints().front();
    if (!first.where.empty() && !first.what.empty() && error.kind() != ErrorKind::plugin) return false;
    std::cerr << reader.name << ", input " << number << ": a refusal that says too little: " << error.what()
              << '\n';
  } catch (const std::exception& error) {
    std::cerr << reader.name << ", input " << number << ": " << error.what() << '\n';
  }
  std::ofstream(finding, std::ios::binary) << bytes;
  std::abort();
}

bool is_sealed(const Reader& reader) { return reader.name == "state" || reader.name == "checkpoint"; }

std::vector<Reader> all_readers() {
  std::vector<Reader> all = state_readers();
  for (Reader& reader : folder_readers()) all.push_back(std::move(reader));
  for (Reader& reader : component_readers()) all.push_back(std::move(reader));
  return all;
}

/// An input that hangs ends the process (SIGPROF) after so many seconds of the processor: one that was
/// stopped does not hang.
void limit_time(long seconds = 120) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

/// The number of the input that is read, in a file: what is left where that ends the process.
class LastInput {
 public:
  explicit LastInput(const std::string& reader)
      : name_("last-" + reader), file_(::open(name_.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0644)) {}
  ~LastInput() {
    ::close(file_);
    std::filesystem::remove(name_);
  }
  LastInput(const LastInput&) = delete;
  LastInput& operator=(const LastInput&) = delete;
  void note(std::uint64_t k) const {
    const std::string line = std::to_string(k) + '\n';
    if (::pwrite(file_, line.data(), line.size(), 0) < 0) std::abort();
  }

 private:
  std::string name_;
  int file_;
};

int main(const std::vector<std::string>& words) {
  const bool one = !words.empty() && words[0] == "--one";
  const std::uint64_t count = one ? std::stoull(words.at(2)) : words.empty() ? 100000 : std::stoull(words[0]);
  for (const Reader& reader : all_readers()) {
    if (words.size() > 1 && std::find(words.begin() + 1, words.end(), reader.name) == words.end()) continue;
    limit_time();
    const auto seeds = reader.seeds();
    std::uint64_t was_read = 0;
    const LastInput last(reader.name);
    for (std::uint64_t k = one ? count : 0; k < count + (one ? 1 : 0); ++k) {
      last.note(k);
      limit_time();
      const std::string bytes = input(reader, seeds, k);
      const bool taken = read(reader, bytes, k);
      // Behind a checksum a damage is never read as something else; some damages change nothing.
      expect(!taken || !is_sealed(reader) || std::find(seeds.begin(), seeds.end(), bytes) != seeds.end(),
             "a damage was taken for sound");
      was_read += taken;
      expect(k != 0 || was_read == 1, "the sound input was refused");
    }
    limit_time(0);
    std::cout << reader.name << ": " << count << " inputs, " << was_read << " read, " << count - was_read
              << " refused\n"
              << std::flush;
  }
  return 0;
}

}  // namespace

}  // namespace claros::fuzz

int main(int count, char** words) { return claros::fuzz::main({words + 1, words + count}); }
