/** The formats of packages: what other programs read of them, and that the same content gives the same bytes. */
import { afterAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { writeArchive } from '../../../scripts/release/archives.ts'
import { cpioOf } from '../../../scripts/release/cpio.ts'
import { debOf } from '../../../scripts/release/deb.ts'
import { file, inOrder, withFolders } from '../../../scripts/release/entries.ts'
import { rpmOf } from '../../../scripts/release/rpm.ts'
import { output } from '../../../scripts/release/run.ts'
import { glibcOf } from '../../../scripts/release/system-package.ts'
import { tarOf } from '../../../scripts/release/tar.ts'
import { packageInput, standIn, time } from '../../fixtures/release.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-packages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const written = (name: string, bytes: Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}
const hex = (algorithm: string, bytes: Uint8Array): string => createHash(algorithm).update(bytes).digest('hex')

test('entries are sorted, each is there once, and their folders come before them', () => {
  const entries = [file('b', ''), file('a/c/d', ''), file('a-b', '')]
  expect(inOrder(entries).map((it) => it.path)).toEqual(['a-b', 'a/c/d', 'b'])
  expect(withFolders(entries).map((it) => it.path)).toEqual(['a', 'a-b', 'a/c', 'a/c/d', 'b'])
  expect(() => inOrder([file('a', ''), file('a', '')])).toThrow('A package has two entries "a".')
})

test('tar reads its archives: owners, modes, times and long names', async () => {
  const long = `${'folder/'.repeat(20)}${'n'.repeat(90)}`
  const entries = [file(long, 'long'), file('svc', 'run', 0o755), { path: 'empty', mode: 0o755, content: null }]
  const archive = written('a.tar', tarOf(entries, { time }))
  const listed = await output(['tar', '--utc', '--full-time', '--numeric-owner', '-tvf', archive])
  expect(listed.split('\n').map((it) => it.replace(/\s+/g, ' '))).toEqual([
    'drwxr-xr-x 0/0 0 2025-06-15 15:06:40 empty/',
    `-rw-r--r-- 0/0 4 2025-06-15 15:06:40 ${long}`,
    '-rwxr-xr-x 0/0 3 2025-06-15 15:06:40 svc',
    '',
  ])
  expect(await output(['tar', '-xOf', archive, long])).toBe('long')
  expect(() => tarOf([file('x'.repeat(101), '')], { time })).toThrow('is too long for a tar archive')
})

test('an archive has the same bytes whatever the order of its files and the mask of the caller', async () => {
  const entries = [file('docs/a.md', 'a'), file('LICENSE', 'l'), file('svc.1', 'm')]
  for (const [os, name] of [
    ['linux', 'a.tar.gz'],
    ['win32', 'a.zip'],
  ] as const) {
    const archive = join(folder, name)
    const make = async (given: typeof entries): Promise<string> => {
      await writeArchive(archive, { target: { os }, entries: given, executable: standIn(), time })
      return hex('sha256', readFileSync(archive))
    }
    const first = await make(entries)
    const before = process.umask(0o077)
    try {
      expect(await make(entries.toReversed())).toBe(first)
    } finally {
      process.umask(before)
    }
  }
  expect(await output(['tar', '-tzf', join(folder, 'a.tar.gz')])).toBe('LICENSE\ndocs/a.md\nsvc\nsvc.1\n')
})

test('a deb has what dpkg reads: three members, the fields of the package, files with their sums', async () => {
  const deb = await debOf(packageInput())
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  expect(deb.name).toBe(`svc_1.2.3_${architecture}.deb`)
  const text = Buffer.from(deb.bytes).toString('latin1')
  expect(text).toStartWith(`!<arch>\n${'debian-binary'.padEnd(16)}${time}  0     0     100644  4         \`\n2.0\n`)
  expect([...text.matchAll(/([a-z.-]+) +1750000000 {2}0 {5}0 {5}100644 {2}\d+ *`$/gm)].map(([, name]) => name)).toEqual(
    ['debian-binary', 'control.tar.gz', 'data.tar.gz'],
  )
  expect(deb.control.split('\n').slice(0, 6)).toEqual([
    'Package: svc',
    'Version: 1.2.3',
    `Architecture: ${architecture}`,
    'Maintainer: Acme API team <api@acme.example>',
    'Installed-Size: 7',
    'Recommends: ca-certificates, git',
  ])
  const lines = deb.control.split('\n').slice(deb.control.split('\n').findIndex((it) => it.startsWith('Description:')))
  expect(lines.slice(1).every((it) => it === '' || (it.startsWith(' ') && it.length <= 80))).toBe(true)
  expect((await debOf(packageInput())).bytes).toEqual(deb.bytes)
})

/** The tags of a header of an rpm, and where it ends (rpm 4.20, docs/manual/format_header.md). */
function headerAt(bytes: Buffer, at: number): { readonly tags: Map<number, Buffer>; readonly end: number } {
  expect(bytes.subarray(at, at + 4).toString('hex')).toBe('8eade801')
  const [count, length] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)]
  const store = at + 16 + count * 16
  const tags = new Map<number, Buffer>()
  for (let entry = at + 16; entry < store; entry += 16)
    tags.set(bytes.readUInt32BE(entry), bytes.subarray(store + bytes.readUInt32BE(entry + 8), store + length))
  return { tags, end: store + length }
}

const textAt = (tags: Map<number, Buffer>, tag: number): string => {
  const bytes = tags.get(tag) ?? Buffer.of(0)
  return bytes.subarray(0, bytes.indexOf(0)).toString()
}

test('an rpm has digests of its header and of its files, in aligned headers', async () => {
  const rpm = await rpmOf(packageInput())
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  expect(rpm.name).toBe(`svc-1.2.3-1.${architecture}.rpm`)
  const bytes = Buffer.from(rpm.bytes)
  expect(bytes.subarray(0, 4).toString('hex')).toBe('edabeedb')
  const signature = headerAt(bytes, 96)
  const start = Math.ceil(signature.end / 8) * 8
  const { tags, end } = headerAt(bytes, start)
  const [header, payload] = [bytes.subarray(start, end), bytes.subarray(end)]
  expect(textAt(signature.tags, 273)).toBe(hex('sha256', header))
  expect(textAt(signature.tags, 269)).toBe(hex('sha1', header))
  expect(signature.tags.get(1000)?.readUInt32BE()).toBe(header.length + payload.length)
  expect(signature.tags.get(1004)?.subarray(0, 16).toString('hex')).toBe(hex('md5', bytes.subarray(start)))
  expect(textAt(tags, 5092)).toBe(hex('sha256', payload))
  const files = gunzipSync(payload)
  expect(textAt(tags, 5097)).toBe(hex('sha256', files))
  expect([1000, 1001, 1002, 1022, 1014, 1044].map((tag) => textAt(tags, tag))).toEqual([
    'svc',
    '1.2.3',
    '1',
    architecture,
    'Apache-2.0',
    'svc-1.2.3-1.src.rpm',
  ])
  expect(files.toString('latin1')).toStartWith('070701')
  expect((await rpmOf(packageInput())).bytes).toEqual(rpm.bytes)
})

test('cpio entries are aligned to four bytes, and the last one is the trailer', () => {
  const packed = Buffer.from(cpioOf([file('usr/bin/svc', 'four!', 0o755)], time)).toString('latin1')
  expect(packed).toHaveLength(256)
  expect(packed).toStartWith(`07070100000001000081ed${'0'.repeat(16)}00000001684ee18000000005`)
  expect(packed.slice(110, 132)).toBe('./usr/bin/svc\0four!\0\0\0')
  expect(packed).toEndWith('TRAILER!!!\0\0\0\0')
})

test.skipIf(Bun.which('rpm') === null)('rpm reads the package and finds all digests right', async () => {
  const rpm = await rpmOf(packageInput())
  const path = written(rpm.name, rpm.bytes)
  const checked = await output(['rpm', '--checksig', '--verbose', path])
  expect(checked.match(/digest: OK/g)).toHaveLength(4)
  const asked = await output(['rpm', '--query', '--package', '--list', '--info', path])
  expect(asked).toContain('Packager    : Acme API team <api@acme.example>')
  expect(asked).toContain('\n/usr/bin/svc\n')
})

test('the newest glibc that an executable asks for is read from its names', () => {
  expect(glibcOf(standIn())).toBeNull()
  expect(glibcOf(Buffer.alloc(64))).toBeNull()
  if (process.platform !== 'linux') return
  const found = glibcOf(readFileSync(process.execPath))
  // Of musl there is none.
  if (found !== null) expect(found).toMatch(/^2\.\d+$/)
  const cut = readFileSync(process.execPath).subarray(0, 4096)
  expect(glibcOf(cut)).toBeNull()
})
