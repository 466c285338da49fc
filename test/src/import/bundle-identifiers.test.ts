import { describe, expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { walkReferences } from '../../../src/document/referenced-documents.ts'
import { findUnresolved } from '../../../src/document/reference.ts'
import { joinDocuments } from '../../../src/import/bundle/document.ts'
import { isValid } from '../../../src/schema/validate.ts'

const modern = 'https://json-schema.org/draft/2020-12/schema'
const draft04 = 'http://json-schema.org/draft-04/schema#'
const at = 'https://example.com'

/** One case as the JSON-Schema-Test-Suite has them: files by name, the first is the entry. */
interface Case {
  readonly name: string
  readonly files: Readonly<Record<string, JsonObject>>
  readonly valid: readonly Json[]
  readonly invalid: readonly Json[]
}

const cases: readonly Case[] = [
  {
    name: 'a reference within an embedded resource of the entry stays in that resource',
    files: {
      'entry.json': {
        $schema: modern,
        $id: `${at}/root.json`,
        $defs: {
          inner: {
            $id: 'nested/inner.json',
            properties: {
              a: { $ref: '#/$defs/kind' },
              b: { $ref: '../root.json#/$defs/kind' },
              c: { $ref: 'other.json' },
            },
            $defs: { kind: { type: 'string' } },
          },
          other: { $id: 'nested/other.json', type: 'boolean' },
          kind: { type: 'integer' },
        },
        $ref: 'nested/inner.json',
        properties: { far: { $ref: 'far.json' } },
      },
      'far.json': { type: 'null' },
    },
    valid: [{ a: 'x', b: 1, c: true, far: null }],
    invalid: [{ a: 1 }, { b: 'x' }, { c: 1 }, { far: 1 }],
  },
  {
    name: 'a file with embedded resources keeps what its references mean',
    files: {
      'entry.json': { $schema: modern, properties: { x: { $ref: 'lib.json' }, y: { $ref: 'lib.json#/$defs/part' } } },
      'lib.json': {
        $id: `${at}/lib.json`,
        properties: { p: { $ref: '/parts/part.json' }, q: { $ref: '#named' }, r: { $ref: '#/$defs/part/$defs/deep' } },
        $defs: {
          part: {
            $id: 'parts/part.json',
            properties: { s: { $ref: '#/$defs/deep' }, t: { $ref: '../lib.json#named' }, u: { $ref: '#named' } },
            $defs: { deep: { type: 'string' }, named: { $anchor: 'named', type: 'null' } },
          },
          named: { $anchor: 'named', type: 'integer' },
        },
      },
    },
    valid: [{ x: { p: { s: 'a', t: 1, u: null }, q: 1, r: 'a' }, y: { s: 'a', t: 1, u: null } }],
    invalid: [
      { x: { p: { s: 1 } } },
      { x: { p: { t: 'a' } } },
      { x: { p: { u: 1 } } },
      { x: { q: 'a' } },
      { x: { r: 1 } },
      { y: { s: 1 } },
      { y: { t: null } },
      { y: { u: 1 } },
    ],
  },
  {
    name: 'references relative to an identifier lead to the file with that identifier',
    files: {
      'entry.json': {
        $schema: modern,
        $id: `${at}/v1/entry.json`,
        properties: { x: { $ref: 'x.json' }, y: { $ref: './sub/y.json#a' } },
      },
      'x.json': { $id: `${at}/v1/x.json`, properties: { y: { $ref: 'sub/y.json#/$defs/a' } } },
      'sub/y.json': {
        $id: `${at}/v1/sub/y.json`,
        $defs: { a: { $anchor: 'a', properties: { x: { $ref: '../x.json' }, n: { type: 'integer' } } } },
      },
    },
    valid: [{ x: { y: { n: 1, x: { y: { n: 2 } } } }, y: { n: 3 } }],
    invalid: [{ x: { y: { n: 'a' } } }, { x: { y: { x: { y: { n: 'a' } } } } }, { y: { n: 'a' } }],
  },
  {
    name: 'an embedded resource of the entry refers to another file',
    files: {
      'entry.json': {
        $schema: modern,
        properties: {
          e: {
            $id: `${at}/embedded/e.json`,
            properties: { f: { $ref: 'f.json' } },
            items: { $ref: '#/$defs/own' },
            $defs: { own: { type: 'string' } },
          },
        },
        $defs: { f: { type: 'boolean' } },
      },
      'f.json': { $id: `${at}/embedded/f.json`, type: 'integer' },
    },
    valid: [{ e: { f: 1 } }, { e: ['a'] }],
    invalid: [{ e: { f: true } }, { e: [1] }],
  },
  {
    name: 'an embedded resource refers to the file that holds it by its name',
    files: {
      'entry.json': {
        $schema: modern,
        properties: {
          e: {
            $id: 'inner/e.json',
            properties: { k: { $ref: '../entry.json#/$defs/k' } },
            $defs: { k: { type: 'string' } },
          },
          far: { $ref: 'far.json' },
        },
        $defs: { k: { type: 'integer' } },
      },
      'far.json': { properties: { back: { $ref: 'entry.json#/properties/e' } } },
    },
    valid: [{ e: { k: 1 }, far: { back: { k: 1 } } }],
    invalid: [{ e: { k: 'a' } }, { far: { back: { k: 'a' } } }],
  },
  {
    name: 'draft 4: "id" is the identifier, and anchors are identifiers too',
    files: {
      'entry.json': { $schema: draft04, properties: { x: { $ref: 'lib.json' } } },
      'lib.json': {
        $schema: draft04,
        id: `${at}/lib.json`,
        properties: { p: { $ref: 'parts/part.json' }, q: { $ref: '#named' } },
        definitions: {
          part: {
            id: 'parts/part.json',
            properties: { s: { $ref: '#/definitions/deep' } },
            definitions: { deep: { type: 'string' } },
          },
          named: { id: '#named', type: 'integer' },
          deep: { type: 'boolean' },
        },
      },
    },
    valid: [{ x: { p: { s: 'a' }, q: 1 } }],
    invalid: [{ x: { p: { s: 1 } } }, { x: { p: { s: true } } }, { x: { q: 'a' } }],
  },
  {
    name: 'a strict tree that extends a tree, the example of the specification (core, section 8.2.3.2)',
    files: {
      'strict-tree.json': {
        $schema: modern,
        $dynamicAnchor: 'node',
        $ref: 'tree.json',
        unevaluatedProperties: false,
      },
      'tree.json': {
        $schema: modern,
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
      },
    },
    valid: [{ data: 1 }, { children: [{ data: 1 }] }],
    invalid: [{ daat: 1 }, { children: [{ daat: 1 }] }, { children: [{ children: [{ x: 1 }] }] }],
  },
  {
    name: 'two files that declare one dynamic anchor, each the root of its own references',
    files: {
      'entry.json': {
        $schema: modern,
        properties: { a: { $ref: 'lists/a.json' }, b: { $ref: 'lists/b.json#/$defs/all' } },
      },
      'lists/a.json': {
        $ref: 'list.json',
        $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
      },
      'lists/b.json': {
        $defs: { all: { $ref: 'list.json' }, item: { $dynamicAnchor: 'item', type: 'integer' } },
      },
      'lists/list.json': {
        type: 'array',
        items: { $dynamicRef: '#item' },
        $defs: { item: { $dynamicAnchor: 'item' } },
      },
    },
    valid: [{ a: ['x'], b: [1] }],
    invalid: [{ a: [1] }, { b: ['x'] }],
  },
  {
    name: 'a file between, which declares nothing, does not change the scope',
    files: {
      'entry.json': {
        $schema: modern,
        $id: 'entry.json',
        properties: { a: { $ref: 'between.json' }, b: { $ref: 'own.json' } },
        $defs: { item: { $dynamicAnchor: 'item', type: 'boolean' } },
      },
      'own.json': { $ref: 'between.json', $defs: { item: { $dynamicAnchor: 'item', type: 'integer' } } },
      'between.json': { $ref: 'list.json', $defs: { local: true } },
      'list.json': {
        items: { $dynamicRef: 'list.json#item' },
        $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
      },
    },
    valid: [{ a: [true], b: [true] }],
    invalid: [{ a: ['x'] }, { a: [1] }, { b: [1] }, { b: ['x'] }],
  },
  {
    name: 'a file with dynamic anchors refers back to the first document, and to a file with an identifier',
    files: {
      'entry.json': {
        $schema: modern,
        properties: { a: { $ref: 'deep/list.json' } },
        $defs: { number: { type: 'number' } },
      },
      'deep/list.json': {
        $dynamicAnchor: 'list',
        properties: {
          n: { $ref: '../entry.json#/$defs/number' },
          m: { $ref: 'named.json#name' },
          next: { $dynamicRef: '#list' },
        },
      },
      'deep/named.json': { $id: `${at}/named.json`, $defs: { name: { $anchor: 'name', type: 'null' } } },
    },
    valid: [{ a: { n: 1, m: null, next: { n: 2 } } }],
    invalid: [{ a: { n: 'x' } }, { a: { m: 1 } }, { a: { next: { n: 'x' } } }, { a: { next: { next: { m: 1 } } } }],
  },
]

const joined = async (files: Case['files']): Promise<ReturnType<typeof joinDocuments>> => {
  const [first = ''] = Object.keys(files)
  const read = (name: string) => parseDocument(JSON.stringify(files[name]), { source: name })
  const others = await walkReferences(read(first), {
    holds: (place) => Object.hasOwn(files, place),
    read: async (wanted) => wanted.map(({ place }) => JSON.stringify(files[place])),
    most: 100,
    tooMany: () => new Error('too many'),
  })
  return joinDocuments(read(first), others, (place) => place)
}

describe('bundles keep what references mean', () => {
  for (const { name, files, valid, invalid } of cases)
    test(name, async () => {
      const bundle = await joined(files)
      const { value } = bundle
      const dialect = JSON.stringify(value).includes('draft-04') ? 'draft-04' : '2020-12'
      const accepts = (it: Json): boolean => isValid(value, it, { dialect })
      expect([valid.map(accepts), invalid.map(accepts)]).toEqual([valid.map(() => true), invalid.map(() => false)])
      expect(findUnresolved(bundle)).toEqual([])
    })
})
