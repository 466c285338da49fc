#!/bin/sh
# Lints SPECIFICATION, compares it with BASE and imports it; writes every report into REPORTS, then exits with the code that
# weighs most (2 usage > 1 transport > 7 timeout > 6 failed job > 3 policy > 4 grade or severity > 5 nothing to grade).
# SVC is the command to run; FAIL_ON, MIN_GRADE, GUIDE and IMPORT are as in action.yml.
set -u
svc=${SVC:-svc}
reports=${REPORTS:-svc-reports}
mkdir -p "$reports"
worst=0

rank() {
  case $1 in 0) echo 0 ;; 5) echo 1 ;; 4) echo 2 ;; 3) echo 3 ;; 6) echo 4 ;; 7) echo 5 ;; 1) echo 6 ;; 2) echo 7 ;; *) echo 8 ;; esac
}

step() {
  echo "svc $*"
  # SVC may be a command with arguments of its own.
  # shellcheck disable=SC2086
  $svc "$@"
  code=$?
  if [ "$(rank "$code")" -gt "$(rank "$worst")" ]; then worst=$code; fi
}

annotations=text
[ -n "${GITHUB_ACTIONS:-}" ] && annotations=github-actions

set -- lint "$SPECIFICATION" --format "$annotations" --report "sarif=$reports/lint.sarif" --report "junit=$reports/lint.xml" --report "gitlab=$reports/lint.json"
[ -n "${GUIDE:-}" ] && set -- "$@" --guide "$GUIDE"
[ "${MIN_GRADE:-none}" != none ] && set -- "$@" --min-grade "$MIN_GRADE"
step "$@"

base=${BASE:-}
if [ -z "$base" ] && [ -n "${GITHUB_BASE_REF:-}" ]; then base="origin/$GITHUB_BASE_REF:$SPECIFICATION"; fi
if [ -n "$base" ]; then
  set -- diff "$base" "$SPECIFICATION" --format "$annotations" --report "sarif=$reports/diff.sarif" --report "junit=$reports/diff.xml" --report "gitlab=$reports/diff.json" --report "markdown=$reports/diff.md" --report "html=$reports/diff.html"
  [ "${FAIL_ON:-breaking}" != none ] && set -- "$@" --fail-on "${FAIL_ON:-breaking}"
  step "$@"
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$reports/diff.md" ]; then cat "$reports/diff.md" >>"$GITHUB_STEP_SUMMARY"; fi
fi

[ "${IMPORT:-false}" = true ] && step import auto "$SPECIFICATION"

[ -n "${GITHUB_OUTPUT:-}" ] && echo "exit-code=$worst" >>"$GITHUB_OUTPUT"
exit "$worst"
