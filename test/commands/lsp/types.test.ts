/** References to registered types in an editor: those that come with svc, and those of a workspace. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  CompletionRequest,
  DefinitionRequest,
  HoverRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  type CompletionItem,
  type Location,
  type Position,
} from 'vscode-languageserver-protocol/node'
import { registry } from '../../../cli/registry.gen.ts'
import { Editor } from '../../fixtures/editor.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-lsp-types-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const env = { SVC_WORKSPACE: join(folder, 'workspace'), XDG_CACHE_HOME: join(folder, 'cache') }

const api = (...refs: string[]): string => `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths: {}
components:
  schemas:
${refs.map((ref, index) => `    S${index}: { $ref: '${ref}' }\n`).join('')}`

const place = (text: string, needle: string, shift = 0): Position => {
  const lines = text.slice(0, text.indexOf(needle) + shift).split('\n')
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
}
const isUnresolved = ({ code }: { readonly code?: unknown }): boolean => code === 'invalid-ref'

test('types that come with svc are resolved, opened as files that cannot be changed, and proposed', async () => {
  const text = api('svc:core/Money', 'svc:core/Monney', 'svc:core/Money#/properties/currency')
  await using editor = await Editor.start({ files: { 'api.yaml': text }, env })
  const { connection } = editor
  const uri = editor.uri('api.yaml')
  const textDocument = { uri }
  await editor.open(uri, text)
  const { diagnostics } = await editor.shown(uri, (it) => it.diagnostics.some(isUnresolved))
  expect(diagnostics.filter(isUnresolved).map((it) => [it.range.start.line, it.message])).toEqual([
    [6, expect.stringContaining('svc:core/Monney')],
  ])
  const at = { textDocument, position: place(text, 'svc:core/Money', 2) }
  const hover = await connection.sendRequest(HoverRequest.type, at)
  expect(JSON.stringify(hover?.contents)).toContain('**svc:core/Money**, a registered type')
  const opened = (await connection.sendRequest(DefinitionRequest.type, at)) as Location
  const path = fileURLToPath(opened.uri)
  expect([path.startsWith(env.XDG_CACHE_HOME), path.endsWith('/core/Money.json')]).toEqual([true, true])
  expect([opened.range.start, statSync(path).mode & 0o777]).toEqual([{ line: 0, character: 0 }, 0o444])
  const schema = await readFile(path, 'utf8')
  expect(Object.keys((JSON.parse(schema) as { properties: object }).properties)).toContain('currency')
  // A part of a type is where it is in its file.
  const part = { textDocument, position: place(text, 'svc:core/Money#', 2) }
  const inside = (await connection.sendRequest(DefinitionRequest.type, part)) as Location
  expect(inside.range.start).toEqual(place(schema, '"currency": {'))
  const uses = await connection.sendRequest(ReferencesRequest.type, { ...at, context: { includeDeclaration: false } })
  expect(uses?.map((it) => [it.uri, it.range.start.line])).toEqual([
    [uri, 5],
    [uri, 7],
  ])
  expect(await connection.sendRequest(PrepareRenameRequest.type, at)).toBeNull()
  // The opened file itself: nothing is wrong with it here.
  await editor.open(opened.uri, schema, 'json')
  expect((await editor.shown(opened.uri)).diagnostics).toEqual([])
  const proposed = (await connection.sendRequest(CompletionRequest.type, {
    textDocument,
    position: place(text, 'svc:core/Monney', 'svc:core/'.length),
  })) as CompletionItem[]
  const refs = proposed.map(({ label }) => label)
  expect(refs.every((it) => it.startsWith('svc:'))).toBe(true)
  expect(refs.filter((it) => it === 'svc:core/Money' || it === 'svc:core/Address')).toEqual([
    'svc:core/Address',
    'svc:core/Money',
  ])
})

test('types of the workspace are read, and read again', async () => {
  const run = async (...words: string[]): Promise<void> => {
    const { exit, stderr } = await runCommand(words, registry, { env, cwd: folder })
    if (exit !== 0) throw new Error(stderr)
  }
  const schema = { type: 'object', properties: { size: { type: 'integer', description: 'In centimetres.' } } }
  writeFileSync(join(folder, 'Shoe.json'), JSON.stringify(schema))
  await run('import', 'json-schema-type', 'Shoe.json', '--name', 'Shoe', '--namespace', 'shop')
  const text = api('svc:shop/Shoe', 'svc:shop/Hat')
  await using editor = await Editor.start({ files: { 'api.yaml': text }, env })
  const uri = editor.uri('api.yaml')
  const unresolved = ({ diagnostics }: { readonly diagnostics: readonly { readonly code?: unknown }[] }): number =>
    diagnostics.filter(isUnresolved).length
  await editor.open(uri, text)
  expect(unresolved(await editor.shown(uri, (it) => it.diagnostics.some(isUnresolved)))).toBe(1)
  const at = { textDocument: { uri }, position: place(text, 'svc:shop/Shoe', 2) }
  expect(JSON.stringify((await editor.connection.sendRequest(HoverRequest.type, at))?.contents)).toContain(
    'In centimetres.',
  )
  const proposed = (await editor.connection.sendRequest(CompletionRequest.type, at)) as CompletionItem[]
  expect(proposed.filter(({ label }) => label.startsWith('svc:shop/')).map(({ label }) => label)).toEqual([
    'svc:shop/Shoe',
  ])
})
