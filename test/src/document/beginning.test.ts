import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { join } from 'node:path'
import { readBeginning } from '../../../src/document/beginning.ts'
import { detectFormat } from '../../../src/document/format.ts'
import { parseDocument } from '../../../src/document/parse.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const told = (text: string): string => {
  const format = detectFormat(readBeginning(bytesOf(text)))
  return format === null ? 'none' : `${format.kind} ${format.version}`
}
const limit = 64 * 1024

test('the format is told by the members of the root, however they are written', () => {
  const texts = {
    plain: 'openapi: 3.1.0\ninfo: {}\n',
    quoted: '"openapi": "3.1.0"\n',
    'in single quotes': "'openapi': '3.1.0'",
    'flow style': '{openapi: 3.1.0, info: {title: A}}',
    'flow style over lines': '{\n  info: {url: https://example.com/a},\n  openapi: "3.1.0",\n}\n',
    'an explicit key': '? openapi\n: 3.1.0\n',
    'indented, after empty lines': '\n\n  info: x\n  openapi: 3.1.0\n',
    'after comments and directives': '# first\n%YAML 1.2\n# second\n---\n# third\nopenapi: 3.1.0 # last\n',
    'tags and anchors': '!!map\nopenapi: &version !!str 3.1.0\nx-same: *version\n',
    'with a byte order mark': '\uFEFFopenapi: 3.1.0\n',
    json: '{"info":{"title":"A"},"openapi":"3.1.0"}',
    'json with escapes and a byte order mark': '\uFEFF{"open\\u0061pi":"3.1.0"}',
    'json with comments':
      '// ours\n{\n  /* the version */ "openapi": "3.1.0", // "openapi": "2"\n  "url": "https://a/b" }',
    'line ends of Windows': '# a\r\nopenapi: 3.1.0\r\ninfo: {}\r\n',
    'the first of several documents': 'openapi: 3.1.0\n---\nswagger: "2.0"\n',
  }
  for (const [name, text] of Object.entries(texts)) expect([name, told(text)]).toEqual([name, 'openapi 3.1'])
  expect(told('swagger: 2.0\n')).toBe('swagger 2.0')
  expect(told('{"result":{"tools":[{"name":"a","inputSchema":{}}]}}')).toBe('mcp manifest')
})

test('what is deeper, or in a text, is no member of the root', () => {
  for (const text of [
    'info:\n  openapi: 3.1.0\n',
    '{"info":{"openapi":"3.1.0"}}',
    'description: |\n  openapi: 3.1.0\n',
    'description: "\n  openapi: 3.1.0"\n',
    '# openapi: 3.1.0\n',
    '{"a":"\\"openapi\\":\\"3.1.0\\""}',
    '- openapi: 3.1.0\n',
    'openapi 3.1.0',
    'title: x\n---\nopenapi: 3.1.0\n',
    '',
    '\uFEFF',
    '---\n',
    '<!doctype html>',
  ])
    expect([text, told(text)]).toEqual([text, 'none'])
})

test('a document that cannot be read whole is told by what can', () => {
  for (const text of [
    'openapi: 3.1.0\ninfo: [\n',
    'openapi: 3.1.0\ninfo: "no end\n',
    '{"openapi":"3.1.0",',
    '{"openapi":"3.1.0"]',
  ])
    expect([text, told(text)]).toEqual([text, 'openapi 3.1'])
})

test('only the first 64 KiB are read; where they end nothing is taken for whole', () => {
  const filler = (length: number): string => `# ${'x'.repeat(length - 3)}\n`
  const before = filler(limit - 16)
  expect(told(`${before}openapi: 3.1.0\ninfo: {}\n`)).toBe('openapi 3.1')
  expect(told(`${filler(limit)}openapi: 3.1.0\n`)).toBe('none')
  // "openapi: 3.1.0", of which the last characters are behind the end.
  expect(told(`${filler(limit - 12)}openapi: 3.1.0\n`)).toBe('none')
  expect(told(`${filler(limit - 14)}openapi: 3.1.0`)).toBe('openapi 3.1')
  const tools = Array.from({ length: 3000 }, (_, n) => ({ name: `tool ${n}`, inputSchema: { type: 'object' } }))
  expect(told(JSON.stringify({ tools }))).toBe('mcp manifest')
  // A character of several bytes is cut in two.
  expect(told(`openapi: 3.1.0\n# ${'é'.repeat(limit)}`)).toBe('openapi 3.1')
})

test('texts in UTF-16 are read where a byte order mark says so', () => {
  const wide = (text: string, isLittle: boolean): Uint8Array => {
    const view = new DataView(new ArrayBuffer(text.length * 2))
    for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle)
    return new Uint8Array(view.buffer)
  }
  for (const isLittle of [true, false])
    expect(detectFormat(readBeginning(wide('\uFEFFopenapi: 3.1.0\n', isLittle)))?.kind).toBe('openapi')
})

test('names that objects have anyway are members like others', () => {
  expect(readBeginning(bytesOf('{"__proto__":{"openapi":"3.1.0"},"constructor":1}'))).toEqual(
    JSON.parse('{"__proto__":{"openapi":"3.1.0"},"constructor":1}'),
  )
})

test('no text takes long, or is more than it can take', () => {
  const repeated = ['[', '{', '"', "'", '\\"', 'a: ', '- ', '? ', '&a ', '!a ', '*a ', '/*', '// \n', '\n:', 'a: |\n']
  for (const prefix of ['', '{', 'openapi: 3.1.0\ninfo: ', '{"a":['])
    for (const one of [...repeated, '<<: *a\n', '{"a":', '\t', ':', '---\n', '%\n', '"a" ', '{"a" //\n']) {
      const bytes = bytesOf(prefix + one.repeat(limit / one.length))
      // Its own work: other processes may have the processor for longer.
      const from = process.cpuUsage()
      readBeginning(bytes)
      const took = process.cpuUsage(from).user / 1000
      expect([prefix, one, took < 2000]).toEqual([prefix, one, true])
    }
  const bomb = `a: &a [x,x]\nb: &b [${'*a,'.repeat(5000)}]\nc: [${'*b,'.repeat(5000)}]\nopenapi: 3.1.0\n`
  expect(told(bomb)).toBe('openapi 3.1')
})

test('any bytes give a value', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      readBeginning(bytes)
    }),
  )
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    "'",
    '\n',
    ' ',
    '-',
    '?',
    '#',
    '|',
    'openapi',
    '3.1',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      readBeginning(bytesOf(parts.join('')))
    }),
  )
})

test('documents have the format that reading them whole finds', async () => {
  const root = join(import.meta.dir, '../../..')
  let compared = 0
  for (const path of new Bun.Glob('{test,docs,bench}/**/*.{json,yaml,yml}').scanSync({ cwd: root })) {
    const bytes = await Bun.file(join(root, path)).bytes()
    if (bytes.byteLength > limit) continue
    const { value, format } = parseDocument(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), {
      source: path,
    })
    if (value === null) continue
    expect([path, detectFormat(readBeginning(bytes))]).toEqual([path, format])
    compared++
  }
  expect(compared).toBeGreaterThan(100)
})
