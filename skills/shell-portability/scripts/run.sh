#!/bin/sh
# Runs a script from standard input under BusyBox ash, in an empty folder that may be written to. Meant to be run in a
# container without a network.
#
# Usage: run.sh [--trace] [--] [ARGUMENT…] < SCRIPT
# Exit status: that of the script; 2 for wrong usage or no script.

self=run
skill=$(dirname "$0")/..
. "$skill/scripts/take-script.sh"

trace=
while [ $# -gt 0 ]; do
  case $1 in
    --trace) trace=-x ;;
    --) shift; break ;;
    *) fail "unknown argument: $1 (arguments for the script go after --)" ;;
  esac
  shift
done

take_script
mkdir -p work && cd work || fail 'the scratch folder cannot be written to'

# Its input is empty: what came from there was the script.
sh $trace ../script "$@" < /dev/null
status=$?
[ "$status" -eq 0 ] || printf '%s\n' "run: the script ended with status $status ($(shell_version), ash)" >&2
exit "$status"
