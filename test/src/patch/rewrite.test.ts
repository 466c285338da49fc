/** Texts for other values: the value is exactly what was wanted, and what did not change stays as it was written. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import { serializeJson, serializeYaml } from '../../../src/document/serialize.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { alignLists } from '../../../src/patch/align.ts'
import { rewriteDocument } from '../../../src/patch/rewrite.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- a test changes whatever part it names
const rewritten = (text: string, change: (value: any) => unknown, syntax: 'yaml' | 'json' = 'yaml'): string => {
  const document = parseDocument(text, { source: `x.${syntax}`, syntax })
  const value = structuredClone(document.value)
  const wanted = (change(value) ?? value) as Json
  const made = rewriteDocument(document, wanted)
  expect(made.value).toEqual(wanted)
  return made.text
}

const yaml = `# The shop
openapi: 3.1.0
info: { title: Pets, version: "1.0" } # short
tags:
  # first
  - name: a
  - name: b # second
  - name: c
paths:
  /pets: # all of them
    get:
      summary: List pets
      parameters:
        - name: limit # most
          in: query
          # of what
          required: false
    post: {}
`

test('entries of maps are removed, changed and added in their own lines', () => {
  expect(rewritten(yaml, (it) => void delete it.paths['/pets'].get.summary)).toBe(
    yaml.replace('      summary: List pets\n', ''),
  )
  expect(rewritten(yaml, (it) => void delete it.paths['/pets'].get.parameters[0].name)).toBe(
    yaml.replace('name: limit # most\n          in', 'in'),
  )
  expect(
    rewritten(yaml, (it) => {
      delete it.paths['/pets'].post
      it.paths['/pets'].put = { summary: 'Change', tags: ['a'] }
      it.info.title = 'Animals'
    }),
  ).toBe(
    yaml
      .replace('title: Pets', 'title: Animals')
      .replace('    post: {}\n', '    put:\n      summary: Change\n      tags:\n        - a\n'),
  )
  expect(rewritten(yaml, (it) => void (it.paths['/pets'].post = { summary: 'Add' }))).toBe(
    yaml.replace('post: {}', 'post:\n      summary: Add'),
  )
  expect(rewritten(yaml, (it) => void (it.paths['/pets'] = {}))).toContain('  /pets: {} # all of them\n')
  expect(rewritten(yaml, (it) => void (it.info = { version: '1.0', license: { name: 'MIT' } }))).toContain(
    'info: { version: "1.0", license: { name: MIT } } # short',
  )
})

test('an entry that only has another key keeps its place, its comments and the way it is written', () => {
  const text = 'a: 1\n# how long\nb: # all\n  text: >-\n    one\n    two\nc: 3\n'
  expect(rewritten(text, ({ a, b, c }) => ({ a, long: b, c }))).toBe(text.replace('b:', 'long:'))
  // An extension may have another value too.
  expect(rewritten(text, ({ a, b, c }) => ({ a, 'x-b': { ...b, more: 1 }, c }))).toBe(
    text.replace('b:', 'x-b:').replace('two\n', 'two\n  more: 1\n'),
  )
  expect(rewritten('{"a": {"b": [1,  2]}, "c": 0}', ({ a, c }) => ({ d: a, c, e: 1 }), 'json')).toBe(
    '{"d": {"b": [1,  2]}, "c": 0, "e": 1}',
  )
  // An alias of the key keeps its value.
  expect(rewritten('? &k a\n: { x: 1 }\nb: *k\n', ({ a, b }) => ({ z: a, b }))).toBe('? &k z\n: { x: 1 }\nb: a\n')
})

test('a new entry is behind the one that it follows', () => {
  expect(rewritten('a: 1\nc: 3\n', ({ a, c }) => ({ a, b: 2, c, d: 4 }))).toBe('a: 1\nb: 2\nc: 3\nd: 4\n')
  expect(rewritten('b: 2\n', ({ b }) => ({ a: 1, b }))).toBe('a: 1\nb: 2\n')
  // A comment above an entry is of that entry, above the first one of all of the file.
  const text = '# Of the file\nx:\n  # Of b,\n  # all of it\n  b: 2\n'
  expect(rewritten(text, ({ x }) => ({ w: 0, x: { a: 1, b: x.b } }))).toBe(
    '# Of the file\nw: 0\nx:\n  a: 1\n  # Of b,\n  # all of it\n  b: 2\n',
  )
})

test('items of lists are removed, moved and added in their own lines', () => {
  expect(rewritten(yaml, (it) => void it.tags.splice(1, 1))).toBe(yaml.replace('  - name: b # second\n', ''))
  expect(rewritten(yaml, (it) => void it.tags.splice(1, 0, { name: 'x', z: 1 }))).toBe(
    yaml.replace('  - name: b', '  - name: x\n    z: 1\n  - name: b'),
  )
  expect(rewritten(yaml, (it) => void it.tags.unshift({ name: 'x' }))).toBe(
    yaml.replace('  # first\n  - name: a', '  - name: x\n  # first\n  - name: a'),
  )
  expect(rewritten(yaml, (it) => void (it.tags[2].description = 'two\nlines\n'))).toBe(
    yaml.replace('  - name: c\n', '  - name: c\n    description: |\n      two\n      lines\n'),
  )
})

test('JSON keeps its indentation, whatever it is', () => {
  const json = '{\n    "a": {\n        "b": 1\n    },\n    "c": [1, 2],\n    "d": null\n}\n'
  expect(
    rewritten(
      json,
      (it) => {
        it.a.x = { y: [1] }
        it.c = [2, 3]
        delete it.d
      },
      'json',
    ),
  ).toBe(
    '{\n    "a": {\n        "b": 1,\n        "x": {\n            "y": [\n                1\n            ]\n        }\n    },\n    "c": [2, 3]\n}\n',
  )
  expect(rewritten('{"a":{"b":1},"c":2}', (it) => void (it.a.d = { e: 1 }), 'json')).toBe(
    '{"a":{"b":1,"d":{"e":1}},"c":2}',
  )
})

test('line breaks of Windows stay', () => {
  expect(rewritten('a: 1\r\nb:\r\n  - x\r\n', (it) => void it.b.push('y'))).toBe('a: 1\r\nb:\r\n  - x\r\n  - "y"\r\n')
})

test('what an alias shares is written anew, and only that', () => {
  const text = '# shared\nbase: &base\n  a: 1\nuse: *base\nother: 2 # stays\n'
  const made = rewritten(text, (it) => void (it.use = { a: 1, b: 2 }))
  expect(made).toStartWith('# shared\n')
  expect(made).toContain('other: 2 # stays')
})

test('a list that became another one is followed item by item', () => {
  expect(alignLists(['a', 'b', 'c'], ['a', 'c', 'd'])).toEqual([
    { before: 0, after: 0 },
    { before: 1, after: null },
    { before: 2, after: 1 },
    { before: null, after: 2 },
  ])
  expect(alignLists([1, 2], [3, 4, 5])).toEqual([
    { before: 0, after: 0 },
    { before: 1, after: 1 },
    { before: null, after: 2 },
  ])
})

const key = fc.constantFrom('a', 'b', 'c d', 'e:f', '~/', 'true', '1', '- x')
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<Json>(
      null,
      true,
      1,
      'x',
      'two words',
      'a: b',
      '# no',
      '',
      '- x',
      'line\nline',
      'line\n',
      '\n a\n\n',
    ),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
  ),
}))
const root = fc.dictionary(key, tree, { maxKeys: 4 })

/** A value with some of its parts taken from another one, so that most of it stays. */
const mixed = (a: Json, b: Json, choose: () => number): Json => {
  const pick = choose()
  if (pick === 0) return b
  if (typeof a !== 'object' || a === null) return a
  if (Array.isArray(a)) {
    const items = (a as Json[]).map((it, at) => mixed(it, Array.isArray(b) ? ((b as Json[])[at] ?? it) : b, choose))
    return pick === 1 ? items.slice(1) : pick === 2 ? [...items, b] : items
  }
  const entries = Object.entries(a).map(([name, it]) => [
    name,
    mixed(
      it,
      typeof b === 'object' && b !== null && !Array.isArray(b) ? ((b as Record<string, Json>)[name] ?? it) : it,
      choose,
    ),
  ])
  if (pick === 1) entries.shift()
  if (pick === 2) entries.push(['added', b])
  return Object.fromEntries(entries) as Json
}

for (const syntax of ['yaml', 'json'] as const)
  test(`any value becomes any other one: ${syntax}`, () => {
    fc.assert(
      fc.property(root, root, fc.infiniteStream(fc.nat(9)), fc.boolean(), (before, other, choices, isTight) => {
        const wanted = mixed(before, other, () => choices.next().value)
        const text =
          syntax === 'yaml' ? serializeYaml(before) : isTight ? JSON.stringify(before) : serializeJson(before)
        const document = parseDocument(text, { source: `x.${syntax}`, syntax })
        expect(document.value).toEqual(before)
        expect(rewriteDocument(document, wanted).value).toEqual(wanted)
      }),
      { numRuns: 400 },
    )
  })
