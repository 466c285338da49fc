/**
 * `npm run release` makes the files of a release in dist/release: executables of all platforms in archives, npm packages, a Homebrew formula,
 * the manual page, completions, a bill of materials, checksums and the provenance. It publishes nothing.
 *
 *   --platforms=linux-x64,…  only these platforms (the formula needs those of macOS and Linux with glibc, and is left out without them)
 *   --only=executables       builds executables alone, without an identity: for a machine that has one platform of several
 *   --bins=FOLDER            takes executables from there instead of dist/release/bin: <FOLDER>/<platform>/svc
 *
 * SVC_RELEASE_REPOSITORY and SVC_RELEASE_NPM_NAME name who publishes it. SOURCE_DATE_EPOCH sets the time of files and documents; the
 * default is the time of the commit.
 */
import { chmod, cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { completionTree } from '../cli/completion/model.ts'
import { powershellScript } from '../cli/completion/powershell.ts'
import { bashScript, fishScript, zshScript } from '../cli/completion/scripts.ts'
import { registry } from '../cli/registry.gen.ts'
import { referencePages } from './reference/pages.ts'
import { checksums, digestOfFile } from './release/checksums.ts'
import { buildExecutables, readLock, runtimeOf } from './release/executables.ts'
import { formula } from './release/formula.ts'
import { readIdentity, type Identity } from './release/identity.ts'
import { manPage } from './release/man.ts'
import { launcher, mainPackage, mainReadme, platformPackage } from './release/npm.ts'
import { builderOf, provenance } from './release/provenance.ts'
import { assertInstalled, output } from './release/run.ts'
import { bundledPackages, sbom, type NpmSbom } from './release/sbom.ts'
import { checkSignature } from './release/signature.ts'
import { archiveOf, executableOf, readTargets, targets, type Target } from './release/targets.ts'

const root = join(import.meta.dir, '..')
const out = join(root, 'dist', 'release')
const argument = (name: string): string | undefined =>
  process.argv.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3)

const bins = resolve(argument('bins') ?? join(out, 'bin'))
const startedOn = new Date().toISOString()

/** Copies an executable; what carried it here may have lost its mode. */
async function takeExecutable(target: Target, folder: string): Promise<void> {
  const path = join(folder, executableOf(target))
  await cp(join(bins, target.id, executableOf(target)), path)
  await chmod(path, 0o755)
}

/** What the archives of all platforms contain beside the executable. */
async function sharedFiles(folder: string, { version }: Identity, date: string): Promise<readonly string[]> {
  const tree = await completionTree(registry)
  const files = [
    ['svc.1', await manPage(registry, version, date)],
    ['completions/svc.bash', bashScript(tree)],
    ['completions/_svc', zshScript(tree)],
    ['completions/svc.fish', fishScript(tree)],
    ['completions/svc.ps1', powershellScript(tree)],
    ['LICENSE', await readFile(join(root, 'LICENSE'), 'utf8')],
    ['README.md', await readFile(join(root, 'README.md'), 'utf8')],
    ['CHANGELOG.md', await readFile(join(root, 'CHANGELOG.md'), 'utf8')],
  ] as const
  const pages = Object.entries(await referencePages()).map(([path, text]) => [`docs/${path}`, text] as const)
  for (const [name, text] of [...files, ...pages]) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return [...files, ...pages].map(([name]) => name)
}

