import { expect, test } from 'bun:test'
import {
  DefinitionRequest,
  DocumentSymbolRequest,
  HoverRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  type Position,
  type TextEdit,
} from 'vscode-languageserver-protocol/node'
import { Editor } from '../../fixtures/editor.ts'

const api = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200':
          description: Fine
          content:
            application/json:
              schema: { $ref: 'schemas/pet.yaml#/Pet' }
              example: é😀
          links:
            next: { operationId: listPets }
`
const pet = `Pet:\r\n  type: object\r\n  properties:\r\n    name: { $ref: '#/Name' }\r\nName:\r\n  type: string\r\n`
const flow = `arazzo: 1.0.0
info: { title: Buy, version: '1' }
sourceDescriptions: [{ name: pets, url: api.yaml, type: openapi }]
workflows:
  - workflowId: buy
    steps: [{ stepId: one, operationId: listPets }]
`
const files = { 'api.yaml': api, 'schemas/pet.yaml': pet, 'flow.yaml': flow, 'compose.yaml': 'services: {}\n' }

const place = (text: string, needle: string, shift = 0): Position => {
  const before = text.slice(0, text.indexOf(needle) + shift)
  const lines = before.split('\n')
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
}
const named = (all: readonly { readonly uri: string; readonly range: { readonly start: Position } }[]): string[] =>
  all.map(({ uri, range: { start } }) => `${uri.replace(/^.*\//, '')} ${start.line}:${start.character}`)

test('definitions, references, hover and the outline go across files', async () => {
  await using editor = await Editor.start({ files })
  const { connection } = editor
  const [uri, petUri] = [editor.uri('api.yaml'), editor.uri('schemas/pet.yaml')]
  await editor.open(uri, api)
  const textDocument = { uri }
  const at = { textDocument, position: place(api, 'schemas/pet') }
  expect(named([await connection.sendRequest(DefinitionRequest.type, at)].flat() as never)).toEqual(['pet.yaml 0:0'])
  const operation = { textDocument, position: place(api, 'listPets }') }
  expect(named([await connection.sendRequest(DefinitionRequest.type, operation)].flat() as never)).toEqual([
    'api.yaml 4:4',
  ])
  const context = { includeDeclaration: true }
  expect(
    named((await connection.sendRequest(ReferencesRequest.type, { ...operation, context })) ?? []).toSorted(),
  ).toEqual(['api.yaml 14:33', 'api.yaml 4:4', 'flow.yaml 5:40'])
  const hover = await connection.sendRequest(HoverRequest.type, at)
  expect(hover?.contents).toEqual({
    kind: 'markdown',
    value: '**Pet** (pet.yaml)\n\n```yaml\ntype: object\nproperties:\n  name:\n    type: string\n```',
  })
  const rule = await connection.sendRequest(HoverRequest.type, { textDocument, position: place(api, 'title') })
  expect(JSON.stringify(rule?.contents)).toContain('**info-contact** (warning)')
  const symbols = (await connection.sendRequest(DocumentSymbolRequest.type, { textDocument })) as { name: string }[]
  expect(symbols.map(({ name }) => name)).toEqual(['info', 'paths'])
  const wholeFile = await connection.sendRequest(ReferencesRequest.type, {
    textDocument,
    position: { line: 0, character: 0 },
    context: { includeDeclaration: false },
  })
  expect(named(wholeFile ?? []).filter((it) => it.startsWith('flow'))).toEqual(['flow.yaml 5:40'])
  // A file of schemas is no document by itself, but its parts are named.
  await editor.open(petUri, pet)
  const uses = await connection.sendRequest(ReferencesRequest.type, {
    textDocument: { uri: petUri },
    position: place(pet, '#/Name'),
    context: { includeDeclaration: false },
  })
  expect(named(uses ?? [])).toEqual(['pet.yaml 3:18'])
  const nowhere = { textDocument, position: { line: 0, character: 3 } }
  expect(await connection.sendRequest(DefinitionRequest.type, nowhere)).toBeNull()
  expect(await editor.leave()).toBe(0)
})

const components = `openapi: 3.1.0
info: { title: Pets, version: '1', x-note: é😀 }
paths: {}
components: { schemas: { "é": {}, Pet: { x: 😀, allOf: [{ $ref: '#/components/schemas/Pet' }] } } }
`
const user = `{"openapi": "3.1.0", "info": {"title": "U", "version": "1"}, "paths": {},
  "components": {"schemas": {"P": {"$ref": "api.yaml#/components/schemas/Pet/allOf/0"}}}}`

for (const encoding of ['utf-8', 'utf-16'] as const)
  test(`a component is renamed in every file that refers to it (${encoding})`, async () => {
    const capabilities = { general: { positionEncodings: [encoding] } }
    await using editor = await Editor.start({ files: { 'api.yaml': components, 'user.json': user }, capabilities })
    const { connection } = editor
    const uri = editor.uri('api.yaml')
    await editor.open(uri, components)
    const line = components.split('\n')[3] ?? ''
    const column = (upTo: number): number => (encoding === 'utf-8' ? Buffer.byteLength(line.slice(0, upTo)) : upTo)
    const position = { line: 3, character: column(line.indexOf('Pet:') + 1) }
    const at = { textDocument: { uri }, position }
    const range = (from: number): TextEdit['range'] => ({
      start: { line: 3, character: column(from) },
      end: { line: 3, character: column(from + 3) },
    })
    expect(await connection.sendRequest(PrepareRenameRequest.type, at)).toEqual({
      range: range(line.indexOf('Pet:')),
      placeholder: 'Pet',
    })
    const edit = await connection.sendRequest(RenameRequest.type, { ...at, newName: 'Animal' })
    const json = user.split('\n')[1]?.indexOf('Pet') ?? 0
    expect(edit).toEqual({
      changes: {
        [uri]: [
          { range: range(line.indexOf('Pet:')), newText: 'Animal' },
          { range: range(line.lastIndexOf('Pet')), newText: 'Animal' },
        ],
        [editor.uri('user.json')]: [
          { range: { start: { line: 1, character: json }, end: { line: 1, character: json + 3 } }, newText: 'Animal' },
        ],
      },
    })
    const refusal = (params: typeof at & { readonly newName: string }): Promise<string> =>
      connection.sendRequest(RenameRequest.type, params).then(
        () => 'none',
        (error: unknown) => (error as Error).message,
      )
    expect(await refusal({ ...at, newName: 'no good' })).toBe(
      '"no good" is not a valid name; use only letters, digits, ".", "-" and "_".',
    )
    const elsewhere = { ...at, position: { line: 0, character: 2 }, newName: 'X' }
    expect(await refusal(elsewhere)).toBe(
      'Only definitions can be renamed: place the cursor on the name of one, or on a reference to it.',
    )
    expect(await editor.leave()).toBe(0)
  })
