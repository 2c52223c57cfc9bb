# SPDX-License-Identifier: BSD-3-Clause
# bash completion for claros: the program says what the word before the cursor may become.

# The words up to the cursor as they were written: readline takes them apart at = and :, too.
_claros_words() {
  local line=${COMP_LINE:0:COMP_POINT} rest word i
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    rest=${line#"${line%%[![:space:]]*}"}
    word=${rest:0:${#COMP_WORDS[i]}}
    if ((i == 0)) || [[ $rest != "$line" ]]; then words+=("$word"); else words[-1]+=$word; fi
    line=${rest:${#word}}
  done
}

_claros() {
  local line word quoted lead='' i
  local -a words lines
  _claros_words
  local current=${words[-1]//[\\\"\']/}
  mapfile -t lines < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1:${#words[@]}-2}" "$current" 2>/dev/null)
  # Readline replaces what stands behind the last break only.
  [[ $COMP_WORDBREAKS == *=* && $current == *=* ]] && lead=${current%"${current##*=}"}
  [[ $COMP_WORDBREAKS == *:* && ${current#"$lead"} == *:* ]] && lead=${current%"${current##*:}"}
  COMPREPLY=()
  for line in "${lines[@]}"; do
    word=${line%%$'\t'*}
    quoted=${word#"$lead"}
    [[ $quoted == *[[:space:]\'\"\\\$\`\;\&\|\<\>\(\)\*\?\[\#\!]* && ${words[-1]} != *[\'\"]* ]] && printf -v quoted %q "$quoted"
    COMPREPLY+=("$quoted")
  done
  # A list of several (the second tab) has room for what they mean.
  if [[ $COMP_TYPE == 63 ]] && ((${#lines[@]} > 1)); then
    for ((i = 0; i < ${#lines[@]}; i++)); do
      [[ ${lines[i]} == *$'\t'* ]] || continue
      printf -v line '%-24s  (%s' "${COMPREPLY[i]}" "${lines[i]#*$'\t'}"
      COMPREPLY[i]="${line:0:${COLUMNS:-80}-2})"
    done
  fi
  [[ ${#lines[@]} == 1 && $word == *[.=/,] ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -o nosort -F _claros claros
