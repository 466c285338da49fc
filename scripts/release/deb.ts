/** Writes Debian packages: an ar archive of two tar archives (deb(5), deb-control(5)). */
import { joinBytes } from '../../src/kernel/bytes.ts'
import { digestOf } from './checksums.ts'
import { file, withFolders, type Entry } from './entries.ts'
import { gzip } from './gzip.ts'
import { description, packageVersion, summary } from './identity.ts'
import { glibcOf, installedFiles, type SystemPackageInput } from './system-package.ts'
import { tarOf } from './tar.ts'
import { architectureOf } from './targets.ts'

export const debName = ({ identity, target }: Pick<SystemPackageInput, 'identity' | 'target'>): string =>
  `svc_${packageVersion(identity)}_${architectureOf(target)}.deb`

/** An ar archive, in the form that dpkg reads: all owned by root, with a time (deb(5), "FORMAT"). */
function arOf(members: readonly (readonly [name: string, bytes: Uint8Array])[], time: number): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [Buffer.from('!<arch>\n')]
  for (const [name, bytes] of members) {
    const fields = [name.padEnd(16), String(time).padEnd(12), '0     ', '0     ', '100644  ']
    parts.push(Buffer.from(`${fields.join('')}${String(bytes.byteLength).padEnd(10)}\`\n`), bytes)
    if (bytes.byteLength % 2 === 1) parts.push(Buffer.from('\n'))
  }
  return joinBytes(parts)
}

/** Text in lines of at most 78 characters, each after a space, as the long description has them. */
const wrapped = (text: string): string => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < 78) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map((line) => ` ${line}\n`).join('')
}

/** The fields of a package (deb-control(5)); the list of an APT repository repeats them. */
export function debControl(input: SystemPackageInput, installed: readonly Entry[]): string {
  const { identity, target, executable } = input
  const { maintainer, homepage } = identity
  const glibc = glibcOf(executable)
  const bytes = installed.reduce((sum, { content }) => sum + Math.ceil((content?.byteLength ?? 0) / 1024), 0)
  const fields = [
    ['Package', 'svc'],
    ['Version', packageVersion(identity)],
    ['Architecture', architectureOf(target)],
    ['Maintainer', `${maintainer.name} <${maintainer.email}>`],
    ['Installed-Size', String(bytes)],
    ...(glibc === null ? [] : [['Depends', `libc6 (>= ${glibc})`]]),
    // Imports of repositories and comparisons of revisions run git, which opens ssh addresses with an ssh client.
    ['Recommends', 'ca-certificates, git'],
    ['Suggests', 'openssh-client'],
    // It has a program of the same name, /usr/bin/svc.
    ['Conflicts', 'daemontools'],
    ['Section', 'devel'],
    ['Priority', 'optional'],
    ['Homepage', homepage],
  ]
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}Description: ${summary}\n${wrapped(description)}`
}

export interface Deb {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly control: string
}

/** Makes the package of a platform. */
export async function debOf(input: SystemPackageInput): Promise<Deb> {
  const { texts, time } = input
  const installed = [
    ...(await installedFiles(input, 'usr/share/zsh/vendor-completions')),
    file('usr/share/doc/svc/copyright', texts.license),
  ]
  const control = debControl(input, installed)
  const sums = installed.map(
    ({ path, content }) => `${digestOf(content ?? new Uint8Array(), 'md5')}  ${path}
`,
  )
  const described = tarOf([file('control', control), file('md5sums', sums.toSorted().join(''))], { time, prefix: './' })
  const data = tarOf(withFolders(installed), { time, prefix: './' })
  const bytes = arOf(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', await gzip(described)],
      ['data.tar.gz', await gzip(data)],
    ],
    time,
  )
  return { name: debName(input), bytes, control }
}
