/** Makes the files of a release from its executables, one kind after the other. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { actionEntries } from './action.ts'
import { aptRepository } from './apt.ts'
import { writeArchive, writeEntries } from './archives.ts'
import { bundledModules } from './bundled.ts'
import { packChart } from './chart.ts'
import { checksums, digestOfFile } from './checksums.ts'
import { contentsOf, type Contents } from './contents.ts'
import { debOf, type Deb } from './deb.ts'
import { readLock, runtimeOf } from './executables.ts'
import { formula } from './formula.ts'
import type { Identity } from './identity.ts'
import { imageLayout } from './image.ts'
import { packNpm } from './npm-packages.ts'
import { builderOf, provenance } from './provenance.ts'
import { rpmOf } from './rpm.ts'
import { output } from './run.ts'
import { bundledPackages, sbom, type NpmSbom } from './sbom.ts'
import { scoopManifest } from './scoop.ts'
import { signApt } from './sign-apt.ts'
import { hasSystemPackages } from './system-package.ts'
import { archiveOf, executableOf, targets, type Target } from './targets.ts'
import { wingetManifests } from './winget.ts'

export interface ReleaseInput {
  /** The folder of the sources. */
  readonly root: string
  /** The folder for the release. */
  readonly out: string
  /** The folder of the executables: `<bins>/<platform>/svc`. */
  readonly bins: string
  readonly identity: Identity
  readonly built: readonly Target[]
  /** The files that container images are based on, by platform. */
  readonly bases: ReadonlyMap<string, string>
  readonly env: Readonly<Record<string, string | undefined>>
}

interface Release extends ReleaseInput {
  /** The folder of the files that are attached to the release. */
  readonly files: string
  /** The time of everything in it, in seconds since 1970. */
  readonly time: number
  readonly commit: string
  readonly isDirty: boolean
  readonly contents: Contents
  /** SHA-256 of what was made, by name. */
  readonly digests: Map<string, string>
}

const executableOfTarget = ({ bins }: Release, target: Target): Promise<Uint8Array> =>
  readFile(join(bins, target.id, executableOf(target)))

async function attach({ files, digests }: Release, name: string, content: string | Uint8Array): Promise<void> {
  await writeFile(join(files, name), content)
  digests.set(name, await digestOfFile(join(files, name)))
}

async function makeArchives(release: Release): Promise<void> {
  const { built, files, time, contents, digests, identity } = release
  for (const target of built) {
    const name = archiveOf(target, identity.version)
    const executable = await executableOfTarget(release, target)
    await writeArchive(join(files, name), { target, entries: contents.entries, executable, time })
    digests.set(name, await digestOfFile(join(files, name)))
  }
  await attach(release, 'svc.1', contents.texts.man)
}

async function makeSystemPackages(release: Release): Promise<readonly Deb[]> {
  const { built, contents, identity, time } = release
  const debs: Deb[] = []
  for (const target of built.filter(hasSystemPackages)) {
    const executable = await executableOfTarget(release, target)
    const input = { identity, target, executable, texts: contents.texts, time }
    const deb = await debOf(input)
    debs.push(deb)
    await attach(release, deb.name, deb.bytes)
    const rpm = await rpmOf(input)
    await attach(release, rpm.name, rpm.bytes)
  }
  return debs
}

async function makeApt({ identity, out, time, env }: Release, debs: readonly Deb[]): Promise<void> {
  const { apt } = identity
  const folder = join(out, 'apt')
  await rm(folder, { recursive: true, force: true })
  if (apt === undefined || debs.length === 0) return
  await writeEntries(folder, await aptRepository(apt, debs, time))
  const { suite, key } = apt
  if (key === undefined)
    console.log('— The APT repository has no signature: apt.key of the publisher file names a key.')
  else if (!(await signApt(folder, { suite, key }, env)))
    console.log(`— The APT repository has no signature: gpg has no secret key ${key}, which apt.key names.`)
}

/** What package managers read from repositories of the publisher: the formula, and the manifests of Scoop and winget. */
async function makeManifests(release: Release): Promise<void> {
  const { identity, built, digests, out, time } = release
  const needed = targets.filter((it) => it.os === 'darwin' || it.libc === 'glibc')
  if (identity.homebrew !== undefined) {
    if (needed.every((it) => built.includes(it))) await attach(release, 'svc.rb', formula(identity, digests))
    else console.log('— The formula is left out: it needs the platforms of macOS and Linux with glibc.')
  }
  const folder = join(out, 'winget')
  await rm(folder, { recursive: true, force: true })
  if (!built.some((it) => it.os === 'win32')) {
    console.log('— The manifests of Scoop and winget are left out: they need the platform of Windows.')
    return
  }
  if (identity.scoop !== undefined)
    await attach(release, 'svc.json', `${JSON.stringify(scoopManifest(identity, digests), null, 2)}\n`)
  if (identity.winget === undefined) return
  const manifests = [...wingetManifests(identity, identity.winget, digests, time)]
  await writeEntries(
    folder,
    manifests.map(([path, text]) => ({ path, mode: 0o644, content: Buffer.from(text) })),
  )
}

