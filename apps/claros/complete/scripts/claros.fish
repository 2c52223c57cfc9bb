# SPDX-License-Identifier: BSD-3-Clause
# fish completion for claros: the program says what the word before the cursor may become.
function __claros_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l plain (string unescape -- $current); and set current $plain
    $words[1] complete -- $words[2..-1] "$current" 2>/dev/null
end

complete -c claros -f -k -a '(__claros_complete)'
