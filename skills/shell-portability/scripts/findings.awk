# Looks through a shell script for what only some shells know. Prints, for each finding, the number of the line, its
# class (error: fails in BusyBox ash; silent: does something else there; beyond: works there, and is not POSIX), a rule,
# what is wrong, what to do instead, and the line; parted by tabs. The programs that are called go to the file that
# `programs` names, each with its line.
#
# It knows quotes, comments, here-documents and nested substitutions well enough to leave text alone. It is no parser:
# that part is done by the shell itself.

BEGIN {
  most_line = 4000
  state = "code"      # or single, double, arithmetic
  depth = 0           # of substitutions that are open
  pending = 0         # here-documents that begin on the next line
  reading = 0         # the one that is being read

  # Words that are commands of other shells.
  foreign("declare typeset", "there is no such command", "plain assignments; local in functions of ash")
  foreign("pushd popd dirs", "there is no such command", "a subshell: (cd folder && …)")
  foreign("shopt", "there is no such command", "options of set, or case patterns")
  foreign("mapfile readarray", "there is no such command", "while IFS= read -r line; do …; done < file")
  foreign("coproc", "there is no such command", "named pipes: mkfifo")
  foreign("disown", "there is no such command", "nohup, or setsid")
  foreign("select", "there is no such loop", "a numbered list and read -r")
  foreign("compgen complete caller enable bind suspend builtin", "there is no such command", "")

  rule("code", "error", "array", "(^|[ \t;&|(])[A-Za-z_][A-Za-z0-9_]*[+]?=[(]", "there are no arrays", "set -- a b c and \"$@\", or one item a line in a file")
  rule("code", "error", "here-string", "<<<", "there are no here-strings", "printf '%s\\n' \"$text\" | command, or a here-document")
  rule("code", "error", "pipe-both", "[|]&", "|& is a syntax error", "2>&1 |")
  rule("code", "error", "case-fall", ";;?&", "a case cannot fall through", "repeat the commands, or use a function")
  rule("code", "error", "c-loop", "(^|[ \t;&|])for[ \t]*[(][(]", "there is no for ((…))", "i=0; while [ \"$i\" -lt 10 ]; do …; i=$((i + 1)); done")
  rule("code", "error", "append", "(^|[ \t;&|(])[A-Za-z_][A-Za-z0-9_]*[+]=[^(]", "x+=y is taken for a command", "x=$x…")
  rule("code", "error", "export-function", "(^|[ \t;&|])export[ \t]+-f", "functions cannot be exported", "a file with the functions, sourced with .")
  rule("code", "error", "read-array", "(^|[ \t;&|])read[ \t]+-[a-z]*a", "read -a needs arrays", "set -- $line, or several names")
  rule("code", "error", "trap-debug", "(^|[ \t;&|])trap[ \t].*[ \t](DEBUG|RETURN)([ \t;]|$)", "there are no traps for DEBUG and RETURN", "set -x to follow a script; clean up before return")
  rule("code", "error", "find-printf", "(^|[ \t;&|(])find[ \t].*[ \t]-printf([ \t]|$)", "find has no -printf", "-exec, or -print and a loop")
  rule("code", "error", "test-variable", "(\\[|test)[ \t]+(![ \t]+)?-v[ \t]", "-v is no test", "[ -n \"${name+x}\" ]")
  rule("code", "error", "grep-perl", "(^|[ \t;&|(])grep[ \t]+(-[A-Za-z]+[ \t]+)*-[A-Za-z]*P", "grep has no -P", "grep -E, sed or awk")
  rule("expand", "error", "case-change", "[$][{][A-Za-z_0-9]+(\\^|,|@[A-Za-z]})", "${x^^}, ${x,,} and ${x@…} are bad substitutions", "printf '%s' \"$x\" | tr '[:lower:]' '[:upper:]'")
  rule("expand", "error", "array-item", "[$][{][A-Za-z_][A-Za-z0-9_]*\\[", "there are no arrays", "\"$@\", or one item a line in a file")
  rule("expand", "error", "indirect", "[$][{]![A-Za-z_@*#]", "${!x} is a bad substitution", "a case, or eval with a name that was checked before")
  rule("raw", "error", "printf-quote", "printf[ \t]+['\"]?[^ \t|;&]*%q", "printf has no %q", "quote by hand, or avoid eval")

  rule("code", "silent", "braces", "(^|[^$A-Za-z0-9_{])[A-Za-z0-9_./-]*[{][^{} \t;$]*(,|[.][.])[^{} \t;]*[}]", "braces are not expanded: the word stays as it is", "write the words out, or use seq or a loop")
  rule("code", "silent", "printf-variable", "(^|[ \t;&|])printf[ \t]+-v", "printf -v prints \"-v\"", "x=$(printf …)")
  rule("expand", "silent", "translated", "[$]\"[^\"]", "$\"…\" keeps its dollar sign", "gettext, or plain quotes")
  rule("expand", "silent", "bash-variable", "[$][{]?(BASH_[A-Z]+|BASHPID|BASH|PIPESTATUS|FUNCNAME|SECONDS|OSTYPE|MACHTYPE|DIRSTACK|EUID|UID|GROUPS|COMP_WORDS)([^A-Za-z0-9_]|$)", "is not set", "id -u, date +%s, uname, or pass the value")
  rule("expand", "silent", "read-file", "[$][(]<", "$(< file) is empty", "$(cat file)")

  rule("code", "beyond", "double-bracket", "(^|[ \t;&|!(])\\[\\[[ \t]", "[[ … ]] is not POSIX", "[ … ] with quotes, or case for patterns")
  rule("code", "beyond", "double-equals", "(^|[ \t;&|!(])(\\[|test)[ \t][^]]*[^=!<>]==[^=]", "== is not POSIX in a test", "=")
  rule("code", "beyond", "function-word", "(^|[ \t;&|])function[ \t]+[A-Za-z_]", "the word function is not POSIX", "name() { …; }")
  rule("code", "beyond", "source", "(^|[ \t;&|])source[ \t]", "source is not POSIX", ". ./file")
  rule("code", "beyond", "both-streams", "&>", "&> is not POSIX: elsewhere it starts a background command", "> file 2>&1")
  rule("code", "beyond", "process-substitution", "(^|[ \t])[<>][(]", "<(…) and >(…) are not POSIX", "a temporary file, or mkfifo")
  rule("code", "beyond", "arithmetic-command", "(^|[;&|!]|then|do|if|while|until)[ \t]*[(][(]", "((…)) is not POSIX", "[ $((…)) -ne 0 ], or x=$((…))")
  rule("code", "beyond", "echo-options", "(^|[ \t;&|])echo[ \t]+-[neE]+([ \t]|$)", "shells differ in what echo does with options and backslashes", "printf")
  rule("code", "beyond", "trap-error", "(^|[ \t;&|])trap[ \t].*[ \t]ERR([ \t;]|$)", "ERR is not POSIX, and old versions of ash do not have it either", "set -e and trap … EXIT, or check each command")
  rule("code", "beyond", "wait-next", "(^|[ \t;&|])wait[ \t]+-n", "wait -n is not POSIX", "wait for each process by its number")
  rule("code", "beyond", "let", "(^|[ \t;&|])let[ \t]", "let is not POSIX", "x=$((…))")
  rule("code", "beyond", "pipefail", "set[ \t]+.*pipefail", "pipefail is POSIX since 2024 only: many shells stop at it", "check the parts of the pipe one by one")
  rule("code", "beyond", "read-option", "(^|[ \t;&|])read[ \t]+(-r[ \t]+)?-[a-z]*[pntsdu]", "of read's options only -r is POSIX", "printf for the prompt, stty -echo for secrets")
  rule("code", "beyond", "local", "(^|[ \t;&|{])local[ \t]", "local is not POSIX, though nearly every shell has it", "a subshell as the function's body: name() ( … )")
  rule("code", "beyond", "and-or-in-test", "(^|[ \t;&|!(])\\[[ \t][^]]*[ \t]-[ao][ \t][^]]*\\]", "-a and -o in tests are gone from POSIX", "[ … ] && [ … ]")
  rule("code", "beyond", "which", "(^|[ \t;&|($])which[ \t]", "which is not POSIX", "command -v")
  rule("code", "beyond", "sed-in-place", "(^|[ \t;&|(])sed[ \t]+(-[A-Za-z]+[ \t]+)*-[A-Za-z]*i", "sed -i is not POSIX, and systems disagree on its argument", "sed … file > new && mv new file")
  rule("code", "beyond", "date-parse", "(^|[ \t;&|(])date[ \t]+(-[a-z]+[ \t]+)*(-d|--date)", "date -d is not POSIX", "keep times as seconds, or use awk")
  rule("code", "beyond", "long-file-path", "(^|[ \t;&|(])(readlink[ \t]+-f|realpath)[ \t]", "readlink -f and realpath came to POSIX in 2024 only", "cd \"$(dirname \"$x\")\" && pwd -P")
  rule("expand", "beyond", "substring", "[$][{][A-Za-z_][A-Za-z0-9_]*:[ \t]*([0-9$(]|[ \t]-[0-9])", "${x:0:3} is not POSIX", "${x#…}, ${x%…} or cut")
  rule("expand", "beyond", "replace", "[$][{][A-Za-z_][A-Za-z0-9_]*/", "${x/a/b} is not POSIX", "sed, or ${x%…} and ${x#…}")
  rule("expand", "beyond", "random", "[$][{]?(RANDOM|EPOCHSECONDS|HOSTNAME)([^A-Za-z0-9_]|$)", "is not POSIX", "awk's rand(), date +%s, hostname")
  rule("expand", "beyond", "power", "[$][(][(][^)]*[*][*]", "** is not POSIX", "a loop, or awk")
  rule("code", "beyond", "dollar-quote", "[$]'", "$'…' is POSIX since 2024 only", "$(printf '\\t')")
}

