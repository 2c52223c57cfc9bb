# SPDX-License-Identifier: BSD-3-Clause
# From public headers, a program that prints the size of every class that they define at namespace level.
BEGIN { print "#include <cstdio>" }
FNR == 1 { match(FILENAME, /include\/claros\/[a-z_\/]*\.hpp$/); includes = includes "#include <" substr(FILENAME, RSTART + 8) ">\n" }
/^namespace [a-z]/ { inside = $2 == "claros" ? "" : ($2 ~ /^claros::/ ? substr($2, 9) : $2) "::" }
/^}  \/\/ namespace / { inside = "" }
/^(struct|class) / && !/^[^{]*;/ && previous !~ /^template/ {
  name = inside ($2 == "CLAROS_API" ? $3 : $2)
  body = body "  std::printf(\"%s, %zu bytes\\n\", \"" $1 " " name "\", sizeof(" name "));\n"
}
{ previous = $0 }
END { print includes "using namespace claros;\n\nint main() {\n" body "}" }