async function makeBill(release: Release): Promise<void> {
  const { root, out, identity, commit, time } = release
  const npm = JSON.parse(
    await output(['npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], { cwd: root }),
  ) as NpmSbom
  const bill = sbom({
    identity,
    npm,
    bundled: bundledPackages(await bundledModules(root, out), await readLock(root)),
    runtime: { version: Bun.version },
    timestamp: new Date(time * 1000).toISOString(),
    serial: Bun.randomUUIDv5(`${identity.repository}@${identity.version}#${commit}`, 'url'),
  })
  await attach(release, `svc-${identity.version}.cdx.json`, `${JSON.stringify(bill, null, 2)}\n`)
}

async function makeNpm(release: Release): Promise<void> {
  const { out, identity, built, contents, digests, time } = release
  const folder = join(out, 'npm')
  const { npm } = identity
  if (npm === undefined) return rm(folder, { recursive: true, force: true })
  await packNpm(folder, {
    identity: { ...identity, npm },
    built,
    executableOfTarget: (target) => executableOfTarget(release, target),
    license: contents.texts.license,
    time,
  })
  for (const name of new Bun.Glob('*.tgz').scanSync(folder)) digests.set(name, await digestOfFile(join(folder, name)))
}

/** The container image, where the publisher has one and there is a base. */
async function makeImage(release: Release): Promise<void> {
  const { identity, built, bases, out, commit, contents, time, digests } = release
  const folder = join(out, 'image')
  await rm(folder, { recursive: true, force: true })
  const { image } = identity
  if (image === undefined) return
  const based = built.filter((it) => bases.has(it.id))
  if (based.length === 0) {
    console.log('— The container image is left out: --base PLATFORM=FILE names what it is based on.')
    return
  }
  const platforms = []
  for (const target of based)
    platforms.push({ target, base: bases.get(target.id) ?? '', executable: await executableOfTarget(release, target) })
  const { entries, digest } = await imageLayout({ identity, commit, license: contents.texts.license, time, platforms })
  await writeEntries(folder, entries)
  digests.set(image, digest.slice('sha256:'.length))
  console.log(`— The container image is ${image}@${digest}`)
}

async function makeChart({ identity, out, time, digests }: Release): Promise<void> {
  const folder = join(out, 'chart')
  await rm(folder, { recursive: true, force: true })
  const { chart, image } = identity
  if (chart === undefined || image === undefined) return
  const packed = await packChart({ ...identity, image }, time)
  const name = `svc-${identity.version}.tgz`
  await writeEntries(folder, [{ path: name, mode: 0o644, content: packed }])
  digests.set(`chart/${name}`, await digestOfFile(join(folder, name)))
}

async function makeAction({ identity, root, out, digests }: Release): Promise<void> {
  const folder = join(out, 'action')
  await rm(folder, { recursive: true, force: true })
  const { action } = identity
  if (action !== undefined) await writeEntries(folder, await actionEntries(root, { ...identity, action }, digests))
}

async function makeProvenance(release: Release): Promise<void> {
  const { root, identity, digests, commit, isDirty, built, env } = release
  const locked = await readLock(root)
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
    ...builderOf(env),
  })
  await attach(release, `svc-${identity.version}.intoto.json`, `${JSON.stringify(statement, null, 2)}\n`)
}

async function begin(input: ReleaseInput): Promise<Release> {
  const { root, out, identity, env } = input
  const git = async (...command: readonly string[]): Promise<string> =>
    (await output(['git', ...command], { cwd: root })).trim()
  const time = Number(env.SOURCE_DATE_EPOCH ?? (await git('log', '-1', '--format=%ct')))
  const files = join(out, 'files')
  await rm(files, { recursive: true, force: true })
  await mkdir(files, { recursive: true })
  return {
    ...input,
    files,
    time,
    commit: await git('rev-parse', 'HEAD'),
    isDirty: (await git('status', '--porcelain')) !== '',
    contents: await contentsOf(root, identity.version, new Date(time * 1000).toISOString().slice(0, 10)),
    digests: new Map(),
  }
}

/**
 * Makes everything that the publisher has a name for. Kinds that need a platform that was not built are left out, which is printed.
 * @throws Error where a program that packs something fails
 */
export async function makeRelease(input: ReleaseInput): Promise<void> {
  const release = await begin(input)
  const { files, digests, out, identity } = release
  await makeArchives(release)
  const debs = await makeSystemPackages(release)
  await makeApt(release, debs)
  await makeManifests(release)
  await makeBill(release)
  await makeNpm(release)
  await makeImage(release)
  await makeChart(release)
  await makeAction(release)
  await makeProvenance(release)
  const attached = [...digests].filter(([name]) => existsSync(join(files, name)))
  await writeFile(join(files, 'SHA256SUMS'), checksums(new Map(attached)))
  console.log(`Release ${identity.version} of ${identity.repository}: ${out}`)
}
