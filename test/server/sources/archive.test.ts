import { expect, test } from 'bun:test'
import zlib from 'node:zlib'
import { SvcError } from '../../../src/errors.ts'
import { detectArchive, treeOfArchive } from '../../../server/sources/archive.ts'
import { type Packed, packTar, packTarGz, packZip } from '../../fixtures/archives.ts'

const files: Packed[] = [
  { path: 'b/two.yaml', content: 'b: 2\n' },
  { path: 'one.json', content: '{"a":1}' },
  { path: `${'long/'.repeat(30)}three.yaml`, content: 'c: 3\n' },
]

const codeOf = async (bytes: Uint8Array): Promise<unknown> => {
  try {
    const tree = await treeOfArchive('it', bytes)
    for (const path of tree.paths) await tree.read(path)
    return tree.paths
  } catch (error) {
    return error instanceof SvcError ? error.code : error
  }
}

test.each([
  ['zip', packZip],
  ['tar', packTar],
  ['gzip', packTarGz],
] as const)('%s: the files, by what the bytes are', async (kind, pack) => {
  const bytes = pack(files)
  expect(detectArchive(bytes)).toBe(kind)
  const tree = await treeOfArchive('it', bytes)
  expect(tree.paths).toEqual(['b/two.yaml', `${'long/'.repeat(30)}three.yaml`, 'one.json'])
  expect(new TextDecoder().decode(await tree.read('b/two.yaml'))).toBe('b: 2\n')
  expect(await tree.read('nothing').catch((error: unknown) => (error as SvcError).code)).toBe('source-path-missing')
})

test('the commit that git archive writes is known', async () => {
  const commit = '0123456789abcdef0123456789abcdef01234567'
  const record = `52 comment=${commit}\n`
  const tree = await treeOfArchive('it', packTar([{ path: 'pax_global_header', type: 'g', content: record }, ...files]))
  expect([tree.commit, tree.paths.length]).toEqual([commit, 3])
})

test('each refusal of a zip has its name', async () => {
  const one = { path: 'a.yaml', content: 'a: 1\n' }
  const zeros = new Uint8Array(3_000_000)
  const table: Record<string, readonly Packed[]> = {
    'path up': [one, { path: '../evil.yaml', content: 'x' }],
    'path up inside': [{ path: 'a/../../evil.yaml', content: 'x' }],
    'path up, backslashes': [{ path: '..\\evil.yaml', content: 'x' }],
    absolute: [{ path: '/etc/passwd', content: 'x' }],
    drive: [{ path: 'C:/evil.yaml', content: 'x' }],
    link: [{ path: 'a.yaml', content: '/etc/passwd', mode: 0o120777 }],
    device: [{ path: 'a.yaml', content: '', mode: 0o020644 }],
    encrypted: [{ ...one, flags: 0x801 }],
    nested: [one, { path: 'inner.zip', content: packZip([one]) }],
    'nested tar.gz': [{ path: 'x/inner.tar.gz', content: 'x' }],
    ratio: [{ path: 'zeros.bin', content: zeros }],
    'claims less than it is': [{ path: 'zeros.yaml', content: zeros, claims: 1000 }],
    'claims more than anybody keeps': [
      { path: 'a.bin', content: crypto.getRandomValues(new Uint8Array(60_000)), claims: 5_900_000 },
    ].flatMap((it) => Array.from({ length: 50 }, (_, n) => ({ ...it, path: `${n}.bin` }))),
    twice: [one, one],
    'too many': Array.from({ length: 10_001 }, (_, n) => ({ path: `${n}.yaml`, content: '' })),
  }
  const codes: Record<string, unknown> = {}
  for (const [name, entries] of Object.entries(table)) codes[name] = await codeOf(packZip(entries))
  expect(codes).toEqual({
    'path up': 'archive-path-unsafe',
    'path up inside': 'archive-path-unsafe',
    'path up, backslashes': 'archive-path-unsafe',
    absolute: 'archive-path-unsafe',
    drive: 'archive-path-unsafe',
    link: 'archive-link',
    device: 'archive-link',
    encrypted: 'archive-encrypted',
    nested: 'archive-nested',
    'nested tar.gz': 'archive-nested',
    ratio: 'archive-ratio',
    'claims less than it is': 'archive-unreadable',
    'claims more than anybody keeps': 'archive-too-large',
    twice: 'archive-unreadable',
    'too many': 'archive-entries',
  })
})

test('zip entries that share their bytes are refused before any is decompressed', async () => {
  const bytes = packZip([
    { path: 'a.yaml', content: 'a: 1\n' },
    { path: 'b.yaml', content: 'b: 2\n' },
  ])
  // The second record of the directory points to the bytes of the first entry.
  const directory = Buffer.from(bytes.buffer)
  directory.writeUInt32LE(0, directory.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 42)
  expect(await treeOfArchive('it', bytes).catch((error: unknown) => (error as SvcError).message)).toContain('overlap')
})

test('names that are not UTF-8 are read in the old code page of the format', async () => {
  const bytes = packZip([{ path: 'caf_.yaml', content: 'a: 1\n', flags: 0 }])
  const old = Buffer.from(bytes.buffer)
  for (let at = old.indexOf('caf_'); at !== -1; at = old.indexOf('caf_')) old[at + 3] = 0x82
  expect((await treeOfArchive('it', bytes)).paths).toEqual(['café.yaml'])
})

test('each refusal of a tar has its name', async () => {
  const one = { path: 'a.yaml', content: 'a: 1\n' }
  const table: Record<string, Uint8Array> = {
    'path up': packTar([{ path: '../evil.yaml', content: 'x' }]),
    absolute: packTarGz([{ path: '/etc/passwd', content: 'x' }]),
    symlink: packTar([{ path: 'a.yaml', content: '/etc/passwd', type: '2' }]),
    'hard link': packTarGz([{ path: 'a.yaml', content: 'b.yaml', type: '1' }]),
    device: packTar([{ path: 'a.yaml', content: '', type: '3' }]),
    nested: packTarGz([one, { path: 'inner.tgz', content: 'x' }]),
    ratio: packTarGz([{ path: 'zeros.bin', content: new Uint8Array(30_000_000) }]),
    damaged: packTarGz([one]).slice(0, 60),
    'cut off': packTar([{ path: 'a.yaml', content: 'x'.repeat(3000) }]).slice(0, 1500),
    'no tar inside': new Uint8Array(zlib.gzipSync('openapi: 3.1.0')),
    'no archive': new TextEncoder().encode('openapi: 3.1.0'),
    'cut zip': packZip([one]).slice(0, -10),
  }
  const codes: Record<string, unknown> = {}
  for (const [name, bytes] of Object.entries(table)) codes[name] = await codeOf(bytes)
  expect(codes).toEqual({
    'path up': 'archive-path-unsafe',
    absolute: 'archive-path-unsafe',
    symlink: 'archive-link',
    'hard link': 'archive-link',
    device: 'archive-link',
    nested: 'archive-nested',
    ratio: 'archive-ratio',
    damaged: 'archive-unreadable',
    'cut off': 'archive-unreadable',
    'no tar inside': 'archive-unreadable',
    'no archive': 'archive-unreadable',
    'cut zip': 'archive-unreadable',
  })
})
