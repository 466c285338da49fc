import { expect, test } from 'bun:test'
import {
  CodeActionRequest,
  CompletionRequest,
  type CodeAction,
  type CompletionItem,
  type TextEdit,
} from 'vscode-languageserver-protocol/node'
import { builtinTypes } from '../../../src/types/builtin/builtin.ts'
import { Editor, told } from '../../fixtures/editor.ts'

const api = `openapi: 3.1.0
info: { title: Pets, version: '1', description: D, contact: { name: N } }
servers:
  - url: https://api.pets.test/
paths: {}
components:
  schemas:
    Pet:
      properties:
        a: { $ref: '' }
    Other: { items: { $ref: '#/components/schemas/Pet' } }
`

/** A text after edits, all by positions of the text before. */
function edited(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split('\n')
  const offset = ({ line, character }: TextEdit['range']['start']): number =>
    lines.slice(0, line).reduce((sum, it) => sum + it.length + 1, 0) + character
  return edits
    .toSorted((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (whole, { range, newText }) => whole.slice(0, offset(range.start)) + newText + whole.slice(offset(range.end)),
      text,
    )
}

test('a finding offers its fix and its suppression; what a client would see is offered as such', async () => {
  await using editor = await Editor.start({ files: {} })
  const uri = editor.uri('openapi.yaml')
  await editor.open(uri, api)
  const shown = await editor.shown(uri)
  const offers = async (code: string, only?: string[]): Promise<CodeAction[]> => {
    const diagnostics = shown.diagnostics.filter((it) => it.code === code)
    const range = diagnostics[0]?.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
    const context = { diagnostics, ...(only === undefined ? {} : { only }) }
    return (await editor.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri },
      range,
      context,
    })) as CodeAction[]
  }
  const slash = await offers('oas3-server-trailing-slash')
  expect(slash.map(({ title, kind }) => [title, kind])).toEqual([
    [expect.stringContaining('slash'), 'quickfix'],
    ['Suppress oas3-server-trailing-slash here', 'quickfix'],
  ])
  const after = slash.map(({ edit }) => edited(api, edit?.changes?.[uri] ?? []))
  expect(after).toEqual([
    api.replace('pets.test/', 'pets.test'),
    api.replace('  - url', '  # svc-ignore oas3-server-trailing-slash\n  - url'),
  ])
  const all = await offers('none', ['source.fixAll'])
  expect(all.map(({ kind, edit }) => [kind, edited(api, edit?.changes?.[uri] ?? [])])).toEqual([
    ['source.fixAll.svc', after[0]],
  ])
  expect(await offers('none')).toEqual([])
  expect(await editor.leave()).toBe(0)
})

test('completion proposes what belongs at the cursor: the document, files beside it, then registered types', async () => {
  // Every organization has the types that come with svc, so they are proposed without any workspace too.
  const builtin = builtinTypes().map(({ ref }) => ref)
  expect(builtin).toContain('svc:core/Money')
  await using editor = await Editor.start({
    files: { 'schemas/cat.yaml': 'type: object\n', 'schemas/pet.yaml': 'Dog: {}\n' },
  })
  const uri = editor.uri('openapi.yaml')
  await editor.open(uri, api)
  const position = { line: 9, character: api.split('\n')[9]?.indexOf("''") ?? 0 }
  position.character += 1
  const items = (await editor.connection.sendRequest(CompletionRequest.type, {
    textDocument: { uri },
    position,
  })) as CompletionItem[]
  expect(items.map(({ label }) => label)).toEqual([
    '#/components/schemas/Pet',
    '#/components/schemas/Other',
    'schemas/cat.yaml',
    'schemas/cat.yaml#',
    'schemas/pet.yaml#',
    ...builtin,
  ])
  // Of a file in another folder the references begin where the typed one does.
  const above = api.replace("$ref: ''", "$ref: '../'")
  const other = editor.uri('parts/openapi.yaml')
  await editor.open(other, above)
  const elsewhere = (await editor.connection.sendRequest(CompletionRequest.type, {
    textDocument: { uri: other },
    position: { line: 9, character: position.character + 3 },
  })) as CompletionItem[]
  expect(elsewhere.map(({ label }) => label)).toEqual([
    '#/components/schemas/Pet',
    '#/components/schemas/Other',
    '../schemas/cat.yaml',
    '../schemas/cat.yaml#',
    '../schemas/pet.yaml#',
    ...builtin,
  ])
  const edit = items[1]?.textEdit as TextEdit
  expect(edited(api, [edit])).toBe(api.replace("$ref: ''", "$ref: '#/components/schemas/Other'"))
  expect(await editor.leave()).toBe(0)
})

test('a ruleset shows what is wrong with it, and proposes rules', async () => {
  const ruleset = 'extends: spectral:oas\nrules:\n  operation-tags: of\n  \n'
  await using editor = await Editor.start({ files: { '.spectral.yaml': ruleset } })
  const uri = editor.uri('.spectral.yaml')
  await editor.open(uri, ruleset)
  expect(told(await editor.shown(uri)).map((it) => it.split(' ').slice(0, 2).join(' '))).toEqual([
    expect.stringMatching(/ 2:18$/),
  ])
  const items = (await editor.connection.sendRequest(CompletionRequest.type, {
    textDocument: { uri },
    position: { line: 3, character: 2 },
  })) as CompletionItem[]
  expect(items.map(({ label }) => label)).toContain('operation-summary')
  expect(await editor.leave()).toBe(0)
})

test('a misspelling offers the word that is meant, before the suppression', async () => {
  await using editor = await Editor.start({ files: {} })
  const uri = editor.uri('openapi.yaml')
  const text = api.replace("a: { $ref: '' }", 'a: { type: strng }')
  await editor.open(uri, text)
  const { diagnostics } = await editor.shown(uri)
  const wrong = diagnostics.filter((it) => JSON.stringify(it.message).includes('strng'))
  const actions = (await editor.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range: wrong[0]?.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    context: { diagnostics: wrong },
  })) as CodeAction[]
  expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
    ['Replace "strng" by "string"', true],
    [expect.stringMatching(/^Suppress .* here$/), undefined],
  ])
  expect(edited(text, actions[0]?.edit?.changes?.[uri] ?? [])).toBe(text.replace('strng', 'string'))
  expect(await editor.leave()).toBe(0)
})
