import { describe, expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { fingerprintIn, fingerprintOf, placePrint } from '../../../src/lint/fingerprint.ts'
import { lint } from '../../../src/lint/lint.ts'
import { recommended } from '../../../src/lint/rulesets/recommended.ts'

const before = `openapi: 3.0.3
info: { title: T, version: "1" }
servers: [{ url: https://a.example.org/ }, { url: https://b.example.org/ }]
tags: [{ name: b }, { name: a }]
paths:
  /pets/{id}:
    get:
      tags: [unknown, other]
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: size, in: query, schema: { type: array } }
        - { name: size, in: header, schema: { type: array } }
      responses: { "400": { description: d } }
components:
  schemas:
    A: { allOf: [{ type: object, properties: { x: { type: array } } }, { $ref: '#/components/schemas/B' }] }
    B: { type: array }
`
const printsOf = (text: string) =>
  lint(parseDocument(text, { source: 'api.yaml' }), recommended.ruleset).findings.map((it) => ({
    fingerprint: it.fingerprint,
    told: `${it.code} ${it.pointer}`,
  }))

/** What a baseline of the text before would call new. */
const fresh = (text: string): string[] => {
  const old = new Set(printsOf(before).map((it) => it.fingerprint))
  return printsOf(text).flatMap(({ fingerprint, told }) => (old.has(fingerprint) ? [] : [told]))
}

describe('a finding keeps its fingerprint', () => {
  test.each([
    ['lines before it', before.replace('info:', '# comment\n\ninfo:')],
    ['a server before it', before.replace('[{ url: https://a', '[{ url: https://c.example.org }, { url: https://a')],
    [
      'a parameter before it',
      before.replace(
        '      parameters:\n',
        '      parameters:\n        - { name: z, in: query, description: d, schema: { type: string } }\n',
      ),
    ],
    ['a tag of the operation before it', before.replace('tags: [unknown', 'tags: [a, unknown')],
    ['an item of allOf before it', before.replace('allOf: [', 'allOf: [{ description: d }, ')],
    ['another order of tags', before.replace('[{ name: b }, { name: a }]', '[{ name: a }, { name: b }]')],
    [
      'another name of the parameter in the address',
      before.replaceAll('{id}', '{petId}').replace('name: id,', 'name: petId,'),
    ],
    [
      'another order of schemas',
      before.replace('    B: { type: array }\n', '').replace('    A:', '    B: { type: array }\n    A:'),
    ],
  ])('after %s', (_, after) => {
    expect(after).not.toBe(before)
    expect(fresh(after).filter((it) => !it.startsWith('openapi-tags'))).toEqual([])
  })
})

test('new findings are reported, and two findings of one place differ by their value', () => {
  expect(fresh(before.replace('[unknown, other]', '[unknown, newer, other]'))).toEqual([
    'operation-tag-defined /paths/~1pets~1{id}/get/tags/1',
  ])
  const all = printsOf(before)
  const arrays = all.filter((it) => it.told.startsWith('array-items'))
  expect(new Set(arrays.map((it) => it.fingerprint)).size).toBe(arrays.length)
})

test('several findings of one rule at one place have fingerprints of their own', () => {
  const text = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: { /a: { get: { responses: {} } } }\n'
  const ruleset = {
    wordy: { given: ['$.info'], then: [{ run: () => [{ message: 'one' }, { message: 'two' }, { message: 'three' }] }] },
  }
  const { findings } = lint(parseDocument(text, { source: 'api.yaml' }), ruleset)
  const [first = ''] = findings.map((it) => it.fingerprint)
  expect(first).toMatch(/^[0-9a-f]{24}$/)
  expect(findings.map((it) => [it.message, it.fingerprint])).toEqual([
    ['one', first],
    ['two', `${first}-1`],
    ['three', `${first}-2`],
  ])
})

test('a fingerprint says the source, then the rule and the place', () => {
  const print = fingerprintOf('r', 'a.yaml', ['info'])
  expect(fingerprintIn('b.yaml', print)).toBe(fingerprintOf('r', 'b.yaml', ['info']))
  expect(placePrint(fingerprintIn('b.yaml', print))).toBe(placePrint(print))
  expect(placePrint(print)).not.toBe(placePrint(fingerprintOf('q', 'a.yaml', ['info'])))
  expect(fingerprintIn('b.yaml', `${print}-2`)).toEndWith('-2')
})
