/** Writes rpm packages: a lead, a header of digests, a header that describes the package, and a cpio archive (rpm 4.20, docs/manual/format_v4.md). */
import { createHash } from 'node:crypto'
import { dirname } from 'node:path/posix'
import { joinBytes } from '../../src/kernel/bytes.ts'
import { digestOf } from './checksums.ts'
import { cpioOf, modeOf } from './cpio.ts'
import { file, inOrder, type Entry } from './entries.ts'
import { gzip } from './gzip.ts'
import { description, packageVersion, summary } from './identity.ts'
import { rpmHeader, type TagValue } from './rpm-header.ts'
import { glibcOf, installedFiles, type SystemPackageInput } from './system-package.ts'
import type { Target } from './targets.ts'

/** The architecture as rpm names it. */
export const rpmArchitecture = ({ cpu }: Pick<Target, 'cpu'>): string => (cpu === 'x64' ? 'x86_64' : 'aarch64')

const release = '1'

export const rpmName = ({ identity, target }: Pick<SystemPackageInput, 'identity' | 'target'>): string =>
  `svc-${packageVersion(identity)}-${release}.${rpmArchitecture(target)}.rpm`

const sha256 = 8
const documentation = 2
const license = 128
const isEqual = 8
// Less or equal; of what rpm itself must be able to do.
const rpmFeature = 0x0100000a
const foundByItself = 0x4000

const text = (value: string): TagValue => ({ type: 'string', value })
const texts = (...values: readonly string[]): TagValue => ({ type: 'strings', values })
const translated = (value: string): TagValue => ({ type: 'translated', values: [value] })
const int32 = (...values: readonly number[]): TagValue => ({ type: 'int32', values })
const int16 = (...values: readonly number[]): TagValue => ({ type: 'int16', values })

function flagsOf({ path }: Entry): number {
  if (path.startsWith('usr/share/licenses/')) return license
  return /^usr\/share\/(?:doc|man)\//.test(path) ? documentation : 0
}

/** The tags of files, each a list with one value for each file. */
function fileTags(entries: readonly Entry[], time: number): readonly (readonly [number, TagValue])[] {
  const folders = [...new Set(entries.map(({ path }) => `/${dirname(path)}/`))].toSorted()
  const each = (value: number): readonly number[] => entries.map(() => value)
  return [
    [1028, int32(...entries.map(({ content }) => content?.byteLength ?? 4096))],
    [1030, int16(...entries.map(modeOf))],
    [1033, int16(...each(0))],
    [1034, int32(...each(time))],
    [1035, texts(...entries.map(({ content }) => (content === null ? '' : digestOf(content))))],
    [1036, texts(...entries.map(() => ''))],
    [1037, int32(...entries.map(flagsOf))],
    [1039, texts(...entries.map(() => 'root'))],
    [1040, texts(...entries.map(() => 'root'))],
    [1045, int32(...each(0xffffffff))],
    [1095, int32(...each(1))],
    [1096, int32(...entries.map((_, at) => at + 1))],
    [1097, texts(...entries.map(() => ''))],
    [1116, int32(...entries.map(({ path }) => folders.indexOf(`/${dirname(path)}/`)))],
    [1117, texts(...entries.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))],
    [1118, texts(...folders)],
    [5011, int32(sha256)],
  ]
}

