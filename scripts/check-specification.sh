#!/bin/sh
# Lints SPECIFICATION, compares it with BASE and imports it, or with CHECK checks the APIs of svc.yaml; writes every report into
# REPORTS, then exits with the most important code of the steps.
# SVC is the command to run; the other variables are the inputs of action.yml.
set -u
reports=${REPORTS:-svc-reports}
mkdir -p "$reports"
worst=0

# The most important exit code first, as in src/errors/exit-codes.ts; a code of another program comes before all.
order="70 143 130 2 1 7 6 3 4 5 13 12 11 10 0"
more_important() {
  case " $order " in *" $1 "*) ;; *) echo "$1" && return ;; esac
  for code in $order; do
    if [ "$code" = "$1" ] || [ "$code" = "$2" ]; then echo "$code" && return; fi
  done
  echo "$2"
}

# Writes to the log; on GitHub as an annotation.
tell() {
  if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::$1::$2"; else echo "$1: $2" >&2; fi
}

find_svc() {
  svc=${SVC:-}
  [ -n "$svc" ] && return
  svc=svc
  command -v svc >/dev/null && return
  [ -n "${GITHUB_ACTION_PATH:-}" ] || return
  echo "There is no svc on the path: building one"
  (cd "$GITHUB_ACTION_PATH" && npm run --silent setup && npm run --silent build) && svc="$GITHUB_ACTION_PATH/dist/svc"
}

step() {
  echo "svc $*"
  # SVC may be a command with arguments of its own.
  # shellcheck disable=SC2086
  $svc "$@"
  worst=$(more_important "$?" "$worst")
}

# The target branch of a pull request. Clones of pipelines are shallow: what is missing is fetched.
fetch_target() {
  branch="refs/remotes/origin/$GITHUB_BASE_REF"
  git rev-parse --verify --quiet "$branch^{commit}" >/dev/null ||
    git fetch --quiet --no-tags --depth=1 origin "+refs/heads/$GITHUB_BASE_REF:$branch" ||
    tell warning "The branch $GITHUB_BASE_REF cannot be fetched; give actions/checkout a fetch-depth of 0"
}