function foreign(names, message, instead,    list_of, count, i) {
  count = split(names, list_of, " ")
  for (i = 1; i <= count; i++) {
    foreign_message[list_of[i]] = message
    foreign_instead[list_of[i]] = instead
  }
}

function rule(on, class, name, pattern, message, instead) {
  rules++
  rule_on[rules] = on
  rule_class[rules] = class
  rule_name[rules] = name
  rule_pattern[rules] = pattern
  rule_message[rules] = message
  rule_instead[rules] = instead
}

function clean(text) {
  gsub(/[^ -~\200-\377]/, " ", text)
  sub(/^ +/, "", text)
  return length(text) > 160 ? substr(text, 1, 160) " …" : text
}

function report(class, name, message, instead) {
  if (class == "beyond" && target == "ash") return
  if (seen[NR, name]++) return
  printf "%d\t%s\t%s\t%s\t%s\t%s\n", NR, class, name, message, instead, clean($0)
}

# Splits the line into `code`, where quotes are empty, and `expand`, where only what is never expanded is left out.
function split_line(line,    at, character, next_one, before, rest) {
  code = ""
  expand = ""
  for (at = 1; at <= length(line); at++) {
    character = substr(line, at, 1)
    if (state == "single") {
      if (character == "'") { state = "code"; code = code "'" }
      continue
    }
    next_one = substr(line, at + 1, 1)
    if (character == "\\") {
      # The next character is only itself.
      code = code (state == "double" ? "" : "_")
      at++
      continue
    }
    if (character == "$" && next_one == "(") {
      rest = substr(line, at + 2, 1)
      if (rest == "(") { push("arithmetic"); code = code "$(("; expand = expand "$(("; at += 2; inner = 0; continue }
      push("code"); code = code "$("; expand = expand "$("; at++
      continue
    }
    if (state == "arithmetic") {
      expand = expand character
      if (character == "(") inner++
      else if (character == ")" && inner > 0) inner--
      else if (character == ")") { if (next_one == ")") { at++; expand = expand ")" } pop(); code = code "))" }
      continue
    }
    if (character == "\"") {
      state = state == "double" ? "code" : "double"
      code = code "\""
      expand = expand "\""
      continue
    }
    if (state == "double") { expand = expand character; continue }
    before = at == 1 ? " " : substr(line, at - 1, 1)
    if (character == "#" && before ~ /[ \t;&|()]/) return
    if (character == "'") { state = "single"; code = code "'"; continue }
    if (character == ")" && depth > 0 && parens[depth] == 0) { pop(); code = code ")"; expand = expand ")"; continue }
    if (character == "(") parens[depth]++
    else if (character == ")" && parens[depth] > 0) parens[depth]--
    if (character == "<" && next_one == "<" && substr(line, at, 3) != "<<<" && before != "<") here_document(substr(line, at + 2))
    code = code character
    expand = expand character
  }
}

