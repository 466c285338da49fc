/** What only another file refers to is used: no rule reports it, and no fix takes it out. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { applyFixes } from '../../../src/lint/fix/apply.ts'
import { lint } from '../../../src/lint/lint.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'

const root = `openapi: 3.0.3
info: { title: T, version: 1.0.0 }
paths:
  /pets: { get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'parts/pet.yaml#/Pet' } } } } } } }
components:
  schemas:
    Tag: { type: string }
    Old: { type: object, properties: { tag: { $ref: '#/components/schemas/Tag' }, other: { $ref: '#/components/schemas/Other' } } }
    Other: { type: string }
`
const read = (source: string, text: string) => parseDocument(text, { source })
const document = read('apis/shop.yaml', root)
const unused = (pet: string): string[] => {
  const documents = { 'apis/parts/pet.yaml': read('apis/parts/pet.yaml', pet) }
  return lint(document, recommended.ruleset, { documents })
    .findings.filter(({ code }) => code === 'oas3-unused-component')
    .map(({ pointer }) => pointer)
}

test('a component that only another file names is used, by every way to write the name', () => {
  const pet = (ref: string): string =>
    `Pet: { type: object, properties: { tag: { $ref: '${ref}' }, own: { $ref: '#/Own' } } }\nOwn: {}\n`
  expect(unused(pet('../shop.yaml#/components/schemas/Old'))).toEqual([])
  expect(unused(pet('.././shop.yaml#/components/schemas/Old/properties/tag'))).toEqual([])
  expect(unused(pet('../other.yaml#/components/schemas/Old'))).toEqual(['/components/schemas/Old'])
  expect(unused(pet('#/components/schemas/Old'))).toEqual(['/components/schemas/Old'])
})

test('a fix takes out what nothing names any more, and leaves what another file names', () => {
  const pet = 'Pet: { type: object, properties: { tag: { $ref: "../shop.yaml#/components/schemas/Tag" } } }\n'
  const documents = { 'apis/parts/pet.yaml': read('apis/parts/pet.yaml', pet) }
  const { 'oas3-unused-component': rule } = recommended.ruleset
  if (rule === undefined) throw new Error('there is no rule oas3-unused-component')
  const { text } = applyFixes(document, { 'oas3-unused-component': rule }, documents)
  expect(text).toBe(root.replace(/ {4}Old: .*\n {4}Other: .*\n/, ''))
  expect(text).toContain('Tag: { type: string }')
})
