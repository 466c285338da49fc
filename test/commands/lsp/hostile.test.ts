/** The language server on the project of a stranger: nothing is requested, nothing runs, nothing outside is read, and it goes on answering. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Editor } from '../../fixtures/editor.ts'

const outside = mkdtempSync(join(tmpdir(), 'svc-outside-'))
const requests: string[] = []
let canary: Bun.Server<undefined>
beforeAll(() => {
  canary = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      requests.push(new URL(url).pathname)
      return new Response('extends: svc:recommended\n')
    },
  })
  writeFileSync(join(outside, 'secret.yaml'), 'Planted: { description: planted-secret }\n')
})
afterAll(async () => {
  await canary.stop(true)
  rmSync(outside, { recursive: true, force: true })
})

const document = (schema: string): string => `openapi: 3.1.0
info: { title: A, version: "1" }
paths: {}
components:
  schemas:
    A: ${schema}
    B: { type: objekt }
`

/** The codes of what is shown of a document, once its own mistake is among it. */
async function codesOf(editor: Editor, name: string, text: string): Promise<(string | number | undefined)[]> {
  const uri = editor.uri(name)
  await editor.open(uri, text)
  const { diagnostics } = await editor.shown(uri)
  return diagnostics.map(({ code }) => code)
}

test('addresses of references, guides and base versions are not requested', async () => {
  const url = canary.url.href.replace(/\/$/, '')
  const text = document(`{ $ref: "${url}/a.yaml#/A" }`)
  await using editor = await Editor.start({
    files: {
      'svc.yaml': `apis: { a: { root: a.yaml, guide: "${url}/rules.yaml", compareWith: "${url}/base.yaml" } }\n`,
      '.spectral.yaml': `extends: "${url}/spectral.yaml"\n`,
      'a.yaml': text,
      'b.yaml': text,
    },
  })
  await codesOf(editor, 'a.yaml', text)
  await codesOf(editor, 'b.yaml', text)
  expect(requests).toEqual([])
})

test('functions of a ruleset do not run without consent', async () => {
  const mark = join(outside, 'ran')
  const text = document('{ type: string }')
  await using editor = await Editor.start({
    files: {
      '.spectral.yaml': `functions: [mark]
rules:
  marks: { given: $, then: { function: mark } }
`,
      'functions/mark.js': `require('node:fs').writeFileSync(${JSON.stringify(mark)}, ''); module.exports = () => [{ message: 'ran' }]`,
      'a.yaml': text,
    },
  })
  expect(await codesOf(editor, 'a.yaml', text)).not.toContain('marks')
  expect(existsSync(mark)).toBeFalse()
})

test('no file outside of the project is read, by whatever way', async () => {
  const text = `openapi: 3.1.0
info: { title: A, version: "1" }
paths: {}
components:
  schemas:
    A: { $ref: "${outside}/secret.yaml#/Planted" }
    B: { $ref: "../../../../../../..${outside}/secret.yaml#/Planted" }
    C: { $ref: "linked.yaml#/Planted" }
    D: { $ref: "/dev/zero" }
    E: { $ref: "/etc/passwd" }
`
  await using editor = await Editor.start({ files: { 'a.yaml': text } })
  symlinkSync(join(outside, 'secret.yaml'), join(editor.folder, 'linked.yaml'))
  const uri = editor.uri('a.yaml')
  await editor.open(uri, text)
  const { diagnostics } = await editor.shown(uri)
  const unread = diagnostics.filter(
    ({ code }) => code === 'no-unresolved-refs' || code === 'resolvable-refs' || String(code).includes('ref'),
  )
  expect(unread.map(({ range }) => range.start.line + 1)).toEqual([6, 7, 8, 9, 10])
  expect(JSON.stringify(diagnostics)).not.toContain('planted-secret')
  const hover = await editor.connection.sendRequest('textDocument/hover', {
    textDocument: { uri },
    position: { line: 5, character: 20 },
  })
  expect(JSON.stringify(hover)).not.toContain('planted-secret')
})

test('documents that are dear to read delay their own findings alone', async () => {
  const hostile = {
    'nested.yaml': `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: {}\nx-a: ${'['.repeat(20_000)}\n`,
    'aliases.yaml': `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: {}\nx-a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 12 }, (_, at) => `x-a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(10)}]`).join('\n')}\n`,
    'pattern.yaml': document(`{ type: string, pattern: "^(a+)+$", default: ${'a'.repeat(60)}b }`),
    'cycle.yaml': document(
      '{ allOf: [{ $ref: "#/components/schemas/A" }, { $ref: "cycle.yaml#/components/schemas/A" }] }',
    ),
  }
  const text = document('{ type: string }')
  await using editor = await Editor.start({ files: { ...hostile, 'a.yaml': text } })
  for (const [name, content] of Object.entries(hostile)) await editor.open(editor.uri(name), content)
  const begun = performance.now()
  expect(await codesOf(editor, 'a.yaml', text)).not.toEqual([])
  expect(performance.now() - begun).toBeLessThan(30_000)
  expect(editor.messages).toEqual([])
  expect(editor.child.exitCode).toBe(null)
})