function push(to) { depth++; stack[depth] = state; parens[depth] = 0; state = to }
function pop() { state = stack[depth]; depth-- }

# `<< WORD`, `<<-WORD`, `<< 'WORD'`
function here_document(text,    quoted, word) {
  strips[pending + 1] = text ~ /^-/
  sub(/^-?[ \t]*/, "", text)
  quoted = text ~ /^['"\\]/
  if (!match(text, /^['"\\]?[A-Za-z0-9_.+!%-]+/)) return
  word = substr(text, RSTART, RLENGTH)
  sub(/^['"\\]/, "", word)
  pending++
  words[pending] = word
  quotes[pending] = quoted
}

# The names at places where the shell expects a command.
function commands(text,    pieces, count, i, piece, name) {
  # What is in arrays, and the patterns of a case, are no commands.
  gsub(/[A-Za-z_][A-Za-z0-9_]*[+]?=[(][^)]*[)]/, " ", text)
  gsub(/;;[ \t]*[(]?[^()]*[)]/, "\n", text)
  gsub(/[ \t]in[ \t]+[(]?[^()$]*[)]/, "\n", text)
  sub(/^[ \t]*[(]?[^()]*[)]/, "\n", text)
  gsub(/[$][(][(]/, " ", text)
  gsub(/[0-9]*[<>]&[0-9-]/, " ", text)
  gsub(/;;|&&|[|][|]|[;&|(){}`]|[$][(]/, "\n", text)
  count = split(text, pieces, "\n")
  for (i = 1; i <= count; i++) {
    piece = pieces[i]
    sub(/^[ \t]+/, "", piece)
    while (match(piece, /^(if|then|else|elif|while|until|do|!|time|exec|command|nohup|[A-Za-z_][A-Za-z0-9_]*=[^ \t]*)[ \t]+/)) piece = substr(piece, RLENGTH + 1)
    if (!match(piece, /^[A-Za-z_][A-Za-z0-9_.-]*/)) continue
    name = substr(piece, 1, RLENGTH)
    if (RLENGTH > 64 || substr(piece, RLENGTH + 1) !~ /^([ \t]|$)/) continue
    call(name)
  }
}

function call(name) {
  if (name ~ /^(for|case|in|esac|fi|done|function|then|else|do|if|elif|while|until)$/) return
  if (name in foreign_message) report("error", name, foreign_message[name], foreign_instead[name])
  else if (!(name in called)) called[name] = NR
}

{
  line = $0
  if (sub(/\r$/, "", line) && !returns++) report("error", "line-ends", "the lines end with a carriage return, which becomes a part of words", "tr -d '\\r' < script > new")
  if (NR == 1 && line ~ /^#!/) {
    if (line ~ /(ba|z|k|c|tc|fi)sh([ \t]|$)/) report("beyond", "shebang", "it asks for another shell by its first line", "#!/bin/sh, once the rest is portable; or keep it, and install that shell")
    next
  }
  if (length(line) > most_line) {
    report("beyond", "long-line", "too long to look at", "")
    line = substr(line, 1, most_line)
  }
  if (reading > 0) {
    ended = line
    if (strips[reading]) sub(/^\t+/, "", ended)
    if (ended == words[reading]) {
      reading = reading < pending ? reading + 1 : 0
      if (reading == 0) pending = 0
      next
    }
    if (quotes[reading]) next
    code = ""
    expand = line
  } else {
    split_line(line)
    if (pending > 0) reading = 1
  }
  if (match(code, /^[ \t]*(function[ \t]+)?[A-Za-z_][A-Za-z0-9_.-]*[ \t]*[(][ \t]*[)]/) || match(code, /^[ \t]*function[ \t]+[A-Za-z_][A-Za-z0-9_.-]*/)) {
    defined_name = substr(code, RSTART, RLENGTH)
    gsub(/^[ \t]*(function[ \t]+)?|[ \t]*[(].*$/, "", defined_name)
    defined[defined_name] = 1
  }
  for (i = 1; i <= rules; i++) {
    subject = rule_on[i] == "code" ? code : rule_on[i] == "expand" ? expand : line
    if (rule_on[i] == "raw" && code == "") continue
    if (!match(subject, rule_pattern[i])) continue
    # Of variables, the message begins with the name.
    variable = rule_message[i] ~ /^is / ? substr(subject, RSTART, RLENGTH) " " : ""
    gsub(/[^A-Za-z_ ]/, "", variable)
    report(rule_class[i], rule_name[i], variable rule_message[i], rule_instead[i])
  }
  commands(code)
}

END {
  for (name in called) if (!(name in defined)) printf "%s\t%d\n", name, called[name] > programs
}
