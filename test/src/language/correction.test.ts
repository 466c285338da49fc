import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { applyEdits } from '../../../src/kernel/edits.ts'
import { correctionOf } from '../../../src/language/correction.ts'
import { lint } from '../../../src/lint/lint.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'

/** The titles of all corrections of a text, and the text after them one by one. */
function corrected(text: string, source = 'api.yaml'): { readonly titles: string[]; readonly text: string } {
  const titles: string[] = []
  let current = text
  for (let round = 0; round < 20; round++) {
    const document = parseDocument(current, { source })
    const { findings } = lint(document, recommended.ruleset)
    const next = findings.map((it) => correctionOf(document, it)).find((it) => it !== null)
    if (next === undefined) break
    titles.push(next.title)
    current = applyEdits(current, [next.edit])
  }
  return { titles, text: current }
}

const text = `openapi: 3.1.0
info: { title: T, version: '1' }
tags: [{ name: pets }]
paths:
  /pets:
    get:
      operationId: listPets
      summry: List
      tags: ['pts']
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { $ref: '#/components/schemas/Pte' } } }
components:
  schemas:
    Pet: { type: strng }
`

test('misspelt properties, values, tags and references are corrected, each in the quotes that it has', () => {
  const { titles, text: after } = corrected(text)
  expect(titles.toSorted()).toEqual([
    'Replace "#/components/schemas/Pte" by "#/components/schemas/Pet"',
    'Replace "pts" by "pets"',
    'Replace "strng" by "string"',
    'Replace "summry" by "summary"',
  ])
  expect(after).toBe(
    text
      .replace('summry', 'summary')
      .replace("'pts'", "'pets'")
      .replace('schemas/Pte', 'schemas/Pet')
      .replace('strng', 'string'),
  )
})

test('JSON keeps its quotes', () => {
  const json = '{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"get": {"summry": "s"}}}}'
  expect(corrected(json, 'api.json')).toEqual({
    titles: ['Replace "summry" by "summary"'],
    text: json.replace('summry', 'summary'),
  })
})

test('the id of an operation in a link is corrected; what is near nothing, or taken, is left alone', () => {
  const finding = (path: (string | number)[], code: string, message = '') => ({
    code,
    message,
    path,
    severity: 'error' as const,
    pointer: '',
    source: 'api.yaml',
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    fingerprint: '',
    documentationUrl: null,
    fix: null,
  })
  const linked = parseDocument(
    'paths: {/a: {get: {operationId: getUser, responses: {"200": {links: {l: {operationId: getUsr}, m: {operationId: zzz}}}}}}}',
    { source: 'api.yaml' },
  )
  const at = (name: string) => ['paths', '/a', 'get', 'responses', '200', 'links', name, 'operationId']
  expect(correctionOf(linked, finding(at('l'), 'link'))?.title).toBe('Replace "getUsr" by "getUser"')
  expect(correctionOf(linked, finding(at('m'), 'link'))).toBeNull()
  const taken = parseDocument('summry: 1\nsummary: 2\n', { source: 'api.yaml' })
  const unknown = 'Unknown property "summry" in X; did you mean "summary"?'
  expect(correctionOf(taken, finding([], 'oas3-schema', unknown))).toBeNull()
  expect(correctionOf(taken, { ...finding([], 'oas3-schema', unknown), source: 'other.yaml' })).toBeNull()
  const broken = parseDocument('a: { $ref: "#/b/far" }\nb: { near: 1 }\n', { source: 'api.yaml' })
  expect(correctionOf(broken, finding(['a', '$ref'], 'invalid-ref'))).toBeNull()
})

test('a correction that would break the document is not offered', () => {
  const ids = (other: string): string => `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { operationId: ${other}, responses: {} } }
  /b: { get: { operationid: list, responses: {} } }
`
  expect(corrected(ids('other')).titles).toEqual(['Replace "operationid" by "operationId"'])
  expect(corrected(ids('list')).titles).toEqual([])
})
