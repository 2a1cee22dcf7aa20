#!/bin/sh
# Report the facts needed to choose a changelog range: last tag, commits since,
# whether the clone is complete, and which tags exist. Reads only.

set -u
LC_ALL=C
export LC_ALL

usage() {
  cat <<'TEXT'
Usage: release-range.sh [--json] [--tag-glob GLOB] [--to REF] [REPO]

Shows which commits a changelog for the next release has to cover.

  REPO             directory inside a git work tree (default: .)
  --to REF         end of the range (default: HEAD)
  --tag-glob GLOB  only consider tags that match, e.g. 'v*' or 'api/v*'
  --json           print one JSON object instead of text
  --help           show this text

Exit status: 0 on success, 2 on wrong usage, no repository or unknown REF.
TEXT
}

die() {
  printf 'release-range: %s\n' "$1" >&2
  exit 2
}

# Quote a value as a JSON string. Git forbids control characters in ref names,
# but be safe and drop them.
json_string() {
  printf '%s' "$1" | tr -d '\000-\037\177' | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/"/' | tr -d '\n'
}
json_or_null() {
  if [ -n "$1" ]; then json_string "$1"; else printf 'null'; fi
}

json=0
repo=
glob=
to=HEAD
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --json) json=1 ;;
    --tag-glob) [ $# -ge 2 ] || die '--tag-glob needs a value'; glob=$2; shift ;;
    --tag-glob=*) glob=${1#*=} ;;
    --to) [ $# -ge 2 ] || die '--to needs a value'; to=$2; shift ;;
    --to=*) to=${1#*=} ;;
    --) shift; [ $# -gt 0 ] && repo=$1; break ;;
    -*) die "unknown option $1 (see --help)" ;;
    *) [ -z "$repo" ] || die "only one REPO can be given (see --help)"; repo=$1 ;;
  esac
  shift
done
[ -n "$repo" ] || repo=.

command -v git >/dev/null 2>&1 || die 'git is not installed or not on PATH'
[ -d "$repo" ] || die "no such directory: $repo"
case $to in -* | '') die "not a valid ref: '$to'" ;; esac
case $glob in -*) die "not a valid tag pattern: '$glob'" ;; esac

g() { git -C "$repo" --no-pager -c core.fsmonitor=false -c log.showSignature=false "$@"; }

if ! why=$(g rev-parse --git-dir 2>&1 >/dev/null); then
  die "$repo is not a usable git repository: $(printf '%s' "$why" | head -n 1)"
fi
head=$(g rev-parse --verify --quiet "$to^{commit}" 2>/dev/null) ||
  die "cannot resolve '$to' to a commit (empty repository, or a ref that was not fetched?)"

shallow=$(g rev-parse --is-shallow-repository 2>/dev/null)
[ "$shallow" = true ] || shallow=false
branch=$(g symbolic-ref --quiet --short HEAD 2>/dev/null) || branch=

describe() {
  if [ -n "$glob" ]; then
    g describe --tags --abbrev=0 --match "$glob" "$@" 2>/dev/null
  else
    g describe --tags --abbrev=0 "$@" 2>/dev/null
  fi
}

last=$(describe "$head") || last=
exact=
from=$last
if [ -n "$last" ] && [ "$(g rev-parse --verify --quiet "refs/tags/$last^{commit}")" = "$head" ]; then
  # The end of the range is itself tagged: the release is the span before it.
  exact=$last
  from=$(describe "$head^" 2>/dev/null) || from=
fi

if [ -n "$from" ]; then range="refs/tags/$from..$head"; else range=$head; fi
commits=$(g rev-list --count "$range" -- 2>/dev/null) || commits=0
merges=$(g rev-list --count --merges "$range" -- 2>/dev/null) || merges=0
mainline=$(g rev-list --count --first-parent "$range" -- 2>/dev/null) || mainline=0
authors=$(g log --format='%aE' "$range" -- 2>/dev/null | sort -u | grep -c .)
since=
if [ -n "$from" ]; then
  since=$(g log -1 --format=%cs "refs/tags/$from^{commit}" -- 2>/dev/null)
fi
if [ -n "$glob" ]; then newest=$(g tag --list --sort=-version:refname "$glob" 2>/dev/null | head -n 1)
else newest=$(g tag --list --sort=-version:refname 2>/dev/null | head -n 1); fi
tags=$(g tag --list ${glob:+"$glob"} 2>/dev/null | grep -c .)

warnings=
warn() { warnings="${warnings}${warnings:+
}$1"; }
[ "$shallow" = true ] && warn 'Shallow clone: older commits and tags may be missing. Run: git fetch --unshallow --tags'
[ "$tags" -eq 0 ] && warn 'No matching tags: the range is the whole history. Pass an explicit start to group-commits.mjs --from.'
if [ "$tags" -gt 0 ] && [ -z "$last" ]; then
  warn 'Tags exist but none is an ancestor of the end of the range. Wrong branch, or tags made on a rewritten history?'
fi
if [ -n "$exact" ]; then warn "The end of the range already carries the tag $exact; the range covers that release."; fi
if [ -n "$newest" ] && [ -n "$last" ] && [ "$newest" != "$last" ] &&
  ! g merge-base --is-ancestor "refs/tags/$newest" "$head" 2>/dev/null; then
  warn "The highest tag $newest is not an ancestor of $to: it was cut from another branch."
fi
[ "$commits" -eq 0 ] && warn 'The range holds no commits.'

to_name=$to
[ -n "$exact" ] && to_name=$exact

if [ "$json" -eq 1 ]; then
  printf '{"from":'; json_or_null "$from"
  printf ',"to":'; json_string "$to_name"
  printf ',"toCommit":'; json_string "$head"
  printf ',"branch":'; json_or_null "$branch"
  printf ',"since":'; json_or_null "$since"
  printf ',"commits":%d,"mergeCommits":%d,"firstParentCommits":%d,"authors":%d,"matchingTags":%d' \
    "$commits" "$merges" "$mainline" "$authors" "$tags"
  printf ',"highestTag":'; json_or_null "$newest"
  printf ',"shallow":%s,"warnings":[' "$shallow"
  if [ -n "$warnings" ]; then
    first=1
    printf '%s\n' "$warnings" | while IFS= read -r line; do
      [ "$first" -eq 1 ] || printf ','
      first=0
      json_string "$line"
    done
  fi
  printf ']}\n'
else
  printf 'Range         %s..%s\n' "${from:-(start of history)}" "$to_name"
  [ -n "$since" ] && printf 'Since         %s\n' "$since"
  printf 'Branch        %s\n' "${branch:-(detached)}"
  printf 'Commits       %d (%d merges, %d on the first-parent line)\n' "$commits" "$merges" "$mainline"
  printf 'Authors       %d\n' "$authors"
  printf 'Highest tag   %s (of %d)\n' "${newest:-none}" "$tags"
  if [ -n "$warnings" ]; then
    printf '\n'
    printf '%s\n' "$warnings" | sed 's/^/Warning: /'
  fi
fi
