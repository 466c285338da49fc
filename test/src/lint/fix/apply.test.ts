/** How often fixing looks at a document: once before and once after, and a bounded number of times where fixes do harm. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isObject, type JsonObject } from '../../../../src/kernel/json.ts'
import { parseDocument } from '../../../../src/document/parse.ts'
import type { Document } from '../../../../src/document/document.ts'
import { applyFixes, type FixLimits } from '../../../../src/lint/fix/apply.ts'
import { lint } from '../../../../src/lint/lint.ts'
import { recommended } from '../../../../src/lint/rulesets/recommended.ts'
import type { Ruleset } from '../../../../src/lint/rule.ts'

/** What fixing made of a text, and how often a rule for the whole document was asked. */
function counted(text: string, limits: FixLimits = {}, ruleset: Ruleset = recommended.ruleset) {
  let lints = 0
  const counter = { given: ['$'], then: [{ run: () => void lints++ }] }
  const before = parseDocument(text, { source: 'api.yaml' })
  const done = applyFixes(before, { ...ruleset, counter }, {}, limits)
  return { lints, text: done.text, fixed: done.fixed.map(({ code, pointer }) => `${code} ${pointer}`) }
}

const head = `openapi: 3.1.0
info: { title: T, version: 1.0.0 }
tags:
  - name: cats
servers: [{ url: https://a.example/ }]
paths:
  /a:
    get:
      tags: [pets, dogs]
      responses: { '200': { description: ok, content: { a/b: { schema: { $ref: '#/components/schemas/Used' } } } } }
components:
  schemas:
    Used: { type: string }
`
/** Definitions that each refer to the next one. */
const chain = (length: number): string =>
  Array.from({ length }, (_, n) => `    C${n}: { items: { $ref: '#/components/schemas/C${n + 1}' } }\n`).join('') +
  `    C${length}: { type: string }\n`

test('fixes of every kind, and definitions that name each other, cost two looks', () => {
  const { lints, text, fixed } = counted(head + chain(70))
  expect(lints).toBe(2)
  expect(fixed).toEqual([
    'oas3-server-trailing-slash /servers/0/url',
    'operation-operationId /paths/~1a/get',
    'operation-tag-defined /paths/~1a/get/tags/0',
    'operation-tag-defined /paths/~1a/get/tags/1',
    ...Array.from({ length: 71 }, (_, n) => `oas3-unused-component /components/schemas/C${n}`),
  ])
  expect(text).toBe(
    head
      .replace('a.example/', 'a.example')
      .replace('name: cats\n', '$&  - name: pets\n  - name: dogs\n')
      .replace("schemas/Used' } } } } }\n", '$&      operationId: getA\n'),
  )
  expect(counted(text)).toEqual({ lints: 1, text, fixed: [] })
})

const has = (document: Document, name: string): boolean => {
  const root = document.value as { readonly components: { readonly schemas: JsonObject } }
  return Object.hasOwn(root.components.schemas, name)
}
const loose = (count: number): string =>
  Array.from({ length: count }, (_, n) => `    L${n}: { type: string }\n`).join('')

test('a fix that does harm is found by halves, and the others are made', () => {
  const { lints, text } = counted(head + loose(64), { mayBecome: (_, after) => has(after, 'L40') })
  const { value } = parseDocument(text, { source: 'a.yaml' })
  expect(Object.keys((value as { components: { schemas: JsonObject } }).components.schemas)).toEqual(['Used', 'L40'])
  expect(lints).toBeLessThanOrEqual(20)
})

test('where every fix does harm, so many are tried', () => {
  const { lints, text, fixed } = counted(head + loose(500), { mayBecome: () => false })
  expect([text, fixed]).toEqual([head + loose(500), []])
  expect(lints).toBeLessThanOrEqual(30)
})

/** What is left where the rule is asked again after each removal, until it finds nothing. */
function peeled(text: string): readonly string[] {
  const document = parseDocument(text, { source: 'api.json' })
  const root = structuredClone(document.value) as { components: Record<string, Record<string, unknown>> }
  const ruleset = { 'oas3-unused-component': recommended.ruleset['oas3-unused-component']! }
  for (;;) {
    const { findings } = lint(parseDocument(JSON.stringify(root), { source: 'api.json' }), ruleset)
    if (findings.length === 0) break
    for (const { path } of findings) delete root.components[String(path[1])]![path[2]!]
  }
  return Object.entries(root.components).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind} ${name}`))
}

test('what fixing removes at once is what the rule finds again and again', () => {
  const name = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F')
  const kind = fc.constantFrom('schemas', 'responses', 'examples')
  const edge = fc.record({ from: name, fromKind: kind, to: name, kind, deep: fc.boolean() })
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 14 }), fc.array(edge, { maxLength: 2 }), (edges, roots) => {
      const refOf = (it: { readonly to: string; readonly kind: string; readonly deep: boolean }): JsonObject => ({
        $ref: `#/components/${it.kind}/${it.to}${it.deep ? '/x-part' : ''}`,
      })
      const member = (of: string, at: string): JsonObject => ({
        'x-refs': edges.filter((it) => it.from === at && it.fromKind === of).map(refOf),
      })
      const map = (of: string) => Object.fromEntries(['A', 'B', 'C', 'D', 'E', 'F'].map((at) => [at, member(of, at)]))
      const components = { schemas: map('schemas'), responses: map('responses'), examples: map('examples') }
      const text = JSON.stringify({ openapi: '3.1.0', paths: {}, 'x-roots': roots.map(refOf), components })
      const ruleset = { 'oas3-unused-component': recommended.ruleset['oas3-unused-component']! }
      const { text: after } = counted(text, {}, ruleset)
      const left = (parseDocument(after, { source: 'a.json' }).value as JsonObject).components
      const names = Object.entries(isObject(left) ? left : {}).flatMap(([of, all]) =>
        Object.keys(isObject(all) ? all : {}).map((it) => `${of} ${it}`),
      )
      expect(names).toEqual([...peeled(text)])
    }),
    { numRuns: 200 },
  )
})
