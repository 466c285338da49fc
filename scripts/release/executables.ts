/** Builds the executables of a release, each from the Bun of its platform. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sha512Of } from './checksums.ts'
import { output, step } from './run.ts'
import { executableOf, type Target } from './targets.ts'

interface Locked {
  readonly version?: string
  readonly integrity?: string
}

/** `packages` of package-lock.json. */
export async function readLock(root: string): Promise<Readonly<Record<string, Locked>>> {
  const text = await readFile(join(root, 'package-lock.json'), 'utf8')
  return (JSON.parse(text) as { packages: Record<string, Locked> }).packages
}

/** A runtime as the provenance names it. */
export interface Runtime {
  readonly uri: string
  readonly sha512: string
}

/** The runtime of a platform, as package-lock.json has it. */
export function runtimeOf(
  { runtime }: Target,
  locked: Readonly<Record<string, Locked>>,
): Runtime & { readonly version: string; readonly integrity: string } {
  const { version, integrity } = locked[`node_modules/${runtime}`] ?? {}
  if (version === undefined || integrity === undefined)
    throw new Error(
      `package-lock.json has no ${runtime}; install "bun" again with the optional packages of all platforms.`,
    )
  return { uri: `pkg:npm/${runtime.replace('@', '%40')}@${version}`, sha512: sha512Of(integrity), version, integrity }
}

/**
 * Downloads the Bun of a platform from the npm registry, and checks it against package-lock.json.
 * @returns the path of its executable
 */
async function fetchRuntime(root: string, cache: string, target: Target): Promise<string> {
  const { version, integrity } = runtimeOf(target, await readLock(root))
  const folder = join(cache, `${target.id}-${version}`)
  const executable = join(folder, 'package', 'bin', target.os === 'win32' ? 'bun.exe' : 'bun')
  if (existsSync(executable)) return executable
  const beside = `${folder}.${process.pid}`
  await mkdir(beside, { recursive: true })
  const [packed] = JSON.parse(
    await output(['npm', 'pack', `${target.runtime}@${version}`, '--json', '--pack-destination', beside], {
      cwd: beside,
    }),
  ) as { filename: string; integrity: string }[]
  if (packed === undefined || packed.integrity !== integrity)
    throw new Error(
      `${target.runtime}@${version} is not what package-lock.json locks: ${packed?.integrity ?? 'nothing'}`,
    )
  const archive = join(beside, packed.filename)
  await output(['tar', '-xzf', archive, '-C', beside])
  await rm(archive)
  await rename(beside, folder)
  await chmod(executable, 0o755)
  return executable
}

/**
 * Builds executables.
 * @param bins the folder for them: `<bins>/<platform>/svc`
 */
export async function buildExecutables(
  root: string,
  { cache, bins }: { readonly cache: string; readonly bins: string },
  wanted: readonly Target[],
): Promise<void> {
  for (const target of wanted) {
    const outfile = join(bins, target.id, executableOf(target))
    await rm(outfile, { force: true })
    const runtime = await fetchRuntime(root, cache, target)
    await step(
      target.id,
      [process.execPath, 'build.ts', `--target=${target.bun}`, `--runtime=${runtime}`, `--outfile=${outfile}`],
      root,
    )
    await chmod(outfile, 0o755)
    // Bun signs programs for Apple silicon; where macOS runs, its own tool signs both.
    if (target.os === 'darwin' && process.platform === 'darwin')
      await output(['codesign', '--force', '--sign', '-', outfile])
  }
}
