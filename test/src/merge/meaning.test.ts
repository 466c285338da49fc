/** Merges of different places that are not whole together. */
import { describe, expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { brokenBy, documentOf } from '../../../src/merge/broken-by.ts'
import { contradictionsIn } from '../../../src/merge/meaning.ts'
import { mergeDocuments } from '../../../src/merge/merge.ts'

const read = (text: string): Json => parseDocument(text, { source: 'a.yaml' }).value
const base = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
tags: [{ name: a }, { name: b }]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      tags: [a]
      security: [{ auth: [read] }]
      responses: { default: { description: ok, content: { application/json: { schema: { type: object, required: [a], properties: { a: {}, b: {}, c: {} } } } } } }
components:
  securitySchemes:
    auth: { type: oauth2, flows: { clientCredentials: { tokenUrl: https://a.example, scopes: { read: r, write: w } } } }
  schemas:
    Free: { type: string }
    N: { type: integer, minimum: 1, maximum: 9 }
    T: { type: string }
    O: { anyOf: [{ $ref: '#/components/schemas/N' }, { $ref: '#/components/schemas/T' }] }
    E: { type: string, enum: [a, b], x-enum-varnames: [A, B] }
`
const added = (item: string): string => base.replace('paths:\n', `paths:\n  ${item}\n`)
const operation = (more: string): string => `/new: { get: { ${more}, responses: {} } }`
const ok = (schema: string): string =>
  `/new: { get: { responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } } } }`

type Case = readonly [
  name: string,
  mine: string,
  theirs: string,
  reasons: readonly string[],
  pointers: readonly string[],
]
const cases: readonly Case[] = [
  [
    'a schema that is removed, and a new reference to it',
    base.replace('    Free: { type: string }\n', ''),
    added(ok("{ $ref: '#/components/schemas/Free' }")),
    ['"#/components/schemas/Free" refers to nothing'],
    ['/paths/~1new/get/responses/200/content/application~1json/schema'],
  ],
  [
    'a schema that is renamed, and a new reference to its old name',
    base.replace('Free:', 'Other:'),
    added(ok("{ $ref: '#/components/schemas/Free' }")),
    ['"#/components/schemas/Free" refers to nothing'],
    ['/paths/~1new/get/responses/200/content/application~1json/schema'],
  ],
  [
    'two operations of one operationId',
    added('/m: { get: { operationId: x, responses: {} } }'),
    added('/t: { get: { operationId: x, responses: {} } }'),
    ['two operations have the operationId "x"'],
    ['/paths/~1t/get/operationId'],
  ],
  [
    'two paths that match the same URLs',
    added('/n/{a}: { get: { responses: {} } }'),
    added('/n/{b}: { get: { responses: {} } }'),
    ['"/n/{a}" and "/n/{b}" match the same URLs'],
    ['/paths/~1n~1{b}'],
  ],
  [
    'a scope that is removed and used',
    base.replace(', write: w', ''),
    added(operation('security: [{ auth: [write] }]')),
    ['the scope "write" of "auth" is not declared'],
    ['/paths/~1new/get/security'],
  ],
  [
    'a tag that is removed and used',
    base.replace(', { name: b }', ''),
    added(operation('tags: [b]')),
    ['the tag "b" is no longer declared'],
    ['/paths/~1new/get/tags'],
  ],
  [
    'a range that becomes empty',
    base.replace('minimum: 1', 'minimum: 7'),
    base.replace('maximum: 9', 'maximum: 5'),
    ['minimum 7 is more than maximum 5, so that nothing is valid'],
    ['/components/schemas/N/maximum'],
  ],
  [
    'a list whose items each side removed one of',
    base.replace("[{ $ref: '#/components/schemas/N' }, ", '['),
    base.replace(", { $ref: '#/components/schemas/T' }]", ']'),
    ['anyOf has no item left'],
    ['/components/schemas/O/anyOf'],
  ],
  [
    'another type, and a pattern',
    base.replace('T: { type: string }', 'T: { type: integer }'),
    base.replace('T: { type: string }', 'T: { type: string, pattern: ^a }'),
    ['pattern says nothing about the type integer'],
    ['/components/schemas/T/pattern'],
  ],
  [
    'values of an enumeration and their names',
    base.replace('enum: [a, b]', 'enum: [a, b, c]').replace('[A, B]', '[A, B, X]'),
    base.replace('enum: [a, b]', 'enum: [a, b, d]').replace('[A, B]', '[A, B, X]'),
    ['enum has 4 values and x-enum-varnames 3'],
    ['/components/schemas/E/enum'],
  ],
  [
    'a property that is removed and required',
    base.replace(', b: {}', ''),
    base.replace('required: [a]', 'required: [a, b]'),
    ['"b" is required and no longer declared'],
    ['/paths/~1pets~1{id}/get/responses/default/content/application~1json/schema/required'],
  ],
]

describe('what is not whole together is a conflict', () => {
  for (const [name, mine, theirs, reasons, pointers] of cases)
    test(name, () => {
      for (const [left, right] of [
        [mine, theirs],
        [theirs, mine],
      ] as const) {
        const merged = mergeDocuments(read(base), read(left), read(right))
        expect([merged.state, contradictionsIn(merged.document)]).toEqual(['conflicts', []])
        const all = mergeDocuments(read(base), read(left), read(right), { all: 'theirs' })
        expect(contradictionsIn(all.document)).toEqual([])
      }
      const { conflicts } = mergeDocuments(read(base), read(mine), read(theirs))
      expect(conflicts.map((it) => it.reason)).toEqual([...reasons])
      expect(conflicts.map((it) => it.pointer)).toEqual([...pointers])
    })
})

test('what one side alone breaks is no conflict', () => {
  const broken = base
    .replace('    Free: { type: string }\n', '')
    .replace('a: {}', "a: { $ref: '#/components/schemas/Free' }")
  const other = base.replace('version: 1.0.0', 'version: 1.1.0')
  expect(mergeDocuments(read(base), read(broken), read(other)).state).toBe('clean')
  expect(mergeDocuments(read(base), read(other), read(broken)).state).toBe('clean')
})

test('lists of what is named "default" are merged', () => {
  const mine = base.replace('required: [a]', 'required: [a, b]')
  const theirs = base.replace('required: [a]', 'required: [a, c]')
  const { state, document } = mergeDocuments(read(base), read(mine), read(theirs))
  expect([state, document]).toEqual(['clean', read(base.replace('required: [a]', 'required: [a, b, c]'))])
})

const page = (parameters: string): string =>
  base.replace('      operationId: getPet\n', `      operationId: getPet\n      parameters: [${parameters}]\n`)
const id = '{ name: id, in: path, required: true, schema: { type: string } }'
const limit = '{ name: limit, in: query, schema: { type: string } }'

/** Rules of the specification about one object that each side changed otherwise. */
const structures: readonly (readonly [
  name: string,
  common: string,
  mine: string,
  theirs: string,
  conflicts: readonly (readonly string[])[],
])[] = [
  [
    'the content of a parameter and its style',
    page(`${id}, { name: limit, in: query, schema: {} }`),
    page(`${id}, { name: limit, in: query, content: { text/plain: {} } }`),
    page(`${id}, { name: limit, in: query, schema: {}, style: form }`),
    [['/paths/~1pets~1{id}/get/parameters/1/style', '"style" must not be used together with "content"']],
  ],
  [
    'the type of a schema and values of the other type',
    base,
    base.replace('T: { type: string }', 'T: { type: integer }'),
    base.replace('T: { type: string }', 'T: { type: string, enum: [a] }'),
    [
      ['/components/schemas/T/enum/0', 'enum value "a" must be "integer"'],
      ['/components/schemas/T/enum', 'enum has no item left'],
    ],
  ],
  [
    'a parameter of a path that is removed, and another method that uses it',
    base.replace('  /pets/{id}:\n', `  /pets/{id}:\n    parameters: [${id}]\n`),
    page(id),
    base
      .replace('  /pets/{id}:\n', `  /pets/{id}:\n    parameters: [${id}]\n`)
      .replace('components:\n', '    put: { operationId: putPet, responses: {} }\ncomponents:\n'),
    [['/paths/~1pets~1{id}/put', 'operation must define parameter "{id}" as expected by path "/pets/{id}"']],
  ],
  ['different parameters', page(id), page(`${id}, ${limit}`), page(`${id}, { name: q, in: query, schema: {} }`), []],
]

describe('what a specification does not allow is a conflict where neither side has it', () => {
  for (const [name, common, mine, theirs, expected] of structures)
    test(name, () => {
      const { conflicts } = mergeDocuments(read(common), read(mine), read(theirs))
      expect(conflicts.map((it) => [it.pointer, it.reason ?? ''])).toEqual(expected.map((it) => [...it]))
      for (const all of ['mine', 'theirs'] as const)
        for (const [left, right] of [
          [mine, theirs],
          [theirs, mine],
        ] as const) {
          const { document } = mergeDocuments(read(common), read(left), read(right), { all })
          expect(brokenBy(documentOf(document), [documentOf(read(left)), documentOf(read(right))])).toEqual([])
        }
    })
})

test('lists of components that are named "default" or "example" are merged, those of values are not', () => {
  const schemas = (list: string): string =>
    base.replace(
      '    Free:',
      `    default: { type: object, required: [${list}] }\n    example: { required: [${list}] }\n    Free:`,
    )
  const [mine, theirs] = ['a, b', 'a, c'].map((it) => read(schemas(it)))
  expect(mergeDocuments(read(schemas('a')), mine!, theirs!).document).toEqual(read(schemas('a, b, c')))
  const values = (list: string): string =>
    base.replace('  schemas:', `  examples: { x: { value: [${list}] } }\n  schemas:`)
  const [left, right] = ['a, b', 'a, c'].map((it) => read(values(it)))
  expect(mergeDocuments(read(values('a')), left!, right!).conflicts.map(({ pointer }) => pointer)).toEqual([
    '/components/examples/x/value',
  ])
})

test('what a discriminator and a link refer to is a reference', () => {
  const mapped = base.replace(
    '    Free:',
    "    D: { discriminator: { propertyName: t, mapping: { f: '#/components/schemas/Free' } } }\n    Free:",
  )
  const gone = base.replace('    Free: { type: string }\n', '')
  const { conflicts } = mergeDocuments(read(base), read(mapped), read(gone))
  expect(conflicts.map(({ pointer, reason }) => [pointer, reason])).toEqual([
    ['/components/schemas/Free', '"#/components/schemas/Free" refers to nothing'],
  ])
})
