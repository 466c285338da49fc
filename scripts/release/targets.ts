/** The platforms that a release has executables for. */

export interface Target {
  /** As in the names of archives and npm packages. */
  readonly id: string
  /** As `bun build --target` takes it. */
  readonly bun: string
  /** The npm package that contains the Bun executable. */
  readonly runtime: string
  readonly os: 'linux' | 'darwin' | 'win32'
  readonly cpu: 'x64' | 'arm64'
  /** Of Linux. */
  readonly libc?: 'glibc' | 'musl'
}

const linux = (cpu: Target['cpu'], libc: 'glibc' | 'musl'): Target => {
  const musl = libc === 'musl' ? '-musl' : ''
  return {
    id: `linux-${cpu}${musl}`,
    bun: `bun-linux-${cpu}${musl}`,
    runtime: `@oven/bun-linux-${cpu === 'arm64' ? 'aarch64' : 'x64'}${musl}`,
    os: 'linux',
    cpu,
    libc,
  }
}

export const targets: readonly Target[] = [
  linux('x64', 'glibc'),
  linux('x64', 'musl'),
  linux('arm64', 'glibc'),
  linux('arm64', 'musl'),
  { id: 'darwin-x64', bun: 'bun-darwin-x64', runtime: '@oven/bun-darwin-x64', os: 'darwin', cpu: 'x64' },
  { id: 'darwin-arm64', bun: 'bun-darwin-arm64', runtime: '@oven/bun-darwin-aarch64', os: 'darwin', cpu: 'arm64' },
  { id: 'windows-x64', bun: 'bun-windows-x64', runtime: '@oven/bun-windows-x64', os: 'win32', cpu: 'x64' },
]

/** The architecture as Debian and container images name it. */
export const architectureOf = ({ cpu }: Pick<Target, 'cpu'>): string => (cpu === 'x64' ? 'amd64' : 'arm64')

/** The name of the executable on a platform. */
export const executableOf = ({ os }: Pick<Target, 'os'>): string => (os === 'win32' ? 'svc.exe' : 'svc')

/** The name of the archive of a platform. */
export const archiveOf = ({ id, os }: Pick<Target, 'id' | 'os'>, version: string): string =>
  `svc-${version}-${id}.${os === 'win32' ? 'zip' : 'tar.gz'}`

/**
 * The platforms of a comma-separated list; all without one.
 * @throws Error for one that there is not, with those that there are
 */
export function readTargets(list: string | undefined): readonly Target[] {
  if (list === undefined) return targets
  return list.split(',').map((id) => {
    const found = targets.find((it) => it.id === id.trim())
    if (found === undefined)
      throw new Error(`Unknown platform "${id.trim()}"; there are ${targets.map((it) => it.id).join(', ')}`)
    return found
  })
}

/** The platform of an id that is known to be one. */
export function targetOf(id: string): Target {
  const [found] = readTargets(id)
  return found as Target
}

/**
 * The digest of a file of the release.
 * @throws Error where the release does not have the file, with who needs it
 */
export function digestIn(digests: ReadonlyMap<string, string>, name: string, needs: string): string {
  const digest = digests.get(name)
  if (digest === undefined) throw new Error(`${needs} needs ${name}, which is not in the release.`)
  return digest
}
