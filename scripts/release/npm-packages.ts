/** Packs the npm packages of a release with npm, which writes the same bytes for the same files. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeEntries } from './archives.ts'
import { file, type Entry } from './entries.ts'
import { launcher, mainPackage, mainReadme, platformPackage, type NpmIdentity } from './npm.ts'
import { output } from './run.ts'
import { executableOf, type Target } from './targets.ts'

export interface NpmInput {
  readonly identity: NpmIdentity
  readonly built: readonly Target[]
  readonly executableOfTarget: (target: Target) => Promise<Uint8Array>
  readonly license: string
}

/**
 * Writes a package for each platform and the one that people install.
 * @param folder where the packages are written to; what is in it is removed
 */
export async function packNpm(folder: string, input: NpmInput): Promise<void> {
  const { identity, built, executableOfTarget, license } = input
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const pack = async (described: object, entries: readonly Entry[]): Promise<void> => {
    const at = join(folder, 'package')
    const manifest = file('package.json', `${JSON.stringify(described, null, 2)}\n`)
    await writeEntries(at, [manifest, file('LICENSE', license), ...entries])
    await output(['npm', 'pack', at, '--pack-destination', folder, '--ignore-scripts'], { cwd: folder })
    await rm(at, { recursive: true })
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
