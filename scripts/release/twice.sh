#!/bin/sh
# Makes the release of the present commit for one platform twice, each in a fresh checkout in a folder of another name, and compares every file.
#   scripts/release/twice.sh [PUBLISHER] [PLATFORM]      (docs/publisher.yaml, linux-x64)
# What is not committed is not built. Dependencies are taken from this checkout. A signature has the time at which it was made: where the publisher
# file names a key of gpg, the signatures of the APT repository are verified, and everything else is compared.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
commit=$(git rev-parse HEAD)
publisher=$(realpath "${1:-docs/publisher.yaml}")
platform=${2:-linux-x64}
work=$(mktemp -d "${TMPDIR:-/tmp}/svc-twice-XXXXXX")
trap 'rm -rf "$work"' EXIT
for name in first second/in/another/folder; do
  mkdir -p "$work/$name"
  git clone --quiet --no-hardlinks --no-checkout "$root" "$work/$name/svc"
  git -C "$work/$name/svc" checkout --quiet --detach "$commit"
  cp -a --reflink=auto node_modules "$work/$name/svc/node_modules"
  (cd "$work/$name/svc" && npm run --silent release -- --publisher "$publisher" --platforms "$platform")
  cd "$work/$name/svc/dist/release"
  for signed in $(find . -name InRelease); do
    suite=$(dirname "$signed")
    gpg --quiet --decrypt "$signed" >"$work/signed"
    cmp "$work/signed" "$suite/Release"
    gpg --quiet --verify "$suite/Release.gpg" "$suite/Release"
  done
  find . -type f ! -path './bin/*' ! -name InRelease ! -name Release.gpg | LC_ALL=C sort | xargs sha256sum >"$work/sums.${name%%/*}"
  cd "$root"
done
diff "$work/sums.first" "$work/sums.second" || { echo "The two builds differ." >&2; exit 1; }
echo "The two builds have the same $(wc -l <"$work/sums.first") files."
