/** The npm packages of a release: a small one with the launcher, and one for each platform, of which npm installs one. */
import { summary, type Identity } from './identity.ts'
import { executableOf, targets, type Target } from './targets.ts'

/** The identity of a release whose publisher has an npm package. */
export type NpmIdentity = Pick<Identity, 'version' | 'repository' | 'homepage'> & { readonly npm: string }

/** The name of the package of a platform. */
export const platformName = ({ npm }: Pick<NpmIdentity, 'npm'>, { id }: Pick<Target, 'id'>): string => `${npm}-${id}`

const common = ({ version, repository, homepage }: NpmIdentity) => ({
  version,
  license: 'Apache-2.0',
  repository: { type: 'git', url: `git+${repository}.git` },
  homepage,
})

/** The package.json of a platform. npm installs it on this platform only. */
export const platformPackage = (identity: NpmIdentity, target: Target) => ({
  name: platformName(identity, target),
  description: `The svc executable for ${target.id}`,
  ...common(identity),
  os: [target.os],
  cpu: [target.cpu],
  ...(target.libc === undefined ? {} : { libc: [target.libc] }),
  files: ['bin'],
  preferUnplugged: true,
})

/** The package.json of the package that people install. It has no install scripts. */
export const mainPackage = (identity: NpmIdentity, included: readonly Target[] = targets) => ({
  name: identity.npm,
  description: `${summary}: one executable`,
  keywords: ['openapi', 'swagger', 'arazzo', 'json-schema', 'lint', 'diff', 'breaking-changes'],
  ...common(identity),
  type: 'commonjs',
  bin: { svc: 'bin/svc.js' },
  files: ['bin'],
  engines: { node: '>=18' },
  optionalDependencies: Object.fromEntries(included.map((it) => [platformName(identity, it), identity.version])),
})

/** The program of the main package: starts the executable of the platform. */
export const launcher = (identity: NpmIdentity, included: readonly Target[] = targets): string => {
  const known = Object.fromEntries(
    included.map((it) => [
      `${it.os} ${it.cpu}${it.libc === undefined ? '' : ` ${it.libc}`}`,
      `${platformName(identity, it)}/bin/${executableOf(it)}`,
    ]),
  )
  return `#!/usr/bin/env node
'use strict'
const { spawn } = require('node:child_process')
const { constants } = require('node:os')

const executables = ${JSON.stringify(known, null, 2)}

function libc() {
  if (process.platform !== 'linux') return ''
  // Reading the network interfaces for the report can take seconds.
  if (process.report) process.report.excludeNetwork = true
  const report = process.report && process.report.getReport()
  return report && report.header && report.header.glibcVersionRuntime ? ' glibc' : ' musl'
}

const platform = process.platform + ' ' + process.arch + libc()
const wanted = executables[platform]
if (wanted === undefined) {
  console.error('svc has no executable for ' + platform + '. Platforms: ' + Object.keys(executables).join(', ') + '.')
  process.exit(2)
}
let path
try {
  path = require.resolve(wanted)
} catch {
  console.error(
    'The package with the executable of svc for ' + platform + ' is not installed (' + wanted + ').\\n' +
      'Install again without --omit=optional, and without a lock file that was made for another platform only.',
  )
  process.exit(2)
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' })
// The terminal sends Ctrl-C to both; a service manager signals this process only.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error('The executable of svc cannot be started: ' + error.message)
  process.exit(2)
})
child.on('exit', (code, signal) => process.exit(signal ? 128 + (constants.signals[signal] || 15) : code))
`
}

/** The README of the main package. */
export const mainReadme = ({ npm, homepage }: NpmIdentity): string => `# svc

${summary}: one executable.

\`\`\`sh
npx ${npm} lint openapi.yaml
npx ${npm} diff main:openapi.yaml openapi.yaml
npm install --save-dev ${npm}
\`\`\`

The executable is in a package for each platform, of which npm installs the right one; there are no install scripts. Documentation:
${homepage}
`
