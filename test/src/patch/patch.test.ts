/** JSON Patch on texts: the value is exactly what RFC 6902 says, and the rest of the text stays as it was. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { serializeJson, serializeYaml } from '../../../src/document/serialize.ts'
import { carryPatch } from '../../../src/patch/carry.ts'
import { applyPatch, type JsonPatch } from '../../../src/patch/json-patch.ts'
import { hunkOf, patchText } from '../../../src/patch/patch-text.ts'

const yaml = `# The shop
openapi: 3.1.0
info: { title: Pets, version: "1.0" } # short
paths:
  /pets:
    get:
      summary: List pets   # all of them
      tags: [a, b]
      parameters:
        - name: limit # most
          in: query
        - name: cursor
          in: query
`
const patched = (text: string, patch: JsonPatch, syntax: 'yaml' | 'json' = 'yaml'): string =>
  patchText(parseDocument(text, { source: `x.${syntax}`, syntax }), patch)
const get = '/paths/~1pets/get'

test('an edit changes its own lines and no other', () => {
  expect(patched(yaml, [{ op: 'replace', path: `${get}/summary`, value: 'All pets' }])).toBe(
    yaml.replace('List pets', 'All pets'),
  )
  expect(patched(yaml, [{ op: 'add', path: `${get}/deprecated`, value: true }])).toBe(`${yaml}      deprecated: true\n`)
  expect(patched(yaml, [{ op: 'remove', path: `${get}/tags` }])).toBe(yaml.replace('      tags: [a, b]\n', ''))
  expect(patched(yaml, [{ op: 'add', path: `${get}/tags/-`, value: 'c' }])).toBe(yaml.replace('[a, b]', '[a, b, c]'))
  expect(patched(yaml, [{ op: 'add', path: `${get}/parameters/-`, value: { name: 'q', in: 'query' } }])).toBe(
    `${yaml}        - name: q\n          in: query\n`,
  )
  expect(patched(yaml, [{ op: 'replace', path: `${get}/summary`, value: { a: [1] } }])).toContain(
    '      summary:\n        a:\n          - 1',
  )
})

test('a property gets another name in its place, with its comments', () => {
  const text = patched(yaml, [{ op: 'move', from: `${get}/summary`, path: `${get}/title` }])
  expect(text).toBe(yaml.replace('summary: List pets   # all', 'title: List pets   # all'))
  expect(Object.keys(applyPatch({ a: 1, b: 2, c: 3 }, [{ op: 'move', from: '/b', path: '/x' }]) as object)).toEqual([
    'a',
    'x',
    'c',
  ])
  const reason = (from: string | undefined, path: string): string => {
    try {
      return patched(yaml, [{ op: 'move', path, ...(from === undefined ? {} : { from }) }])
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(reason(`${get}/summary`, `${get}/tags`)).toBe(`"${get}/tags" exists`)
  expect(reason(`${get}/summary`, '/summary')).toContain('"from" is in the same object as "path"')
  expect(reason(undefined, '/summary')).toContain('"from" is in the same object as "path"')
  expect(reason(`${get}/tags/0`, `${get}/tags/1`)).toBe(`"${get}/tags" is not an object`)
  expect(reason(`${get}/nothing`, `${get}/x`)).toBe(`"${get}/nothing" does not exist`)
})

test('another name follows its property into another document', () => {
  const of = (list: object[]) => ({ openapi: '3.1.0', paths: { '/pets': { get: { parameters: list } } } }) as Json
  const [limit, cursor] = [
    { name: 'limit', in: 'query', schema: {} },
    { name: 'cursor', in: 'query' },
  ]
  const from = `${get}/parameters/0/schema`
  const patch: JsonPatch = [{ op: 'move', from, path: `${get}/parameters/0/content` }]
  expect(carryPatch(of([limit]), of([cursor, limit]), patch)).toEqual([
    { op: 'move', from: `${get}/parameters/1/schema`, path: `${get}/parameters/1/content` },
  ])
  expect(() => carryPatch(of([limit]), of([{ ...limit, schema: { type: 'string' } }]), patch)).toThrow(
    'was changed since',
  )
})

test('several operations see what the earlier ones did', () => {
  const text = patched(yaml, [
    { op: 'add', path: '/tags', value: [] },
    { op: 'add', path: '/tags/-', value: { name: 'pets' } },
    { op: 'remove', path: `${get}/parameters/0` },
  ])
  expect(text.startsWith('# The shop\nopenapi: 3.1.0\n')).toBe(true)
  expect(parseDocument(text, { source: 'x.yaml' }).value).toMatchObject({
    tags: [{ name: 'pets' }],
    paths: { '/pets': { get: { parameters: [{ name: 'cursor', in: 'query' }] } } },
  })
})

test('JSON keeps its indentation', () => {
  const json = '{\n    "a": {\n        "b": 1\n    },\n    "c": [1, 2]\n}\n'
  expect(patched(json, [{ op: 'replace', path: '/a/b', value: 'x' }], 'json')).toBe(json.replace('"b": 1', '"b": "x"'))
  expect(patched(json, [{ op: 'add', path: '/c/1', value: 9 }], 'json')).toContain('"a": {\n        "b": 1\n    }')
})

test('what has no place is refused, with the operation', () => {
  const reasons = (
    [
      [{ op: 'remove', path: '/nothing' }],
      [
        { op: 'add', path: '/info', value: 1 },
        { op: 'replace', path: '/info/title', value: 'x' },
      ],
      [{ op: 'add', path: '/info/x' }],
      [{ op: 'remove', path: '' }],
      [{ op: 'add', path: `${get}/tags/7`, value: 1 }],
      [{ op: 'add', path: 'info', value: 1 }],
      [{ op: 'add', path: '/a/b', value: 1 }],
    ] as JsonPatch[]
  ).map((patch) => {
    try {
      return patched(yaml, patch)
    } catch (error) {
      const { at, message } = error as { at: number; message: string }
      return [at, message]
    }
  })
  expect(reasons).toEqual([
    [0, '"/nothing" does not exist'],
    [1, '"/info/title" is below a value that is not an object or a list'],
    [0, '"add" has no "value"'],
    [0, 'the whole document cannot be the target of "remove"'],
    [0, `"${get}/tags/7" is not a position of the list`],
    [0, '"info" is not a JSON Pointer'],
    [0, '"/a/b" does not exist'],
  ])
})

test('a hunk shows the lines that differ, with three around them', () => {
  expect(hunkOf('a\nb\nc\nd\ne\nf', 'a\nb\nc\nX\ne\nf')).toBe('@@ -1,6 +1,6 @@\n a\n b\n c\n-d\n+X\n e\n f')
  expect(hunkOf('a', 'a')).toBe('')
  expect(hunkOf('a\nb', 'a\nb\nc')).toBe('@@ -1,2 +1,3 @@\n a\n b\n+c')
})

test('a patch follows its places, and is refused where they changed', () => {
  const base = parseDocument(yaml, { source: 'x.yaml' }).value
  const [limit, cursor] = [
    { name: 'limit', in: 'query' },
    { name: 'cursor', in: 'query' },
  ]
  const withParameters = (parameters: Json): Json =>
    applyPatch(base, [{ op: 'replace', path: `${get}/parameters`, value: parameters }])
  const patch: JsonPatch = [{ op: 'replace', path: `${get}/parameters/1/name`, value: 'after' }]
  expect(carryPatch(base, withParameters([cursor, limit]), patch)).toEqual([
    { op: 'replace', path: `${get}/parameters/0/name`, value: 'after' },
  ])
  expect(() => carryPatch(base, withParameters([limit]), patch)).toThrow('is not where it was')
  const summary: JsonPatch = [{ op: 'replace', path: `${get}/summary`, value: 'x' }]
  expect(() =>
    carryPatch(base, applyPatch(base, [{ op: 'replace', path: `${get}/summary`, value: 'y' }]), summary),
  ).toThrow('was changed since')
  const added: JsonPatch = [{ op: 'add', path: `${get}/parameters/-`, value: limit }]
  expect(() => carryPatch(base, withParameters([limit]), added)).toThrow('was changed since')
  expect(carryPatch(base, applyPatch(base, summary), added)).toEqual([
    { ...added[0], path: `${get}/parameters/2` },
  ] as JsonPatch)
})

const key = fc.constantFrom('a', 'b', 'c d', 'e:f', '~/', 'true', '1')
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<Json>(null, true, 1, 'x', 'two words', 'a: b', '# no', '', '- x', 'line\nline'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
  ),
}))
const pointersOf = (node: Json, at = ''): string[] =>
  typeof node !== 'object' || node === null
    ? [at]
    : [
        at,
        ...Object.entries(node).flatMap(([k, it]) =>
          pointersOf(it, `${at}/${k.replaceAll('~', '~0').replaceAll('/', '~1')}`),
        ),
      ]

test('the text of any document means, after any patch, what the patch means', () => {
  const cases = fc.tuple(
    fc.dictionary(key, tree, { minKeys: 1, maxKeys: 4 }),
    fc.constantFrom<'json' | 'yaml'>('json', 'yaml'),
    fc.nat(),
    tree,
    fc.constantFrom<'add' | 'remove' | 'replace'>('add', 'remove', 'replace'),
  )
  fc.assert(
    fc.property(cases, ([value, syntax, at, given, op]) => {
      const pointers = pointersOf(value).slice(1)
      const path = pointers[at % pointers.length] ?? ''
      const patch: JsonPatch = [op === 'remove' ? { op, path } : { op, path, value: given }]
      const text = syntax === 'json' ? serializeJson(value) : serializeYaml(value)
      const result = patched(text, patch, syntax)
      expect(parseDocument(result, { source: `x.${syntax}`, syntax }).value).toEqual(applyPatch(value, patch))
    }),
    { numRuns: 400 },
  )
})
