/** What overlays make of documents: values by the text of the specification, texts with everything that did not change. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import { serializeYaml } from '../../../src/document/serialize.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { applyOverlay, applyToValue } from '../../../src/overlay/apply.ts'
import { overlayOf } from '../../../src/overlay/read.ts'

const overlay = (actions: string, version = '1.1.0') =>
  overlayOf(
    parseDocument(`overlay: ${version}\ninfo: { title: T, version: '1' }\nactions:\n${actions}`, { source: 'o.yaml' }),
  )
const openapi = `openapi: 3.1.0
info:
  title: Pets # ours
  version: '1'
tags:
  - name: a
paths:
  # the list
  /pets:
    get:
      tags: [a, b]
      parameters: []
    post:
      summary: Add
`
const applied = (...actions: string[]) =>
  applyOverlay(
    parseDocument(openapi, { source: 'openapi.yaml' }),
    actions.map((it) => overlay(it)),
  )

test('updates merge objects, extend lists and replace single values; comments and order stay', () => {
  const { document, actions } = applied(
    `  - target: $.info
    update: { title: Animals, license: { name: MIT } }
  - target: $.paths.*.*
    update: { x-safe: true }
  - target: $.tags
    update: { name: b }
  - target: $.tags
    update: [{ name: c }]
  - target: $..tags[?@ == 'a']
    update: z
`,
  )
  expect(document.text).toBe(`openapi: 3.1.0
info:
  title: Animals # ours
  version: '1'
  license:
    name: MIT
tags:
  - name: a
  - name: b
  - name: c
paths:
  # the list
  /pets:
    get:
      tags: [z, b]
      parameters: []
      x-safe: true
    post:
      summary: Add
      x-safe: true
`)
  expect(actions.map(({ index, kind, matches }) => [index, kind, matches])).toEqual([
    [0, 'update', 1],
    [1, 'update', 2],
    [2, 'update', 1],
    [3, 'update', 1],
    [4, 'update', 1],
  ])
})

test('removes what it selects, items of one list at once, and inner nodes with outer ones', () => {
  const { document } = applied("  - target: $.paths['/pets'].get.tags[0,1,0]\n    remove: true\n")
  expect(document.text).toBe(openapi.replace('[a, b]', '[]'))
  expect(applied('  - target: $.paths..*\n    remove: true\n').document.value).toMatchObject({ paths: {} })
  expect(applied('  - target: $.paths.*.post\n    remove: true\n').document.text).toBe(
    openapi.replace('    post:\n      summary: Add\n', ''),
  )
})

test('copies one node into each target', () => {
  const { document } = applied(
    "  - target: $.paths['/pets'].post\n    copy: $.paths['/pets'].get\n  - target: $.paths['/pets'].get\n    remove: true\n",
  )
  expect(document.value).toMatchObject({
    paths: { '/pets': { post: { summary: 'Add', tags: ['a', 'b'], parameters: [] } } },
  })
  expect(() => applied("  - target: $.info\n    copy: $.paths['/pets'].*\n")).toThrow(
    `o.yaml:5:11: action 1 cannot be applied: "$.paths['/pets'].*" selects 2 nodes, and exactly one can be copied`,
  )
})

test('a copy stays what it was where the original changes later, and the other way round', () => {
  const { value } = applyToValue({ a: { b: { c: { d: 1 } } }, z: {} }, [
    overlay(`  - { target: $.a.b.c, update: { d: 2 } }
  - { target: $.z, copy: $.a }
  - { target: $.a.b.c, update: { d: 3, e: 1 } }
  - { target: $.z.b.c.d, update: 4 }
`),
  ])
  expect(value).toEqual({ a: { b: { c: { d: 3, e: 1 } } }, z: { b: { c: { d: 4 } } } })
})

test('copies of a node into itself end where they would make a document of millions of nodes', () => {
  const actions = Array.from(
    { length: 40 },
    (_, at) => `  - { target: $.info, update: { k${at}: {} } }\n  - { target: $.info.k${at}, copy: $.info }\n`,
  )
  expect(() => applyToValue({ info: { title: 'T' } }, [overlay(actions.join(''))])).toThrow(
    /action 4\d cannot be applied: the actions up to this one put more than 5000000 nodes into the document/,
  )
})

test('thousands of actions on one object copy it once', () => {
  const actions = Array.from({ length: 5000 }, (_, at) => `  - { target: $.info, update: { k${at}: ${at} } }\n`)
  const many = overlay(actions.join(''))
  const before = process.cpuUsage()
  const { value } = applyToValue({ info: {} }, [many])
  const { user, system } = process.cpuUsage(before)
  expect(Object.keys((value as { info: object }).info)).toHaveLength(5000)
  expect((user + system) / 1000).toBeLessThan(2500)
})

test('several overlays see what the earlier ones did, and an action without a match is counted as such', () => {
  const { document, actions } = applied(
    '  - target: $.info\n    update: { x-a: {} }\n',
    "  - target: $.info['x-a']\n    update: { b: 1 }\n  - target: $.nothing\n    remove: true\n",
  )
  expect(document.value).toMatchObject({ info: { 'x-a': { b: 1 } } })
  expect(actions.map(({ matches }) => matches)).toEqual([1, 1, 0])
  const untouched = applied('  - target: $.nothing\n    remove: true\n')
  expect(untouched.document.text).toBe(openapi)
})

test('what does not fit is an error with the place of the action, and changes nothing', () => {
  const message = (actions: string) => {
    try {
      applied(actions)
      return null
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(message('  - target: $.info\n    update: text\n')).toBe(
    'o.yaml:5:13: action 1 cannot be applied: /info does not fit: it is an object, and the update a single value.',
  )
  expect(message('  - target: $\n    update: { info: { title: { a: 1 } } }\n')).toContain(
    '/info/title does not fit: it is a single value, and the update an object',
  )
  expect(message('  - target: $.*\n    update: { a: 1 }\n')).toContain('one update is for nodes of one kind')
  expect(message('  - target: $\n    remove: true\n')).toContain('the root of a document cannot be removed')
})

test('a name of the prototype is a name as any other', () => {
  const { value } = applyToValue({ a: {} }, [
    overlay('  - target: $.a\n    update: { __proto__: { b: 1 }, constructor: 2 }\n'),
  ])
  expect(JSON.stringify(value)).toBe('{"a":{"__proto__":{"b":1},"constructor":2}}')
  expect(({} as Record<string, unknown>).b).toBeUndefined()
})

const name = fc.constantFrom('a', 'b', 'c')
const { node } = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(1, 'x', true, null),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(name, tie('node'), { maxKeys: 3 }),
  ),
}))
const target = fc.constantFrom('$', '$.a', '$.*', '$..a', '$..[?@ == 1]', '$..[0]', '$.b..*', '$..[?@.a]')
const action = fc.oneof(
  fc.record({ target, update: node }),
  fc.record({ target, remove: fc.constant(true) }),
  fc.record({ target, copy: target }),
)

test('the text of a document means what the actions make of its value, which stays as it is', () => {
  let changed = 0
  fc.assert(
    fc.property(
      fc.dictionary(name, node, { maxKeys: 3 }),
      fc.uniqueArray(action, { minLength: 1, maxLength: 3, selector: (it) => JSON.stringify(it) }),
      (value, actions) => {
        const document = parseDocument(serializeYaml(value), { source: 'x.yaml' })
        const before = structuredClone(document.value)
        const source = { overlay: '1.1.0', info: { title: 'T', version: '1' }, actions } as Json
        const read = overlayOf(parseDocument(JSON.stringify(source), { source: 'o.json' }))
        let wanted: Json
        try {
          wanted = applyToValue(value, [read]).value
        } catch {
          expect(() => applyOverlay(document, [read])).toThrow('cannot be applied')
          return
        } finally {
          expect(document.value).toEqual(before)
        }
        const made = applyOverlay(document, [read]).document
        expect(made.value).toEqual(wanted)
        expect(parseDocument(made.text, { source: 'x.yaml' }).value).toEqual(wanted)
        if (made.text !== document.text) changed++
      },
    ),
    { numRuns: 400 },
  )
  expect(changed).toBeGreaterThan(40)
})