# The file on the target branch.
find_base() {
  base=${BASE:-}
  derived=false
  [ -z "$base" ] && [ -n "${GITHUB_BASE_REF:-}" ] || return 0
  case $SPECIFICATION in /* | *://* | -) return 0 ;; esac
  fetch_target
  base="origin/$GITHUB_BASE_REF:./${SPECIFICATION#./}"
  derived=true
}

summarize() {
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$1" ]; then cat "$1" >>"$GITHUB_STEP_SUMMARY"; fi
}

# One comment for each specification, or for all APIs of svc.yaml: the marker in its first line finds it again.
comment() {
  text=$1
  [ "${COMMENT:-false}" = true ] && [ -f "$text" ] || return 0
  number=$(printf '%s' "${GITHUB_REF:-}" | sed -n 's#^refs/pull/\([0-9][0-9]*\)/.*$#\1#p')
  [ -n "$number" ] || return 0
  if [ -z "${GH_TOKEN:-}" ]; then
    tell notice 'There is no token to comment with: the comparison is in the summary of the job'
    return 0
  fi
  SVC_MARKER=$(head -n 1 "$text")
  export SVC_MARKER
  comments="repos/$GITHUB_REPOSITORY/issues/$number/comments"
  if id=$(gh api --paginate "$comments" --jq '.[] | select(.body | startswith(env.SVC_MARKER)) | .id') &&
    id=$(printf '%s\n' "$id" | head -n 1) &&
    if [ -n "$id" ]; then
      gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field "body=@$text"
    else
      gh api --silent --method POST "$comments" --field "body=@$text"
    fi; then
    return 0
  fi
  tell notice 'The comment cannot be written (it takes "pull-requests: write"): the comparison is in the summary of the job'
}

# Every API of svc.yaml; of a pull request those that it touches, with one comment for all. What compareWith names is fetched.
check_all() {
  set -- check --format "$annotations" --report "sarif=$reports/check.sarif" --report "junit=$reports/check.xml" --report "gitlab=$reports/check.json" --report "markdown=$reports/findings.md" --allow-missing-base
  [ -n "${PROFILE:-}" ] && set -- "$@" "--profile=$PROFILE"
  [ "${MIN_GRADE:-none}" != none ] && set -- "$@" "--min-grade=$MIN_GRADE"
  [ -n "${CONSUMERS:-}" ] && set -- "$@" --consumers
  if [ -n "${GITHUB_BASE_REF:-}" ]; then
    fetch_target
    [ "${ALL:-false}" = true ] || set -- "$@" "--since=origin/$GITHUB_BASE_REF"
  fi
  rm -f "$reports/findings.md"
  step "$@"
  [ -f "$reports/findings.md" ] || return 0
  # A comment has at most 65,536 characters, and its first line is the marker.
  {
    echo '<!-- svc-check -->'
    head -c 60000 "$reports/findings.md"
    [ "$(wc -c <"$reports/findings.md")" -le 60000 ] || printf '\n\n… The whole report is in the reports of the job.\n'
  } >"$reports/check.md"
  rm -f "$reports/findings.md"
  summarize "$reports/check.md"
  comment "$reports/check.md"
}

finish() {
  [ -n "${GITHUB_OUTPUT:-}" ] && echo "exit-code=$worst" >>"$GITHUB_OUTPUT"
  exit "$worst"
}

find_svc
annotations=text
[ -n "${GITHUB_ACTIONS:-}" ] && annotations=github-actions
if [ "${CHECK:-false}" = true ]; then
  if [ -n "${SPECIFICATION:-}" ]; then
    tell error 'Give either a specification or check: true'
    worst=2
  else
    check_all
  fi
  finish
fi
if [ -z "${SPECIFICATION:-}" ]; then
  tell error 'Give a specification, or check: true for the APIs of svc.yaml'
  worst=2
  finish
fi

set -- lint --format "$annotations" --report "sarif=$reports/lint.sarif" --report "junit=$reports/lint.xml" --report "gitlab=$reports/lint.json" --report "markdown=$reports/lint.md"
[ -n "${GUIDE:-}" ] && set -- "$@" "--guide=$GUIDE"
[ "${MIN_GRADE:-none}" != none ] && set -- "$@" "--min-grade=$MIN_GRADE"
step "$@" -- "$SPECIFICATION"
summarize "$reports/lint.md"

find_base
if [ -n "$base" ]; then
  set -- diff --format "$annotations" --report "sarif=$reports/diff.sarif" --report "junit=$reports/diff.xml" --report "gitlab=$reports/diff.json" --report "markdown=$reports/diff.md" --report "html=$reports/diff.html"
  [ "${FAIL_ON:-breaking}" != none ] && set -- "$@" "--fail-on=${FAIL_ON:-breaking}"
  [ -n "${CONSUMERS:-}" ] && set -- "$@" "--consumers=$CONSUMERS"
  [ -n "${IGNORE:-}" ] && set -- "$@" "--ignore=$IGNORE"
  # A specification that the target branch does not have is new.
  [ "$derived" = true ] && set -- "$@" --allow-missing-base
  rm -f "$reports/diff.md"
  step "$@" -- "$base" "$SPECIFICATION"
  summarize "$reports/diff.md"
  comment "$reports/diff.md"
fi

# Without a key the token of the job is exchanged for access: the service trusts it (svc trust add).
if [ "${IMPORT:-false}" = true ] && [ -z "${SVC_API_KEY:-}" ] && [ -n "${SVC_BASE_URL:-}" ] && [ -n "${SVC_TENANT:-}" ] &&
  { [ -n "${ACTIONS_ID_TOKEN_REQUEST_URL:-}" ] || [ -n "${SVC_ID_TOKEN:-}" ]; }; then
  # shellcheck disable=SC2086
  if SVC_API_KEY=$($svc trust exchange); then
    [ -n "${GITHUB_ACTIONS:-}" ] && echo "::add-mask::$SVC_API_KEY"
    export SVC_API_KEY
  else
    worst=$(more_important "$?" "$worst")
    IMPORT=false
  fi
fi

[ "${IMPORT:-false}" = true ] && step import auto -- "$SPECIFICATION"

finish