/** What the package provides, requires and recommends. */
function relationTags(input: SystemPackageInput): readonly (readonly [number, TagValue])[] {
  const { identity, target, executable } = input
  const version = `${packageVersion(identity)}-${release}`
  const glibc = glibcOf(executable)
  const required = [
    ...(glibc === null ? [] : [[`libc.so.6(GLIBC_${glibc})(64bit)`, '', foundByItself] as const]),
    ['rpmlib(CompressedFileNames)', '3.0.4-1', rpmFeature] as const,
    ['rpmlib(FileDigests)', '4.6.0-1', rpmFeature] as const,
    ['rpmlib(PayloadFilesHavePrefix)', '4.0-1', rpmFeature] as const,
    // Versions with a tilde, which pre-releases have.
    ...(version.includes('~') ? [['rpmlib(TildeInVersions)', '4.10.0-1', rpmFeature] as const] : []),
  ]
  const recommended = ['ca-certificates', 'git-core']
  return [
    [1047, texts('svc', `svc(${rpmArchitecture(target).replace('x86_64', 'x86-64').replace('aarch64', 'aarch-64')})`)],
    [1112, int32(isEqual, isEqual)],
    [1113, texts(version, version)],
    [1048, int32(...required.map(([, , flags]) => flags))],
    [1049, texts(...required.map(([name]) => name))],
    [1050, texts(...required.map(([, wanted]) => wanted))],
    [5046, texts(...recommended)],
    [5047, texts(...recommended.map(() => ''))],
    [5048, int32(...recommended.map(() => 0))],
  ]
}

function describingTags(input: SystemPackageInput, size: number): readonly (readonly [number, TagValue])[] {
  const { identity, target, time } = input
  const { maintainer, homepage } = identity
  const version = packageVersion(identity)
  return [
    [100, texts('C')],
    [1000, text('svc')],
    [1001, text(version)],
    [1002, text(release)],
    [1004, translated(summary)],
    [1005, translated(description)],
    [1006, int32(time)],
    // The machine that built it says nothing, and would make the bytes differ.
    [1007, text('localhost')],
    [1009, int32(size)],
    [1014, text('Apache-2.0')],
    [1015, text(`${maintainer.name} <${maintainer.email}>`)],
    [1016, translated('Unspecified')],
    [1020, text(homepage)],
    [1021, text('linux')],
    [1022, text(rpmArchitecture(target))],
    // Without it a package counts as one of sources.
    [1044, text(`svc-${version}-${release}.src.rpm`)],
    [1124, text('cpio')],
    [1125, text('gzip')],
    [1126, text('9')],
    [5062, text('utf-8')],
  ]
}

/** The first 96 bytes; all but the magic number and the kind is for programs from before rpm 4. */
function lead({ identity, target }: SystemPackageInput): Uint8Array {
  const bytes = Buffer.alloc(96)
  bytes.set([0xed, 0xab, 0xee, 0xdb, 3, 0, 0, 0, 0, target.cpu === 'x64' ? 1 : 19])
  bytes.write(`svc-${packageVersion(identity)}-${release}`.slice(0, 65), 10)
  bytes.writeUInt16BE(1, 76)
  bytes.writeUInt16BE(5, 78)
  return bytes
}

export interface Rpm {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Makes the package of a platform. It has digests and no signature, which `rpmsign --addsign` adds. */
export async function rpmOf(input: SystemPackageInput): Promise<Rpm> {
  const entries = inOrder([
    ...(await installedFiles(input, 'usr/share/zsh/site-functions')),
    file('usr/share/licenses/svc/LICENSE', input.texts.license),
    { path: 'usr/share/doc/svc', mode: 0o755, content: null },
    { path: 'usr/share/licenses/svc', mode: 0o755, content: null },
  ])
  const size = entries.reduce((sum, { content }) => sum + (content?.byteLength ?? 0), 0)
  const plain = cpioOf(entries, input.time)
  const payload = await gzip(plain)
  const header = rpmHeader(
    63,
    new Map([
      ...describingTags(input, size),
      ...fileTags(entries, input.time),
      ...relationTags(input),
      [5092, texts(digestOf(payload))],
      [5093, int32(sha256)],
      [5097, texts(digestOf(plain))],
    ]),
  )
  const signature = rpmHeader(
    62,
    new Map<number, TagValue>([
      [269, text(digestOf(header, 'sha1'))],
      [273, text(digestOf(header))],
      [1000, int32(header.byteLength + payload.byteLength)],
      [1004, { type: 'binary', bytes: createHash('md5').update(header).update(payload).digest() }],
      [1007, int32(plain.byteLength)],
    ]),
  )
  const gap = new Uint8Array((8 - (signature.byteLength % 8)) % 8)
  return { name: rpmName(input), bytes: joinBytes([lead(input), signature, gap, header, payload]) }
}
