/** What deb and rpm install, and what they need of the system. */
import type { Identity } from './identity.ts'
import { file, type Entry } from './entries.ts'
import { gzip } from './gzip.ts'
import type { Target } from './targets.ts'

/** The texts that every package has beside the executable. */
export interface Texts {
  readonly man: string
  readonly bash: string
  readonly zsh: string
  readonly fish: string
  readonly license: string
  readonly changelog: string
}

export interface SystemPackageInput {
  readonly identity: Pick<Identity, 'version' | 'maintainer' | 'homepage'>
  readonly target: Pick<Target, 'id' | 'cpu'>
  readonly executable: Uint8Array
  readonly texts: Texts
  /** The time of all files, in seconds since 1970. */
  readonly time: number
}

/** The Linux platforms that have deb and rpm packages: those with glibc. */
export const hasSystemPackages = ({ os, libc }: Target): boolean => os === 'linux' && libc === 'glibc'

/** The files that both kinds of package install, without a slash in front. */
export const installedFiles = async (
  { executable, texts }: SystemPackageInput,
  zshFolder: string,
): Promise<readonly Entry[]> => [
  file('usr/bin/svc', executable, 0o755),
  file('usr/share/man/man1/svc.1.gz', await gzip(Buffer.from(texts.man))),
  file('usr/share/bash-completion/completions/svc', texts.bash),
  file(`${zshFolder}/_svc`, texts.zsh),
  file('usr/share/fish/vendor_completions.d/svc.fish', texts.fish),
  file('usr/share/doc/svc/changelog.gz', await gzip(Buffer.from(texts.changelog))),
]

const dynamicSection = 6

/**
 * The newest version of glibc that an executable asks for, as "2.17"; null for programs that are no ELF of 64 bits or ask for none. It is among the
 * names of the dynamic section (gABI, "Dynamic Section" and "String Table").
 */
export function glibcOf(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.byteLength < 64 || view.getUint32(0) !== 0x7f454c46 || bytes[4] !== 2) return null
  const table = Number(view.getBigUint64(40, true))
  const [size, count] = [view.getUint16(58, true), view.getUint16(60, true)]
  if (table === 0 || table + size * count > bytes.byteLength) return null
  const section = (index: number) => {
    const at = table + index * size
    return {
      type: view.getUint32(at + 4, true),
      offset: Number(view.getBigUint64(at + 24, true)),
      length: Number(view.getBigUint64(at + 32, true)),
      link: view.getUint32(at + 40, true),
    }
  }
  const dynamic = Array.from({ length: count }, (_, index) => section(index)).find((it) => it.type === dynamicSection)
  if (dynamic === undefined || dynamic.link >= count) return null
  const { offset, length } = section(dynamic.link)
  const names = Buffer.from(bytes.subarray(offset, offset + length)).toString('latin1')
  const minors = [...names.matchAll(/\bGLIBC_2\.(\d+)\b/g)].map(([, minor]) => Number(minor))
  return minors.length === 0 ? null : `2.${Math.max(...minors)}`
}
