import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectFolder } from '../../../cli/import/source.ts'
import { gather } from '../../../cli/import/source.ts'
import type { Io } from '../../../cli/io.ts'
import { SvcError } from '../../../src/errors.ts'

const top = mkdtempSync(join(tmpdir(), 'svc-gather-'))
const cwd = join(top, 'here')
afterAll(() => rmSync(top, { recursive: true, force: true }))

const write = (path: string, content: string | Uint8Array): void => {
  mkdirSync(join(top, path, '..'), { recursive: true })
  writeFileSync(join(top, path), content)
}

write('secret.yaml', 'secret: yes\n')
write('here/specs/api.yaml', 'openapi: 3.1.0\npaths:\n  /a: { $ref: "./parts/a.yaml#/a" }\n')
write('here/specs/parts/a.yaml', 'a: { get: { $ref: "../common.json" } }\n')
write('here/specs/common.json', '{"x": {"$ref": "gone.yaml"}}')
write('here/specs/note.txt', 'no document')
write('here/specs/node_modules/x/package.json', '{}')
write('here/specs/.hidden.yaml', 'a: 1')
write('here/alone.yaml', 'openapi: 3.1.0\npaths: {}\nx: { $ref: "https://example.com/x.yaml" }\n')
write('here/sly.yaml', 'a: { $ref: "../secret.yaml" }\nb: { $ref: "/etc/hostname" }\nc: { $ref: "link.yaml" }\n')
symlinkSync(join(top, 'secret.yaml'), join(cwd, 'link.yaml'))
write('elsewhere/api.yaml', 'x: { $ref: "part.yaml" }\n')
write('elsewhere/part.yaml', 'y: 1\n')
write('here/page.html', '  <!DOCTYPE html><title>x</title>')
write('here/doc.pdf', '%PDF-1.7')
write('here/bytes.yaml', new Uint8Array([0x61, 0xc3, 0x28]))
write('here/wide.yaml', new Uint8Array([0xff, 0xfe, 0x61, 0, 0x3a, 0, 0x20, 0, 0x31, 0]))
write(
  'here/kinds.yaml',
  'a: { $ref: "two%20words.yaml" }\nb: { discriminator: { propertyName: k, mapping: { cat: "cat.yaml" } } }\n',
)
write('here/two words.yaml', 'a: { $ref: "kinds.yaml#/b" }\n')
write('here/cat.yaml', 'a: 1\n')
write('here/pictured.yaml', 'logo: { $ref: "doc.pdf" }\n')
write('here/specs.zip', new Uint8Array([0x50, 0x4b, 3, 4, 1, 2]))
mkdirSync(join(cwd, 'bare'))

const io = { isInteractive: false, stdin: async () => new TextEncoder().encode('a: 1') } as Partial<Io> as Io
const get = (path: string) => gather(path, { cwd, io, globals: { root: undefined } })
const refusal = async (path: string): Promise<string> =>
  get(path).then(
    () => 'no refusal',
    (error: unknown) => (error instanceof SvcError ? `${error.code}: ${error.message}` : String(error)),
  )

test('one document is sent as its text, by the name a person would type', async () => {
  const it = await get('alone.yaml')
  expect(it.source).toMatchObject({ kind: 'inline', name: 'alone.yaml' })
  expect(it.text('alone.yaml')).toStartWith('openapi: 3.1.0')
})

test('the files that a document refers to go with it, directly or not', async () => {
  const it = await get('specs/api.yaml')
  if (it.source.kind !== 'files') throw new Error(it.source.kind)
  expect(it.source.files.map(({ path }) => path).sort()).toEqual([
    'specs/api.yaml',
    'specs/common.json',
    'specs/parts/a.yaml',
  ])
  expect([it.root, it.shown('specs/common.json')]).toEqual(['specs/api.yaml', 'specs/common.json'])
})