/** An archive with the same bytes for the same files. */
async function pack(
  target: Target,
  files: readonly string[],
  folder: string,
  archive: string,
  epoch: number,
): Promise<void> {
  const names = [...files, executableOf(target)].toSorted((a, b) => (a < b ? -1 : 1))
  await rm(archive, { force: true })
  if (target.os === 'win32') {
    for (const name of names) await utimes(join(folder, name), epoch, epoch)
    await output(['zip', '-X', '-9', archive, ...names], { cwd: folder, env: { ...process.env, TZ: 'UTC' } })
    return
  }
  const how = ['--format=ustar', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${epoch}`, '--sort=name']
  await output(['tar', ...how, '--use-compress-program=gzip -9n', '-cf', archive, ...names], { cwd: folder })
}

/** Packs the npm packages; returns the names of their files. */
async function packNpm(identity: Identity, built: readonly Target[], folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const packages = join(folder, 'packages')
  const write = async (name: string, described: object, files: Readonly<Record<string, string>>): Promise<string> => {
    const at = join(packages, name)
    await mkdir(join(at, 'bin'), { recursive: true })
    await writeFile(join(at, 'package.json'), `${JSON.stringify(described, null, 2)}\n`)
    await cp(join(root, 'LICENSE'), join(at, 'LICENSE'))
    for (const [path, text] of Object.entries(files)) await writeFile(join(at, path), text, { mode: 0o755 })
    return at
  }
  const folders: string[] = []
  for (const target of built) {
    const at = await write(target.id, platformPackage(identity, target), {})
    await takeExecutable(target, join(at, 'bin'))
    folders.push(at)
  }
  // The launcher names every platform that is published, so that a missing one is an error of npm and not of the launcher.
  folders.push(
    await write('main', mainPackage(identity, built), {
      'bin/svc.js': launcher(identity, built),
      'README.md': mainReadme(identity),
    }),
  )
  for (const at of folders) await output(['npm', 'pack', at, '--pack-destination', folder], { cwd: folder })
  await rm(packages, { recursive: true })
}

/** The modules that are in the executable: those of the program and those of the application. */
async function bundledModules(): Promise<string[]> {
  const [scratch, metafile] = [join(out, 'modules'), join(out, 'modules.json')]
  const how = ['--target=bun', '--splitting', `--outdir=${scratch}`, `--metafile=${metafile}`]
  await output([process.execPath, 'build', 'cli/main.ts', ...how], { cwd: root })
  await rm(scratch, { recursive: true })
  const program = JSON.parse(await readFile(metafile, 'utf8')) as { inputs: Record<string, unknown> }
  const listed = join(root, 'dist', 'web', 'inputs.json')
  if (!existsSync(listed)) await output([process.execPath, 'web/build.ts', '--release'], { cwd: root })
  const application = JSON.parse(await readFile(listed, 'utf8')) as string[]
  return [...Object.keys(program.inputs), ...application]
}

/** Checks everything that a release needs beside its executables, before anything is built. */
async function readyIdentity(): Promise<Identity> {
  assertInstalled('gzip', 'archives')
  assertInstalled('zip', 'the archive of Windows')
  if (!(await output(['tar', '--version'])).includes('GNU tar'))
    throw new Error('Archives need GNU tar; make the release on Linux (--only=executables runs everywhere).')
  const described = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return readIdentity(process.env, described)
}

async function release(built: readonly Target[], identity: Identity): Promise<void> {
  const commit = (await output(['git', 'rev-parse', 'HEAD'], { cwd: root })).trim()
  const isDirty = (await output(['git', 'status', '--porcelain'], { cwd: root })).trim() !== ''
  const epoch = Number(
    process.env.SOURCE_DATE_EPOCH ?? (await output(['git', 'log', '-1', '--format=%ct'], { cwd: root })).trim(),
  )
  const timestamp = new Date(epoch * 1000).toISOString()
  const files = join(out, 'files')
  await rm(files, { recursive: true, force: true })
  await mkdir(files, { recursive: true })

  const shared = join(out, 'shared')
  await rm(shared, { recursive: true, force: true })
  const names = await sharedFiles(shared, identity, timestamp.slice(0, 10))
  for (const target of built) {
    const executable = executableOf(target)
    await takeExecutable(target, shared)
    await pack(target, names, shared, join(files, archiveOf(target, identity.version)), epoch)
    await rm(join(shared, executable))
  }
  await cp(join(shared, 'svc.1'), join(files, 'svc.1'))

  const locked = await readLock(root)
  const npm = JSON.parse(
    await output(['npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], { cwd: root }),
  ) as NpmSbom
  const serial = Bun.randomUUIDv5(`${identity.repository}@${identity.version}#${commit}`, 'url')
  const bill = sbom({
    identity,
    npm,
    bundled: bundledPackages(await bundledModules(), locked),
    runtime: { version: Bun.version },
    timestamp,
    serial,
  })
  await writeFile(join(files, `svc-${identity.version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`)

  const digests = new Map<string, string>()
  for (const name of new Bun.Glob('*').scanSync(files)) digests.set(name, await digestOfFile(join(files, name)))
  const needed = targets.filter((it) => it.os === 'darwin' || it.libc === 'glibc')
  if (needed.every((it) => built.includes(it))) await writeFile(join(files, 'svc.rb'), formula(identity, digests))
  else console.log('— The formula is left out: it needs the platforms of macOS and Linux with glibc.')
  if (existsSync(join(files, 'svc.rb'))) digests.set('svc.rb', await digestOfFile(join(files, 'svc.rb')))
  await packNpm(identity, built, join(out, 'npm'))
  for (const name of new Bun.Glob('*.tgz').scanSync(join(out, 'npm')))
    digests.set(name, await digestOfFile(join(out, 'npm', name)))
  const statement = provenance({
    identity,
    digests,
    commit,
    isDirty,
    targets: built.map((it) => it.id),
    runtimes: built.map((it) => {
      const { uri, sha512 } = runtimeOf(it, locked)
      return { uri, sha512 }
    }),
    lock: await digestOfFile(join(root, 'package-lock.json')),
    ...builderOf(process.env),
    startedOn,
    finishedOn: new Date().toISOString(),
  })
  await writeFile(join(files, `svc-${identity.version}.intoto.json`), `${JSON.stringify(statement, null, 2)}\n`)
  await writeFile(
    join(files, 'SHA256SUMS'),
    checksums(new Map([...digests].filter(([name]) => !name.endsWith('.tgz')))),
  )
  console.log(`Release ${identity.version} of ${identity.repository}: ${files} and ${join(out, 'npm')}`)
}

async function main(): Promise<void> {
  const wanted = readTargets(argument('platforms'))
  const only = argument('only')
  if (only !== undefined && only !== 'executables') throw new Error(`--only takes "executables", not "${only}"`)
  const identity = only === undefined ? await readyIdentity() : null
  if (argument('bins') === undefined)
    await buildExecutables(root, { cache: join(root, 'dist', 'runtimes'), bins }, wanted)
  const missing = wanted.filter((it) => !existsSync(join(bins, it.id, executableOf(it))))
  if (missing.length > 0)
    throw new Error(`There is no executable for ${missing.map((it) => it.id).join(', ')} in ${bins}.`)
  for (const target of wanted) {
    if (target.os !== 'darwin') continue
    const path = join(bins, target.id, executableOf(target))
    const state = checkSignature(await readFile(path))
    if (state === 'valid') continue
    const told = `The signature of ${path} is ${state}: build it on macOS (--only=executables), or run "codesign --force --sign - ${path}" there.`
    // Apple silicon runs nothing without a valid signature.
    if (target.cpu === 'arm64' || process.env.CI !== undefined) throw new Error(told)
    console.warn(told)
  }
  if (identity !== null) await release(wanted, identity)
}

await main().catch((error: unknown) => {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
