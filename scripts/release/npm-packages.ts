/** Packs the npm packages of a release: archives as `npm pack` makes them, without npm, whose versions would write other bytes. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { file, type Entry } from './entries.ts'
import { gzip } from './gzip.ts'
import { launcher, mainPackage, mainReadme, platformPackage, type NpmIdentity } from './npm.ts'
import { tarOf } from './tar.ts'
import { executableOf, type Target } from './targets.ts'

export interface NpmInput {
  readonly identity: NpmIdentity
  readonly built: readonly Target[]
  readonly executableOfTarget: (target: Target) => Promise<Uint8Array>
  readonly license: string
  /** The time of all files, in seconds since 1970. */
  readonly time: number
}

/** The name of the archive of a package, as npm gives it. */
const archiveOfPackage = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`

/**
 * Writes a package for each platform and the one that people install.
 * @param folder where the packages are written to; what is in it is removed
 */
export async function packNpm(folder: string, input: NpmInput): Promise<void> {
  const { identity, built, executableOfTarget, license, time } = input
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const pack = async (
    described: { readonly name: string; readonly version: string },
    entries: readonly Entry[],
  ): Promise<void> => {
    const manifest = file('package.json', `${JSON.stringify(described, null, 2)}\n`)
    const bytes = tarOf([manifest, file('LICENSE', license), ...entries], { time, prefix: 'package/' })
    await writeFile(join(folder, archiveOfPackage(described)), await gzip(bytes))
  }
  for (const target of built)
    await pack(platformPackage(identity, target), [
      file(`bin/${executableOf(target)}`, await executableOfTarget(target), 0o755),
    ])
  // The launcher names every platform that is published, so that a missing one is an error of npm and not of the launcher.
  await pack(mainPackage(identity, built), [
    file('bin/svc.js', launcher(identity, built), 0o755),
    file('README.md', mainReadme(identity)),
  ])
}
