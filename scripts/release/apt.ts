/** Lays out an APT repository: a pool of packages, and the indexes by which apt finds and checks them (Debian wiki, "DebianRepository/Format"). */
import { digestOf } from './checksums.ts'
import type { Deb } from './deb.ts'
import { file, type Entry } from './entries.ts'
import { gzip } from './gzip.ts'
import type { Publisher } from './publisher.ts'

const component = 'main'

const poolPath = (name: string): string => `pool/${component}/s/svc/${name}`

/** A package in the list of its architecture: what its control file says, and where its bytes are. */
const listed = ({ name, bytes, control }: Deb): string => {
  // The description is the last field, and stays it.
  const [fields = '', told = ''] = control.split(/^(?=Description: )/m)
  return `${fields}Filename: ${poolPath(name)}\nSize: ${bytes.byteLength}\nSHA256: ${digestOf(bytes)}\n${told}\n`
}

const ownArchitecture = ({ control }: Deb): string => /^Architecture: (.*)$/m.exec(control)?.[1] ?? ''

/** A time as RFC 5322 writes it, in UTC: "Sun, 15 Jun 2025 15:06:40 +0000". */
const dated = (time: number): string => new Date(time * 1000).toUTCString().replace('GMT', '+0000')

/**
 * The files of a repository with these packages. `dists/SUITE/Release` has the digests of the lists; it is not signed.
 * @param time the time of the release, in seconds since 1970
 */
export async function aptRepository(
  apt: NonNullable<Publisher['apt']>,
  debs: readonly Deb[],
  time: number,
): Promise<readonly Entry[]> {
  const { origin, suite } = apt
  const architectures = [...new Set(debs.map(ownArchitecture))].toSorted()
  const lists: Entry[] = []
  for (const architecture of architectures) {
    const text = Buffer.from(
      debs
        .filter((it) => ownArchitecture(it) === architecture)
        .map(listed)
        .join(''),
    )
    const at = `${component}/binary-${architecture}/Packages`
    lists.push(file(at, text), file(`${at}.gz`, await gzip(text)))
  }
  const sums = lists.map(({ path, content }) => {
    const bytes = content ?? new Uint8Array()
    return ` ${digestOf(bytes)} ${String(bytes.byteLength).padStart(16)} ${path}\n`
  })
  const described = [
    `Origin: ${origin}`,
    `Label: ${origin}`,
    `Suite: ${suite}`,
    `Codename: ${suite}`,
    `Date: ${dated(time)}`,
    `Architectures: ${architectures.join(' ')}`,
    `Components: ${component}`,
    'Description: svc',
    'SHA256:',
  ]
  return [
    ...debs.map(({ name, bytes }) => file(poolPath(name), bytes)),
    ...lists.map((it) => ({ ...it, path: `dists/${suite}/${it.path}` })),
    file(`dists/${suite}/Release`, `${described.join('\n')}\n${sums.join('')}`),
  ]
}
