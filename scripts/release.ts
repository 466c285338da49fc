/**
 * `npm run release -- --publisher FILE` makes the files of a release in dist/release: executables of all platforms in archives, deb and rpm, and with the
 * names that FILE has an APT repository, npm packages, a Homebrew formula, manifests of Scoop and winget, a container image, a Helm chart and a GitHub action;
 * a bill of materials, checksums and the provenance. It publishes nothing. docs/publisher.yaml is an example of FILE.
 *
 *   --platforms=linux-x64,…  only these platforms (the formula needs those of macOS and Linux with glibc, and is left out without them)
 *   --only=executables       builds executables alone, without a publisher: for a machine that has one platform of several
 *   --bins=FOLDER            takes executables from there instead of dist/release/bin: <FOLDER>/<platform>/svc
 *   --base=PLATFORM=FILE     what the container image of a platform is based on: an OCI layout, what docker save writes, or the files of a system, as a tar archive
 *
 * SOURCE_DATE_EPOCH sets the time of files and documents; the default is the time of the commit.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutables } from './release/executables.ts'
import { identityOf, type Identity } from './release/identity.ts'
import { makeRelease } from './release/make.ts'
import { readPublisher } from './release/publisher.ts'
import { assertInstalled } from './release/run.ts'
import { checkSignature } from './release/signature.ts'
import { hasSystemPackages } from './release/system-package.ts'
import { executableOf, readTargets, targets, type Target } from './release/targets.ts'

const root = join(import.meta.dir, '..')
const out = join(root, 'dist', 'release')

const readOptions = () =>
  parseArgs({
    options: {
      publisher: { type: 'string' },
      platforms: { type: 'string' },
      only: { type: 'string' },
      bins: { type: 'string' },
      base: { type: 'string', multiple: true },
    },
  }).values

type Options = ReturnType<typeof readOptions>

/**
 * The bases of container images, by platform.
 * @throws Error for a platform without images, and for a file that is not there
 */
function readBases(options: readonly string[]): ReadonlyMap<string, string> {
  const pairs = options.map((option): readonly [string, string] => {
    const [, id = '', path = ''] = /^([^=]+)=(.+)$/.exec(option) ?? []
    if (!targets.some((it) => it.id === id && hasSystemPackages(it)))
      throw new Error(`--base takes linux-x64=FILE or linux-arm64=FILE, not "${option}"`)
    if (!existsSync(path)) throw new Error(`There is no file ${path}, which --base names.`)
    return [id, resolve(path)]
  })
  return new Map(pairs)
}

/** Checks everything that a release needs beside its executables, before anything is built. */
async function readIdentity({ publisher }: Options): Promise<Identity> {
  if (publisher === undefined)
    throw new Error(
      'Who publishes the release is unknown. Copy docs/publisher.yaml, write the names that you own into it, and run: npm run release -- --publisher FILE',
    )
  if (!existsSync(publisher))
    throw new Error(`There is no file ${publisher}; docs/publisher.yaml is an example of what --publisher takes.`)
  const identity = identityOf(
    readPublisher(publisher, await readFile(publisher, 'utf8')),
    JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string },
    process.env,
  )
  assertInstalled('gzip', 'archives')
  assertInstalled('zip', 'the archive of Windows')
  return identity
}

/**
 * Checks the signatures of executables for macOS.
 * @throws Error for one that would not run
 */
async function checkSignatures(bins: string, built: readonly Target[]): Promise<void> {
  for (const target of built) {
    if (target.os !== 'darwin') continue
    const path = join(bins, target.id, executableOf(target))
    const state = checkSignature(await readFile(path))
    if (state === 'valid') continue
    const message = `The signature of ${path} is ${state}: build it on macOS (--only=executables), or run "codesign --force --sign - ${path}" there.`
    // Apple silicon runs nothing without a valid signature.
    if (target.cpu === 'arm64' || process.env.CI !== undefined) throw new Error(message)
    console.warn(message)
  }
}

async function main(): Promise<void> {
  const options = readOptions()
  const { only } = options
  const built = readTargets(options.platforms)
  const bins = resolve(options.bins ?? join(out, 'bin'))
  if (only !== undefined && only !== 'executables') throw new Error(`--only takes "executables", not "${only}"`)
  const bases = readBases(options.base ?? [])
  const identity = only === undefined ? await readIdentity(options) : null
  if (options.bins === undefined) await buildExecutables(root, { cache: join(root, 'dist', 'runtimes'), bins }, built)
  const missing = built.filter((it) => !existsSync(join(bins, it.id, executableOf(it))))
  if (missing.length > 0)
    throw new Error(`There is no executable for ${missing.map((it) => it.id).join(', ')} in ${bins}.`)
  await checkSignatures(bins, built)
  if (identity === null) return
  await makeRelease({ root, out, bins, identity, built, bases, env: process.env })
}

await main().catch((error: unknown) => {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
