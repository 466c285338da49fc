import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import type { Finding } from '../../../src/lint/finding.ts'
import { Editor, told } from '../../fixtures/editor.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const api = `openapi: 3.1.0
info:
  title: Pets
  version: 1.0.0
servers:
  - url: https://api.pets.test/
paths:
  /pets/{id}:
    get:
      operationId: pet
      responses:
        '200':
          description: A pet
          content:
            application/json:
              schema:
                $ref: 'schemas.yaml#/Pet'
components:
  schemas:
    Old:
      type: objekt
`
const schemas = `Pet:
  type: object
  properties:
    mood: { type: string, enum: [happy, happy] }
`
const files = { 'api/openapi.yaml': api, 'api/schemas.yaml': schemas, 'compose.yaml': 'services: {}\n' }
const severities = ['', 'error', 'warning', 'info', 'hint']

test('svc lsp shows what "svc lint" finds, with its code, severity, message and place', async () => {
  await using editor = await Editor.start({ files })
  const uri = editor.uri('api/openapi.yaml')
  await editor.open(uri, api)
  const own = await editor.shown(uri)
  const others = await editor.shown(editor.uri('api/schemas.yaml'))
  const { stdout } = await runCommand(['lint', 'openapi.yaml', '--json'], registry, { cwd: join(editor.folder, 'api') })
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] }
  const shown = [own, others].flatMap(({ uri: source, diagnostics }) =>
    diagnostics.map(({ code, severity = 0, message, range }) => ({
      source: source.replace(/^.*\//, ''),
      code,
      severity: severities[severity],
      message,
      range,
    })),
  )
  expect(shown).toEqual(
    findings.map(({ source, code, severity, message, range }) => ({ source, code, severity, message, range })),
  )
  expect(new Set(findings.map((it) => it.source))).toEqual(new Set(['openapi.yaml', 'schemas.yaml']))
  expect(await editor.leave()).toBe(0)
  expect(editor.stderr).toBe('')
})

test('edits by ranges are followed; a text that cannot be read keeps what was found elsewhere', async () => {
  await using editor = await Editor.start({ files })
  const uri = editor.uri('api/openapi.yaml')
  await editor.open(uri, api)
  const before = told(await editor.shown(uri))
  const at = (line: number, character: number) => ({ line, character })
  // Two edits in one message, the second in the text after the first.
  await editor.change(uri, 2, [
    { range: { start: at(1, 0), end: at(1, 0) }, text: '# One\n# Two\n' },
    { range: { start: at(4, 9), end: at(4, 9) }, text: '"' },
  ])
  const broken = told(await editor.shown(uri, (it) => it.version === 2))
  expect(broken.filter((it) => it.startsWith('parser'))).toHaveLength(1)
  const down = (line: string): string =>
    line.replace(/ (\d+):/, (_, n: string) => ` ${Number(n) < 1 ? n : Number(n) + 2}:`)
  expect(broken.filter((it) => !it.startsWith('parser'))).toEqual(before.map(down))
  await editor.change(uri, 3, [{ range: { start: at(4, 9), end: at(4, 10) }, text: '' }])
  const repaired = told(await editor.shown(uri, (it) => it.version === 3 && it.diagnostics.length === before.length))
  expect(repaired).toEqual(before.map(down))
})

test('a document with a comma too many has its other findings too, and the same as "svc lint"', async () => {
  const text = `{
  "openapi": "3.1.0",
  "info": { "title": "Pets", "version": "1" },
  "paths": {},
  "components": { "schemas": { "Old": { "type": "objekt" }, } }
}
`
  await using editor = await Editor.start({ files: { 'a.json': text } })
  const uri = editor.uri('a.json')
  await editor.open(uri, text, 'json')
  const shown = (await editor.shown(uri)).diagnostics.map(
    ({ code, range }) => `${range.start.line + 1} ${String(code)}`,
  )
  const { stdout } = await runCommand(['lint', 'a.json', '--json'], registry, { cwd: editor.folder })
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] }
  expect(shown.toSorted()).toEqual(findings.map(({ code, range }) => `${range.start.line + 1} ${code}`).toSorted())
  expect(shown).toContain('5 parser')
  expect(shown).toContain('5 oas3-schema')
})

test('a document is checked again where a file that it refers to was edited, and leaves nothing when it is closed', async () => {
  await using editor = await Editor.start({ files })
  const [uri, other] = [editor.uri('api/openapi.yaml'), editor.uri('api/schemas.yaml')]
  await editor.open(uri, api)
  await editor.open(other, schemas)
  const hasDuplicate = (it: Parameters<typeof told>[0]): boolean =>
    it.diagnostics.some(({ code }) => code === 'duplicated-entry-in-enum')
  await editor.shown(other, hasDuplicate)
  const start = { line: 3, character: 40 }
  await editor.change(other, 2, [{ range: { start, end: { line: 3, character: 45 } }, text: 'sad' }])
  expect((await editor.shown(other, (it) => !hasDuplicate(it) && it.version === 2)).diagnostics).toEqual([])
  await editor.close(uri)
  expect(await editor.shown(uri, ({ diagnostics }) => diagnostics.length === 0)).toEqual({ uri, diagnostics: [] })
})

test('the ruleset of the nearest folder applies, and its own change is followed', async () => {
  const ruleset = `rules:\n  no-get: { given: '$.paths.*.get', severity: hint, then: { function: falsy }, message: 'No {{property}}' }\n`
  await using editor = await Editor.start({ files: { ...files, '.spectral.yaml': ruleset } })
  const uri = editor.uri('api/openapi.yaml')
  await editor.open(uri, api)
  expect(told(await editor.shown(uri))).toEqual(['no-get 8:8 No get'])
  writeFileSync(join(editor.folder, '.spectral.yaml'), ruleset.replace('No {{', 'Never {{'))
  await editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: editor.uri('.spectral.yaml'), type: 2 }],
  })
  expect(told(await editor.shown(uri, (it) => told(it)[0]?.includes('Never') === true))).toEqual([
    'no-get 8:8 Never get',
  ])
})

test('texts that are not on the disk are checked, other YAML is left alone', async () => {
  await using editor = await Editor.start({ files })
  await editor.open(editor.uri('compose.yaml'), readFileSync(join(editor.folder, 'compose.yaml'), 'utf8'))
  await editor.open('untitled:Untitled-1', '{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}', 'json')
  const shown = await editor.shown('untitled:Untitled-1')
  expect(shown.diagnostics.map(({ code }) => code)).toEqual(['parser'])
  expect((await editor.shown(editor.uri('compose.yaml'))).diagnostics).toEqual([])
})

test('positions are counted in bytes where the editor asks for that', async () => {
  const text = `openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0, x-é: '😀', description: "<script>" }\npaths: {}\n`
  const capabilities = { general: { positionEncodings: ['utf-8', 'utf-16'] } }
  await using editor = await Editor.start({ files: {}, capabilities })
  expect(editor.answer.capabilities.positionEncoding).toBe('utf-8')
  const uri = editor.uri('openapi.yaml')
  await editor.open(uri, text)
  const shown = await editor.shown(uri)
  const script = shown.diagnostics.find(({ code }) => code === 'no-script-tags-in-markdown')
  const line = text.split('\n')[1] ?? ''
  const bytes = (upTo: number): number => Buffer.byteLength(line.slice(0, upTo))
  expect(script?.range.start).toEqual({ line: 1, character: bytes(line.indexOf('"<script>')) })
  const start = { line: 1, character: bytes(line.indexOf('<')) }
  await editor.change(uri, 2, [{ range: { start, end: { line: 1, character: start.character + 8 } }, text: 'Fine' }])
  const codes = ({ diagnostics }: typeof shown): unknown[] => diagnostics.map(({ code }) => code)
  const after = await editor.shown(uri, (it) => !codes(it).includes('no-script-tags-in-markdown'))
  expect(codes(after)).toEqual(codes(shown).filter((it) => it !== 'no-script-tags-in-markdown'))
})

test('an editor that leaves without a shutdown ends the server with 1', async () => {
  await using editor = await Editor.start()
  await editor.connection.sendNotification('exit')
  expect(await editor.exited).toBe(1)
})
