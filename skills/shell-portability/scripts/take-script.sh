# Takes the script from standard input into /tmp/script. Sourced by the tools of this skill.

most=262144

fail() {
  printf '%s\n' "$self: $1" >&2
  exit 2
}

take_script() {
  cd /tmp || fail 'there is no scratch folder at /tmp'
  head -c "$((most + 1))" > script || fail 'the script cannot be written to /tmp'
  size=$(wc -c < script)
  [ "$size" -gt 0 ] || fail 'no script on standard input'
  [ "$size" -le "$most" ] || fail 'the script is larger than 256 KiB'
  [ "$(tr -d '\000' < script | wc -c)" -eq "$size" ] || fail 'there are NUL bytes in it: this is no shell script (or it is UTF-16)'
}

# The shell that is used here, in a few words.
shell_version() {
  busybox 2>&1 | sed -n '1s/ multi-call.*//p'
}
