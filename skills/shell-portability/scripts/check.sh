#!/bin/sh
# Is a shell script portable? Reads it from standard input, has BusyBox ash parse it, and looks for what only other
# shells know. Meant to be run in a BusyBox container; nothing of the script is executed.
#
# Usage: check.sh [--target ash|posix] < SCRIPT
# Exit status: 0 checked, whatever came of it; 2 wrong usage or no script.

self=check
skill=$(dirname "$0")/..
. "$skill/scripts/take-script.sh"

target=posix
while [ $# -gt 0 ]; do
  case $1 in
    --target=*) target=${1#*=} ;;
    --target) shift; target=${1-} ;;
    *) fail "unknown argument: $1" ;;
  esac
  shift
done
case $target in
  ash | posix) ;;
  *) fail '--target must be ash or posix' ;;
esac

take_script

if sh -n script 2> parse-errors; then parses=yes; else parses=no; fi

# Findings, one a line: number, class, rule, what is wrong, what to do instead, the line itself; parted by tabs.
awk -f "$skill/scripts/findings.awk" -v target="$target" -v programs=programs script > findings 2> awk-errors || fail "the script could not be looked at: $(head -c 300 awk-errors)"

errors=$(grep -c '^[0-9]*	error	' findings)
silent=$(grep -c '^[0-9]*	silent	' findings)
beyond=$(grep -c '^[0-9]*	beyond	' findings)

if [ "$parses" = no ]; then
  verdict='not portable: BusyBox ash cannot even parse it'
elif [ "$errors" -gt 0 ]; then
  verdict='not portable: it will fail in BusyBox ash'
elif [ "$silent" -gt 0 ]; then
  verdict='not portable: it runs, and does something else'
elif [ "$beyond" -gt 0 ]; then
  verdict='runs in BusyBox ash; other POSIX shells may refuse it'
else
  verdict='portable, as far as can be seen without running it'
fi

printf 'Verdict: %s\n' "$verdict"
printf 'Parsed by: %s, ash. Target: %s.\n' "$(shell_version)" "$target"

if [ "$parses" = no ]; then
  printf '\nWhat the shell says:\n'
  head -n 5 parse-errors | tr -d '\000-\010\013-\037\177' | cut -c 1-300 | sed 's/^/  /'
fi

if [ -s findings ]; then
  printf '\n'
  head -n 200 findings | awk -F '\t' '
    BEGIN { words["error"] = "fails"; words["silent"] = "does something else"; words["beyond"] = "not POSIX" }
    {
      printf "line %s: %s: %s [%s]\n", $1, words[$2], $4, $3
      if ($6 != "") printf "    %s\n", $6
      if ($5 != "") printf "    instead: %s\n", $5
    }'
  [ "$(wc -l < findings)" -le 200 ] || printf '… and more: the first 200 are shown.\n'
  printf '\n%s that fail, %s that do something else, %s beyond POSIX.\n' "$errors" "$silent" "$beyond"
fi

# Programs that the script calls and this small image does not have: what a minimal system would be missing.
missing=$([ ! -f programs ] || sort programs | head -n 300 | while IFS='	' read -r name number; do
  command -v "$name" > /dev/null 2>&1 || printf '%s (line %s)\n' "$name" "$number"
done | head -n 30)
if [ -n "$missing" ]; then
  printf '\nCalled, and not in this image:\n'
  printf '%s\n' "$missing" | sed 's/^/  /'
fi
