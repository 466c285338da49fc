/** Makes the GitHub action of a release: the action of this repository, with a step before it that installs the executable of the release. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { file, type Entry } from './entries.ts'
import { downloadOf, type Identity } from './identity.ts'
import { archiveOf, digestIn, targetOf } from './targets.ts'

/** The archives by what a runner says of itself: RUNNER_OS and RUNNER_ARCH. */
const runners = {
  'Linux-X64': 'linux-x64',
  'Linux-ARM64': 'linux-arm64',
  'macOS-X64': 'darwin-x64',
  'macOS-ARM64': 'darwin-arm64',
  'Windows-X64': 'windows-x64',
} as const

/** The script that downloads the archive of the runner, checks its digest, and puts svc on the path. */
function installer(identity: Identity, digests: ReadonlyMap<string, string>): string {
  const cases = Object.entries(runners).flatMap(([runner, id]) => {
    const archive = archiveOf(targetOf(id), identity.version)
    return digests.has(archive)
      ? [`  ${runner}) archive=${archive} digest=${digestIn(digests, archive, 'The action')} ;;`]
      : []
  })
  return `#!/bin/sh
# Installs svc ${identity.version} on a runner. An executable that the job names, or has on its path, is used instead.
set -eu
if [ -n "\${SVC:-}" ] || command -v svc >/dev/null; then exit 0; fi
case "$RUNNER_OS-$RUNNER_ARCH" in
${cases.join('\n')}
  *)
    echo "::error::svc ${identity.version} has no executable for $RUNNER_OS $RUNNER_ARCH; give the input svc the path of one."
    exit 2
    ;;
esac
folder=$RUNNER_TEMP/svc-${identity.version}
mkdir -p "$folder"
cd "$folder"
curl --fail --silent --show-error --location --retry 3 --max-time 300 --output "$archive" \\
  "${downloadOf(identity, '')}$archive"
if command -v sha256sum >/dev/null; then found=$(sha256sum "$archive"); else found=$(shasum -a 256 "$archive"); fi
if [ "\${found%% *}" != "$digest" ]; then
  echo "::error::$archive does not have the digest of the release: expected $digest, not \${found%% *}."
  exit 2
fi
case $archive in
  *.zip) unzip -q -o "$archive" svc.exe ;;
  *) tar -xzf "$archive" svc ;;
esac
rm "$archive"
echo "$folder" >>"$GITHUB_PATH"
`
}

/**
 * The files of the action, for a repository of its own.
 * @param root the folder of the sources
 * @param digests SHA-256 of the archives, by their names
 * @throws Error where action.yml has no place for the step
 */
export async function actionEntries(
  root: string,
  identity: Identity & { readonly action: string },
  digests: ReadonlyMap<string, string>,
): Promise<readonly Entry[]> {
  const text = await readFile(join(root, 'action.yml'), 'utf8')
  const step =
    '    - shell: bash\n      env: { SVC: \'${{ inputs.svc }}\' }\n      run: sh "$GITHUB_ACTION_PATH/install.sh"\n'
  const written = text
    .replace(/^ {2}steps:\n/m, (it) => `${it}${step}`)
    .replace('$GITHUB_ACTION_PATH/scripts/check-specification.sh', '$GITHUB_ACTION_PATH/check-specification.sh')
    .replace(
      'svc on the path, or a build from the source of this action.',
      `svc on the path, or svc ${identity.version}.`,
    )
  if (!written.includes(step) || written.includes('/scripts/') || written.includes('build from the source'))
    throw new Error('action.yml has changed: the step that installs svc has no place in it.')
  const { action, version } = identity
  return [
    file('action.yml', written),
    file('check-specification.sh', await readFile(join(root, 'scripts/check-specification.sh')), 0o755),
    file('install.sh', installer(identity, digests), 0o755),
    file('LICENSE', await readFile(join(root, 'LICENSE'))),
    file(
      'README.md',
      `# svc\n\nLints a specification, compares it with the target branch, and comments on the pull request.\n\n\`\`\`yaml\n- uses: actions/checkout@v5\n  with: { fetch-depth: 0 }\n- uses: ${action}@v${version}\n  with: { specification: openapi.yaml }\n\`\`\`\n\nIt installs svc ${version} and checks its digest. Inputs are in action.yml; ${identity.homepage} describes svc.\n`,
    ),
  ]
}
