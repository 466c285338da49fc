import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { Editor, told } from '../../fixtures/editor.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const api = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
      responses:
        '200':
          description: A pet
          content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
components:
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: { type: integer }
        name: { type: string }
`
const project = (base: string): string => `version: 1
guide: rules.yaml
apis:
  pets: { root: openapi.yaml, project: pets, compareWith: ${base} }
`
const files = { 'rules.yaml': 'rules: { fine: { given: $.none, then: { function: falsy } } }\n', 'openapi.yaml': api }
const isBroken = (it: { diagnostics: readonly unknown[] }): boolean => it.diagnostics.length > 0
const edit = (needle: string, text: string) => {
  const at = (offset: number) => {
    const before = api.slice(0, offset).split('\n')
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
  }
  const start = api.indexOf(needle)
  return [{ range: { start: at(start), end: at(start + needle.length) }, text }]
}

test('an edit that breaks the API is shown at its place, against a file', async () => {
  await using editor = await Editor.start({ files: { ...files, 'old.yaml': api, 'svc.yaml': project('old.yaml') } })
  const uri = editor.uri('openapi.yaml')
  await editor.open(uri, api)
  await editor.change(uri, 2, edit('name: { type: string }', 'name: { type: [string, "null"] }'))
  const shown = await editor.shown(uri, isBroken)
  expect(shown.diagnostics.map(({ severity, range }) => [severity, range.start.line])).toEqual([[2, 19]])
  expect(told(shown)[0]).toMatch(/^\S+ 19:\d+ .*: breaking against old\.yaml\.$/)
  await editor.change(uri, 3, [
    { range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } }, text: api },
  ])
  expect((await editor.shown(uri, (it) => it.version === 3 && !isBroken(it))).diagnostics).toEqual([])
  expect(editor.messages).toEqual([])
  expect(await editor.leave()).toBe(0)
})

test('the consumers that an edit breaks are named, where the workspace knows them', async () => {
  await using editor = await Editor.start({ files: { ...files, 'svc.yaml': project('pets@1.0.0') } })
  const workspace = join(editor.folder, '.svc')
  const uses = join(editor.folder, 'uses.json')
  await Bun.write(
    uses,
    JSON.stringify({ operations: [{ method: 'get', path: '/pets/{id}', responses: { 200: ['name'] } }] }),
  )
  for (const line of [
    ['import', 'openapi', 'openapi.yaml', '--publish', 'public'],
    ['consumer', 'create', 'pets', 'Shop'],
    ['consumer', 'create', 'pets', 'Silent'],
    ['consumer', 'declare', 'pets', 'shop', 'uses.json'],
  ]) {
    const { exit, stderr } = await runCommand([...line, '--workspace', workspace], registry, { cwd: editor.folder })
    expect([line, exit, exit === 0 ? '' : stderr]).toEqual([line, 0, ''])
  }
  const uri = editor.uri('openapi.yaml')
  await editor.open(uri, api)
  await editor.change(uri, 2, edit('\n        name: { type: string }', ''))
  const shown = told(await editor.shown(uri, isBroken))
  expect(shown).toHaveLength(1)
  expect(shown[0]).toContain('breaks 1 consumer (shop) against pets@1.0.0.')
  expect(await editor.leave()).toBe(0)
})

test('a base that cannot be read is said once, and the findings stay', async () => {
  await using editor = await Editor.start({ files: { ...files, 'svc.yaml': project('gone.yaml') } })
  const uri = editor.uri('openapi.yaml')
  await editor.open(uri, api)
  await new Promise<void>((resolve) => {
    editor.onMessage = (message) => {
      if (message.includes('gone.yaml')) resolve()
    }
  })
  expect(editor.messages).toHaveLength(1)
  expect(editor.messages[0]).toMatch(/^svc: .*openapi\.yaml is not compared: .*gone\.yaml/)
  expect(await editor.leave()).toBe(0)
})