test('of a document elsewhere the names begin at its folder, and a person sees the path that was typed', async () => {
  const it = await get('../elsewhere/api.yaml')
  expect(it.source).toMatchObject({ kind: 'files', name: 'api.yaml' })
  expect([it.root, it.shown('part.yaml')]).toEqual(['api.yaml', '../elsewhere/part.yaml'])
})

test('references are followed as everywhere: mappings of discriminators, encoded names, and none twice', async () => {
  const it = await get('kinds.yaml')
  if (it.source.kind !== 'files') throw new Error(it.source.kind)
  expect(it.source.files.map(({ path }) => path)).toEqual(['kinds.yaml', 'two words.yaml', 'cat.yaml'])
})

test('a file that exists and is no text is an error at its reference', async () => {
  expect(await refusal('pictured.yaml')).toBe(
    'document-invalid: Invalid document: pictured.yaml:1:15 refers to "doc.pdf": doc.pdf is a PDF; expected JSON or YAML.',
  )
})

test('a document cannot make this machine send files from outside its folder', async () => {
  expect(await refusal('sly.yaml')).toBe(
    `document-invalid: Invalid document: sly.yaml:1:12 refers to "../secret.yaml": "../secret.yaml" is not read: it is outside of ${cwd}; --root names a wider folder.`,
  )
})

test('of a folder the documents are sent, without what tools and hidden files put there', async () => {
  const it = await get('specs/')
  if (it.source.kind !== 'files') throw new Error(it.source.kind)
  expect(it.source.files.map(({ path }) => path)).toEqual(['api.yaml', 'common.json', 'parts/a.yaml'])
  expect([it.root, it.shown('parts/a.yaml')]).toEqual([null, 'specs/parts/a.yaml'])
})

test('addresses, standard input and archives', async () => {
  expect((await get('https://example.com/a.yaml')).source).toEqual({ kind: 'url', url: 'https://example.com/a.yaml' })
  expect((await get('-')).source).toEqual({ kind: 'inline', name: 'stdin', content: 'a: 1' })
  expect((await get('specs.zip')).source).toEqual({
    kind: 'uploaded',
    name: 'specs.zip',
    mediaType: 'application/zip',
    bytes: new Uint8Array([0x50, 0x4b, 3, 4, 1, 2]),
  })
  expect((await get('wide.yaml')).source).toMatchObject({ kind: 'inline', content: 'a: 1' })
})

test('what cannot be a document is refused by what it is', async () => {
  const refusals = await Promise.all(
    ['page.html', 'doc.pdf', 'bytes.yaml', 'bare', 'alon.yaml', 'ftp://example.com/a.yaml'].map(refusal),
  )
  expect(refusals).toEqual([
    'document-invalid: Invalid document: page.html is an HTML page; expected JSON or YAML.',
    'document-invalid: Invalid document: doc.pdf is a PDF; expected JSON or YAML.',
    'document-invalid: Invalid document: bytes.yaml is not text in UTF-8.',
    'usage: bare cannot be imported: the folder contains no .json, .yaml or .yml file',
    'file-not-found: There is no file "alon.yaml"; did you mean "alone.yaml"?',
    'usage: ftp://example.com/a.yaml cannot be imported: documents are fetched over http and https only; "svc import git" reads repositories',
  ])
})

test('of a folder that cannot be read whole the rest is read', async () => {
  write('partly/a.yaml', 'a: 1')
  write('partly/closed/b.yaml', 'b: 1')
  write('partly/program.json', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0]))
  write('partly/z/c.json', '{}')
  const denied = Object.assign(new Error('no'), { code: 'EACCES' })
  const { files, unread } = await collectFolder(join(top, 'partly'), { maxFiles: 10, maxBytes: 1000 }, (folder) =>
    folder.endsWith('closed') ? Promise.reject(denied) : readdir(folder, { withFileTypes: true }),
  )
  expect(files.map(({ path }) => path)).toEqual(['a.yaml', 'z/c.json'])
  expect(unread.map(({ path, error }) => [path, error.code])).toEqual([
    ['closed', 'file-unreadable'],
    ['program.json', 'document-invalid'],
  ])
})
