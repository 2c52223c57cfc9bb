// SPDX-License-Identifier: BSD-3-Clause
#include "seeds.hpp"

#include "numpy_files.hpp"

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>

namespace claros::fuzz {
namespace {

const std::vector<double> kRows{1, 2, 3, 4, 5, 6}, kResponse{0.5, -1.5};

template <class Filter>
std::string packed_by(const Filter& filter, const std::string& text) {
  namespace io = boost::iostreams;
  std::string bytes;
  io::filtering_ostream out;
  out.push(filter);
  out.push(io::back_inserter(bytes));
  out << text;
  io::close(out);
  return bytes;
}

std::string matrix() { return npy("'<f8'", "(2, 3)", raw(kRows)); }
std::string indices(const std::vector<std::int32_t>& numbers) {
  return npy("'<i4'", "(" + std::to_string(numbers.size()) + ",)", raw(numbers));
}

std::vector<std::vector<Member>> archives() {
  const std::string data = npy("'<f8'", "(3,)", raw(std::vector<double>{1, 2, 3})),
                    y = npy("'<f8'", "(2,)", raw(kResponse));
  return {{{"X.npy", matrix()}, {"y.npy", y}},
          {{"data.npy", data},
           {"shape.npy", indices({2, 4})},
           {"row.npy", indices({0, 1, 1})},
           {"col.npy", indices({3, 0, 1})},
           {"y.npy", y}},
          {{"data.npy", data},
           {"shape.npy", indices({2, 4})},
           {"indices.npy", indices({3, 0, 1})},
           {"indptr.npy", indices({0, 1, 3})},
           {"format.npy", npy("'|S3'", "()", "csr")},
           {"y.npy", y}}};
}

}  // namespace

Seeds table_seeds() {
  return {"1,2,3\n4,5,6\n",
          "a,b,y\n1,2,cat\n3,4,dog\n",
          "1\t2\t3\n4\t5\t6\r\n",
          "1::2::3\n",
          "\"a b\";\"c\"\"d\"\n1;2\n",
          "\xEF\xBB\xBF"
          "1 2e-3  +4\n\n-5 .5 7.\n",
          "1 2:3\n-1 1:2\n",
          "%%MatrixMarket matrix array real general\n1 2\n3\n4\n"};
}
Seeds libsvm_seeds() {
  return {"1 1:0.5 3:2\n-1 2:4\n", "1\t1:0.5\t3:2 # comment\n\n# only a comment\n0\n",
          " 1  1:1e300\r\n2 2147483647:1\n"};
}
Seeds vowpal_wabbit_seeds() {
  return {"-1 |f 9:0.5 2 4:-3\n1 2.5 'tag|f 0:1\n",
          "1 | hello:2 7 a1:3\n\n-1 0.5 |house:0.5 price:4e0 sqft | 7:9\n", "1\t|a b\t1:1\r\n2 |a\n"};
}
Seeds matrix_market_seeds() {
  return {"%%MatrixMarket matrix array real general\n% comment\n2 2\n1\n2\n3\n4\n",
          "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 5\n2 3 -1e-3\n",
          "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 1\n3 1\n",
          "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n",
          "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n",
          "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n"};
}
Seeds ratings_seeds() {
  return {"1 1 5\n2 1 4\n3 2 1.5\n",
          "user,item,stars\nanna,x,5\nbert,\"y, z\",4\n",
          "1::2::3::978300760\n2::2::1::978300761\n",
          "0\t0\t1\n1\t0\t2\n",
          "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 5\n2 3 -1e-3\n",
          "1 1 5\n1 1 4\n",
          npy("'<f8'", "(2, 3)", raw(kRows))};
}
Seeds pairs_seeds() { return {"1 a\n2 d\n3 4\n", "row,column,known\n1,b c,5\n9,a,1\n", "1\tz\n"}; }
Seeds spec_seeds() {
  return {
      "[objective]\nuse = matrix-completion # what\ndata = ratings.csv\n[set]\nuse = nuclear-ball\nradius = "
      "3e3\n[stop]\ngap = 1e-2\n",
      "\xEF\xBB\xBF; comment\n[algorithm.inner]\nuse=frank-wolfe\nstep = "
      "agnostic\n[set.blocks.2]\nradius=0.1*max\n"};
}
Seeds binary_seeds() {
  const auto header = [](int width, int response) {
    return "CLAROSDM" + little(1, 4) + little(0x01020304, 4) + little(static_cast<std::uint64_t>(width), 4) +
           little(static_cast<std::uint64_t>(response), 4) + little(2, 8) + little(3, 8) + little(0, 24);
  };
  const std::vector<float> single(kRows.begin(), kRows.end());
  return {header(8, 1) + raw(kResponse) + raw(kRows), header(4, 1) + raw(kResponse) + raw(single),
          header(8, 0) + raw(kRows)};
}
Seeds npy_seeds() {
  const std::vector<float> single(kRows.begin(), kRows.end());
  return {matrix(), npy("'>f4'", "(2, 3)", raw(single, true), true),
          npy("'<i4'", "(6,)", raw(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6})),
          npy("'|b1'", "(2,)", std::string(2, '\1'), false, 2), npy("'<u8'", "()", little(7, 8), false, 3)};
}
Seeds npz_seeds() {
  Seeds seeds;
  for (const auto& members : archives())
    seeds.push_back(zip(members, false)), seeds.push_back(zip(members, true));
  return seeds;
}
Seeds npz_member_seeds() {
  Seeds seeds;
  for (const auto& members : archives()) {
    std::string& bytes = seeds.emplace_back();
    for (const auto& [name, content] : members) bytes += name + "\n" + little(content.size(), 2) + content;
  }
  return seeds;
}
Seeds compressed_seeds() {
  namespace io = boost::iostreams;
  const std::string text = "1,2,3\n4,5,6\n7,8,9\n";
  const std::string many = packed_by(io::gzip_compressor(), text);
  return {many, many + many, packed_by(io::bzip2_compressor(), text), packed_by(io::lzma_compressor(), text),
          packed_by(io::zstd_compressor(), text)};
}

std::string member_archive(const std::string& bytes) {
  std::vector<Member> members;
  for (std::size_t at = 0; at < bytes.size() && members.size() < 10;) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    Member member{bytes.substr(at, std::min<std::size_t>(end - at, 100)), {}};
    at = std::min(end + 3, bytes.size());
    std::size_t length = 0;
    if (end + 2 < bytes.size())
      length = static_cast<unsigned char>(bytes[end + 1]) |
               static_cast<std::size_t>(static_cast<unsigned char>(bytes[end + 2])) << 8U;
    member.content = bytes.substr(at, length);
    at += member.content.size();
    members.push_back(std::move(member));
  }
  return zip(members, true);
}

}  // namespace claros::fuzz
