/** Longer than 400 lines: the cases of one function, and the properties that hold for all of them. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { followPath, parsePointer } from '../../../src/kernel/pointer.ts'
import { canonicalize } from '../../../src/document/serialize.ts'
import { type ChosenSides, mergeDocuments } from '../../../src/merge/merge.ts'
import { patchBetween } from '../../../src/merge/patch-between.ts'
import { patchText } from '../../../src/patch/patch-text.ts'

const read = (text: string): Json => parseDocument(text, { source: 'a.yaml' }).value
const base = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
tags: [{ name: pets }]
paths:
  /pets:
    get:
      summary: List
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: tag, in: query, schema: { type: string } }
      responses: { '200': { description: ok } }
components:
  schemas:
    Pet: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
`
const everywhere = (pointer: string) => ({ base: pointer, mine: pointer, theirs: pointer })
const merge = (mine: string, theirs: string) => mergeDocuments(read(base), read(mine), read(theirs))

test.each(['default', 'example', 'examples', 'const', 'prefixItems'])(
  'a list under %s is a value: what both sides changed of it is one conflict, not merged by item',
  (word) => {
    const withList = (items: string): string => base.replace('id: { type: string }', `id: { ${word}: [${items}] }`)
    const both = mergeDocuments(read(withList('a, b')), read(withList('a, b, c')), read(withList('z, a, b')))
    expect(both.conflicts.map((it) => [it.mine, it.theirs])).toEqual([
      [
        ['a', 'b', 'c'],
        ['z', 'a', 'b'],
      ],
    ])
    expect(both.document).toEqual(read(withList('a, b, c')))
    const enums = ['a, b', 'a, b, c', 'z, a, b'].map((items) => read(withList(items).replace(`${word}:`, 'enum:')))
    const merged = mergeDocuments(enums[0]!, enums[1]!, enums[2]!)
    expect([merged.conflicts, merged.document]).toEqual([[], read(withList('z, a, b, c').replace(`${word}:`, 'enum:'))])
  },
)

test('changes of different operations, parameters and schemas are merged', () => {
  const mine = base
    .replace('summary: List', 'summary: List all pets')
    .replace('required: [id]', 'required: [id, name]')
    .replace(
      '{ name: limit, in: query, schema: { type: integer } }',
      '{ name: limit, in: query, schema: { type: integer, maximum: 50 } }',
    )
  const theirs = base
    .replace('paths:', "paths:\n  /owners: { get: { responses: { '200': { description: ok } } } }")
    .replace(
      '        - { name: tag, in: query, schema: { type: string } }\n',
      '        - { name: age, in: query, schema: { type: integer } }\n',
    )
    .replace('required: [id]', 'required: [id, age]')
    .replace('[{ name: pets }]', '[{ name: owners }, { name: pets }]')
  const { state, document, conflicts } = merge(mine, theirs)
  expect([state, conflicts]).toEqual(['clean', []])
  expect(document).toEqual(
    read(`openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
tags: [{ name: owners }, { name: pets }]
paths:
  /pets:
    get:
      summary: List all pets
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 50 } }
        - { name: age, in: query, schema: { type: integer } }
      responses: { '200': { description: ok } }
  /owners: { get: { responses: { '200': { description: ok } } } }
components:
  schemas:
    Pet: { type: object, required: [id, name, age], properties: { id: { type: string }, name: { type: string } } }
`),
  )
})

test('places that both changed are conflicts, named by what they belong to; the result has mine', () => {
  const mine = base
    .replace('summary: List', 'summary: Mine')
    .replace(
      '{ name: limit, in: query, schema: { type: integer } }',
      '{ name: limit, in: query, schema: { type: number } }',
    )
    .replace('name: { type: string } }', 'name: { type: number } }')
  const theirs = base
    .replace('summary: List', 'summary: Theirs')
    .replace('        - { name: limit, in: query, schema: { type: integer } }\n', '')
    .replace(', name: { type: string } }', ' }')
    .replace('version: 1.0.0', 'version: 1.1.0')
  const { state, document, conflicts } = merge(mine, theirs)
  expect([state, conflicts]).toEqual([
    'conflicts',
    [
      {
        id: '/paths/~1pets/get/summary',
        pointer: '/paths/~1pets/get/summary',
        pointers: everywhere('/paths/~1pets/get/summary'),
        subject: 'GET /pets',
        base: 'List',
        mine: 'Mine',
        theirs: 'Theirs',
      },
      {
        id: '/paths/~1pets/get/parameters/name limit query',
        pointer: '/paths/~1pets/get/parameters/0',
        pointers: { ...everywhere('/paths/~1pets/get/parameters/0'), theirs: null },
        subject: 'parameter limit of GET /pets',
        base: { name: 'limit', in: 'query', schema: { type: 'integer' } },
        mine: { name: 'limit', in: 'query', schema: { type: 'number' } },
        theirs: null,
      },
      {
        id: '/components/schemas/Pet/properties/name',
        pointer: '/components/schemas/Pet/properties/name',
        pointers: { ...everywhere('/components/schemas/Pet/properties/name'), theirs: null },
        subject: 'schema Pet',
        base: { type: 'string' },
        mine: { type: 'number' },
        theirs: null,
      },
    ],
  ])
  expect(document).toEqual(read(mine.replace('version: 1.0.0', 'version: 1.1.0')))
})

test('a side that is as it was leaves the other one', () => {
  const other = base.replace('List', 'Other')
  expect(merge(base, other)).toEqual({ state: 'fast-forward', document: read(other), conflicts: [] })
  expect(merge(other, base)).toEqual({ state: 'fast-forward', document: read(other), conflicts: [] })
  expect(merge(other, other)).toEqual({ state: 'fast-forward', document: read(other), conflicts: [] })
})

test('items of lists are found where they are in each document', () => {
  const mine = base
    .replace('        - { name: limit, in: query, schema: { type: integer } }\n', '')
    .replace(
      '{ name: tag, in: query, schema: { type: string } }',
      '{ name: tag, in: query, schema: { type: string, minLength: 1 } }',
    )
  const theirs = base
    .replace('parameters:\n', 'parameters:\n        - { name: age, in: query, schema: { type: integer } }\n')
    .replace(
      '{ name: tag, in: query, schema: { type: string } }',
      '{ name: tag, in: query, schema: { type: string, minLength: 2 } }',
    )
    .replace('{ name: limit, in: query, schema: { type: integer } }', '{ name: limit, in: query }')
  const at = '/paths/~1pets/get/parameters'
  expect(merge(mine, theirs).conflicts.map(({ pointer, pointers }) => [pointer, pointers])).toEqual([
    [`${at}/1`, { base: `${at}/0`, mine: null, theirs: `${at}/1` }],
    [`${at}/0/schema/minLength`, { base: null, mine: `${at}/0/schema/minLength`, theirs: `${at}/2/schema/minLength` }],
  ])
})

test('items keep the order of the side that moved them; both moved otherwise is one conflict', () => {
  const servers = (...hosts: string[]): Json => ({ servers: hosts.map((url) => ({ url })) })
  const order = (before: Json, mine: Json, theirs: Json) => {
    const { state, document } = mergeDocuments(before, mine, theirs)
    const list = (document as { servers: readonly { url: string }[] }).servers
    return `${state} ${list.map(({ url }) => url).join('')}`
  }
  const abc = servers('a', 'b', 'c')
  expect([
    order(abc, servers('a', 'b', 'c', 'm'), servers('c', 'b', 'a')),
    order(abc, servers('c', 'b', 'a'), servers('t', 'a', 'b', 'c')),
    order(abc, servers('a', 'm', 'b', 'c'), servers('a', 't', 'b', 'c')),
    order(abc, servers('m', 'a', 'b', 'c'), servers('t', 'a', 'b', 'c')),
    order(abc, servers('a', 'c', 'm'), servers('a', 'b', 't', 'c')),
    order(abc, servers('b', 'a', 'c'), servers('b', 'a', 'c', 't')),
    order(abc, servers('a', 'c'), servers('c', 'b', 'a')),
    order(abc, servers('b', 'a', 'c'), servers('a', 'c', 'b')),
  ]).toEqual([
    // "m" stays behind "c", which theirs moved to the beginning.
    'clean cmba',
    'clean tcba',
    'clean amtbc',
    'clean mtabc',
    'clean atcm',
    'clean bact',
    'clean ca',
    'conflicts bac',
  ])
})

test('what both began is merged where it collects things by name, and a conflict elsewhere', () => {
  const toys = (operations: Json): Json => ({ paths: { '/toys': operations } })
  const get = (code: string): Json => ({ responses: { [code]: { description: 'ok' } } })
  const both = mergeDocuments({ paths: {} }, toys({ get: get('200') }), toys({ post: get('201') }))
  expect([both.state, both.document]).toEqual(['clean', toys({ get: get('200'), post: get('201') })])
  const same = mergeDocuments({ paths: {} }, toys({ get: get('200') }), toys({ get: get('201') }))
  expect([same.state, same.document, same.conflicts.map(({ pointers }) => pointers)]).toEqual([
    'conflicts',
    toys({ get: get('200') }),
    [{ base: null, mine: '/paths/~1toys/get', theirs: '/paths/~1toys/get' }],
  ])
  const schema = (value: Json): Json => ({ components: { schemas: { Pet: value } } })
  const replaced = mergeDocuments(schema(true), schema({ type: 'string' }), schema({ type: 'string', maxLength: 5 }))
  expect(replaced.conflicts.map(({ pointer, base: was }) => [pointer, was])).toEqual([
    ['/components/schemas/Pet', true],
  ])
  const values = mergeDocuments(schema({}), schema({ enum: ['a'] }), schema({ enum: ['b'] }))
  expect(values.conflicts.map(({ pointer }) => pointer)).toEqual(['/components/schemas/Pet/enum'])
  const begun = (value: Json): Json => ({ properties: value })
  const list = mergeDocuments(begun(['a']), begun({ 0: { m: 1 } }), begun({ 1: { t: 1 } }))
  expect([list.state, list.document]).toEqual(['clean', begun({ 0: { m: 1 }, 1: { t: 1 } })])
  const tags = mergeDocuments({}, { tags: [{ name: 'a' }] }, { tags: [{ name: 'b' }] })
  expect([tags.state, tags.document]).toEqual(['clean', { tags: [{ name: 'a' }, { name: 'b' }] }])
})

test('lists whose items are not told apart, and values of people, are one value', () => {
  const conflicts = (path: string, before: Json, mine: Json, theirs: Json) => {
    const at = (list: Json): Json => ({ paths: { '/a': { get: { [path]: list } } } })
    const { conflicts: found } = mergeDocuments(at(before), at(mine), at(theirs))
    return found.map(({ pointer, subject }) => `${pointer} ${subject}`)
  }
  const twice = [{ name: 'a' }, { name: 'a' }]
  expect([
    conflicts('parameters', twice, [...twice, { name: 'm' }], [...twice, { name: 't' }]),
    conflicts('parameters', [{ in: 'query' }], [{ in: 'path' }], [{ in: 'header' }]),
    conflicts('parameters', [], [[1]], [[2]]),
    conflicts('parameters', [], [null], [null, null]),
    conflicts('example', ['a'], ['a', 'm'], ['a', 't']),
    conflicts('x-list', ['a'], ['a', 'm'], ['a', 't']),
    conflicts('parameters', [], [{ $ref: '#/a', name: 'x' }], [{ $ref: '#/b', name: 'x' }]),
  ]).toEqual([
    ['/paths/~1a/get/parameters GET /a'],
    ['/paths/~1a/get/parameters GET /a'],
    ['/paths/~1a/get/parameters GET /a'],
    ['/paths/~1a/get/parameters GET /a'],
    ['/paths/~1a/get/example GET /a'],
    [],
    [],
  ])
})

test('what both changed alike is no conflict', () => {
  const info = (version: string, more: object = {}): Json => ({ info: { version, ...more } })
  expect(mergeDocuments(info('1'), info('2', { m: 1 }), info('2', { t: 1 }))).toEqual({
    state: 'clean',
    document: info('2', { m: 1, t: 1 }),
    conflicts: [],
  })
})

test('conflicts are named by what they belong to', () => {
  const at = (steps: readonly (string | number)[], value: Json): Json =>
    steps.reduceRight<Json>((below, step) => ({ [step]: below }), value)
  const subject = (...steps: string[]) =>
    mergeDocuments(at(steps, 'base'), at(steps, 'mine'), at(steps, 'theirs')).conflicts.map((it) => it.subject)
  expect(
    [
      subject(),
      subject('openapi'),
      subject('info', 'title'),
      subject('paths', '/a', 'get', 'summary'),
      subject('paths', '/a', 'query'),
      subject('paths', '/a', 'summary'),
      subject('paths', '/a'),
      subject('paths'),
      subject('paths', '/a', 'get', 'x-schema', 'properties', 'parameters', 'type'),
      subject('webhooks', 'event', 'post', 'summary'),
      subject('components', 'schemas', 'Pet', 'type'),
      subject('components', 'schemas'),
      subject('components', 'responses', 'Gone', 'description'),
      subject('components'),
      subject('definitions', 'Pet'),
      subject('definitions'),
      subject('$defs', 'Pet', 'type'),
      subject('$defs'),
      subject('parameters', 'x'),
      subject('tags', 'a', 'b'),
    ].flat(),
  ).toEqual([
    'document',
    'openapi',
    'info',
    'GET /a',
    'QUERY /a',
    'path /a',
    'path /a',
    'paths',
    'GET /a',
    'POST event',
    'schema Pet',
    'components',
    'responses Gone',
    'components',
    'schema Pet',
    'definitions',
    'schema Pet',
    '$defs',
    'parameters',
    'tags',
  ])
})

test('what both began below a webhook is merged too', () => {
  const hook = (operations: Json): Json => ({ webhooks: { changed: operations } })
  const both = mergeDocuments({ webhooks: {} }, hook({ get: {} }), hook({ post: {} }))
  expect([both.state, both.document]).toEqual(['clean', hook({ get: {}, post: {} })])
  const elsewhere = (value: Json): Json => ({ info: { license: value } })
  const other = mergeDocuments({ info: {} }, elsewhere({ name: 'm' }), elsewhere({ url: 't' }))
  expect(other.conflicts.map(({ pointer }) => pointer)).toEqual(['/info/license'])
})

const key = fc.constantFrom('a', 'b', 'c', 'name', 'in', '__proto__')
const value = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(1, 2, 'x', 'y', true, null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(key, tie('json')), { maxLength: 4, selector: ([name]) => name })
      .map((entries) => Object.fromEntries(entries) as Json),
  ),
})).json

test('properties: one side alone wins, both alike is that, conflicts do not depend on the side, clean merges are the same', () => {
  fc.assert(
    fc.property(value, value, value, (before, mine, theirs) => {
      const same = (a: Json, b: Json) => canonicalize(a) === canonicalize(b)
      expect(same(mergeDocuments(before, before, theirs).document, theirs)).toBe(true)
      expect(same(mergeDocuments(before, mine, before).document, mine)).toBe(true)
      expect(same(mergeDocuments(before, mine, mine).document, mine)).toBe(true)
      const one = mergeDocuments(before, mine, theirs)
      const other = mergeDocuments(before, theirs, mine)
      const places = ({ conflicts }: typeof one) =>
        conflicts
          .map(({ pointers: { base: was, mine: a, theirs: b } }) =>
            [was, ...[String(a), String(b)].toSorted()].join(' '),
          )
          .toSorted()
      expect(one.state).toBe(other.state)
      expect(places(one)).toEqual(places(other))
      if (one.state !== 'conflicts') expect(sorted(one.document)).toEqual(sorted(other.document))
    }),
    { numRuns: 1000 },
  )
})

const follow = (document: Json, pointer: string): Json | undefined =>
  followPath(document, parsePointer(pointer) ?? ['not a pointer'])?.value

test('property: every pointer of a conflict leads to the value of its side, and where it leads nowhere there is none', () => {
  fc.assert(
    fc.property(value, value, value, (before, mine, theirs) => {
      const { conflicts } = mergeDocuments(before, mine, theirs)
      for (const it of conflicts) {
        const sides = { base: before, mine, theirs }
        for (const side of ['base', 'mine', 'theirs'] as const) {
          const { [side]: pointer } = it.pointers
          const found = pointer === null ? undefined : follow(sides[side], pointer)
          if (pointer !== null && found === undefined) throw new Error(`${side} has nothing at "${pointer}"`)
          expect(found ?? null).toEqual(it[side])
        }
        const [first] = [it.pointers.mine, it.pointers.theirs, it.pointers.base].filter((one) => one !== null)
        expect(it.pointer).toBe(first ?? 'none')
      }
    }),
    { numRuns: 1000 },
  )
})

/** A change of one place of the document below: it can be made in any order with changes of other places. */
type Edit = (it: Plain) => void
type Plain = {
  info: Record<string, Json>
  tags: Json[]
  paths: Record<string, Record<string, { summary?: string; parameters: { name: string; in: string; schema?: Json }[] }>>
  components: { schemas: Record<string, { properties: Record<string, Json>; required: string[] }> }
}
const plain = (): Plain => ({
  info: { title: 'Pets', version: '1.0.0' },
  tags: [{ name: 'a' }, { name: 'b' }],
  paths: Object.fromEntries(
    ['/a', '/b', '/c'].map((path) => [
      path,
      { get: { parameters: ['x', 'y', 'z'].map((name) => ({ name, in: 'query', schema: { type: 'string' } })) } },
    ]),
  ),
  components: {
    schemas: Object.fromEntries(
      ['A', 'B'].map((name) => [name, { properties: { id: { type: 'string' }, n: {} }, required: ['id', 'n'] }]),
    ),
  },
})
const parametersOf = (it: Plain, path: string) => it.paths[path]?.['get']?.parameters ?? []
/** Each changes a place of its own. */
const edits: readonly Edit[] = [
  (it) => (it.info['title'] = 'Other'),
  (it) => (it.info['contact'] = { name: 'ann' }),
  (it) => (it.tags = it.tags.filter((tag) => (tag as { name: string }).name !== 'a')),
  (it) => it.tags.push({ name: 'c' }),
  (it) => (it.paths['/d'] = { get: { parameters: [] } }),
  (it) => void delete it.paths['/c'],
  (it) => (it.paths['/a'] = { ...it.paths['/a'], post: { summary: 'new', parameters: [] } }),
  (it) => Object.assign(it.paths['/a']?.['get'] ?? {}, { summary: 'List' }),
  ...['/a', '/b'].flatMap((path): Edit[] => [
    (it) =>
      Object.assign(parametersOf(it, path).find(({ name }) => name === 'x') ?? {}, { schema: { type: 'integer' } }),
    (it) => Object.assign(parametersOf(it, path).find(({ name }) => name === 'y') ?? {}, { description: 'why' }),
    (it) => parametersOf(it, path).push({ name: 'w', in: 'header' }),
  ]),
  ...['A', 'B'].flatMap((name): Edit[] => [
    (it) => Object.assign(it.components.schemas[name]?.properties['id'] ?? {}, { minLength: 1 }),
    (it) => Object.assign(it.components.schemas[name]?.properties ?? {}, { more: { type: 'number' } }),
    (it) => it.components.schemas[name]?.required.splice(1, 1),
  ]),
  (it) => Object.assign(it.components.schemas, { C: { properties: {}, required: [] } }),
]

test('property: changes of different places merge to the document with all of them, beside a place that both changed too', () => {
  const split = fc.array(fc.constantFrom('mine', 'theirs', 'none'), {
    minLength: edits.length,
    maxLength: edits.length,
  })
  fc.assert(
    fc.property(split, fc.boolean(), (sides, isContested) => {
      const made = (...of: string[]): Json => {
        const it = plain()
        // The side that is named first wins where both changed a place.
        if (isContested) it.info['version'] = of[0] ?? ''
        for (const side of of) for (const [n, edit] of edits.entries()) if (sides[n] === side) edit(it)
        return it
      }
      const [mine, theirs] = [made('mine'), made('theirs')]
      for (const [left, right, all] of [
        [mine, theirs, made('mine', 'theirs')],
        [theirs, mine, made('theirs', 'mine')],
      ] as const) {
        const { state, document, conflicts } = mergeDocuments(plain(), left, right)
        expect(conflicts.map(({ pointer }) => pointer)).toEqual(isContested ? ['/info/version'] : [])
        expect(state === 'conflicts').toBe(isContested)
        // Order counts too, where both added nothing to the same list.
        expect(canonicalize(document)).toBe(canonicalize(all))
      }
    }),
    { numRuns: 200 },
  )
})

/** Without the order of lists, in which the sides differ. */
const sorted = (json: Json): unknown => {
  if (Array.isArray(json))
    return (json as readonly Json[])
      .map(sorted)
      .map((one) => JSON.stringify(one))
      .toSorted()
  if (typeof json !== 'object' || json === null) return json
  return Object.entries(json)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, sorted(one)])
}

test('the patch between two values touches what differs and nothing else', () => {
  const from: Json = { a: { b: 1, c: [1, { d: 2 }, 3] }, gone: true, 'x/y': [1], same: { deep: [{}] } }
  const to: Json = { a: { b: 1, c: [1, { d: 4 }, 3] }, 'x/y': [1, 2], same: { deep: [{}] }, added: null }
  expect(patchBetween(from, to)).toEqual([
    { op: 'remove', path: '/gone' },
    { op: 'replace', path: '/a/c/1/d', value: 4 },
    { op: 'replace', path: '/x~1y', value: [1, 2] },
    { op: 'add', path: '/added', value: null },
  ])
  expect([patchBetween(from, from), patchBetween([1], { 0: 1 }), patchBetween(1, 2)]).toEqual([
    [],
    [{ op: 'replace', path: '', value: { 0: 1 } }],
    [{ op: 'replace', path: '', value: 2 }],
  ])
})

test('the patch between two values makes one of the other, in the text too', () => {
  fc.assert(
    fc.property(value, value, (from, to) => {
      const document = parseDocument(JSON.stringify({ it: from }), { source: 'a.json' })
      const text = patchText(document, patchBetween({ it: from }, { it: to }))
      expect(canonicalize(parseDocument(text, { source: 'a.json' }).value)).toBe(canonicalize({ it: to }))
    }),
    { numRuns: 500 },
  )
})

test('conflicts that are chosen by their ids have the value of the other side, and only they', () => {
  const mine = base
    .replace('summary: List', 'summary: Mine')
    .replace('name: limit, in: query, schema: { type: integer }', 'name: limit, in: query, schema: { type: number }')
  const theirs = base
    .replace('summary: List', 'summary: Theirs')
    .replace('name: limit, in: query, schema: { type: integer }', 'name: limit, in: query, schema: { type: string }')
  const all = mergeDocuments(read(base), read(mine), read(theirs)).conflicts
  expect(all.map(({ id, subject }) => [id, subject])).toEqual([
    ['/paths/~1pets/get/summary', 'GET /pets'],
    ['/paths/~1pets/get/parameters/name limit query/schema/type', 'parameter limit of GET /pets'],
  ])
  const sides = (given: ChosenSides) => {
    const { state, conflicts, document } = mergeDocuments(read(base), read(mine), read(theirs), given)
    const at = (pointer: string): unknown => followPath(document, parsePointer(pointer) ?? [])?.value
    return [state, conflicts.length, at('/paths/~1pets/get/summary'), at('/paths/~1pets/get/parameters/0/schema/type')]
  }
  const chosen = (...ids: string[]) => sides({ theirs: ids })
  expect(chosen()).toEqual(['conflicts', 2, 'Mine', 'number'])
  expect(chosen(all[0]?.id ?? '')).toEqual(['conflicts', 2, 'Theirs', 'number'])
  expect(chosen(all[1]?.id ?? '', 'none')).toEqual(['conflicts', 2, 'Mine', 'string'])
  expect(chosen(...all.map(({ id }) => id))).toEqual(['conflicts', 2, 'Theirs', 'string'])
  expect(sides({ all: 'theirs' })).toEqual(['conflicts', 2, 'Theirs', 'string'])
  expect(sides({ all: 'theirs', mine: [all[0]?.id ?? ''] })).toEqual(['conflicts', 2, 'Mine', 'string'])
  expect(sides({ all: 'mine', theirs: [all[0]?.id ?? ''] })).toEqual(['conflicts', 2, 'Theirs', 'number'])
})

/** A document with a list at a path, as both sides change it: mine adds "m", theirs "t". */
const withListAt = (path: string, list: readonly string[]): Json =>
  (parsePointer(path) ?? []).reduceRight<Json>((value, step) => ({ [step]: value }), list as Json)

test.each([
  ['/components/schemas/A/required', true],
  ['/components/schemas/A/example/tags', false],
  ['/components/schemas/A/prefixItems', false],
  ['/components/schemas/A/properties/x/default', false],
  ['/servers/x/default', false],
  // What is in "components" are keywords that collect, and what is in those are names.
  ['/components/examples/E/value/list', false],
  ['/components/schemas/default/required', true],
  ['/definitions/default/required', true],
  ['/components/schemas/example/enum', true],
  ['/paths/~1a/get/responses/default/content/a/schema/required', true],
  // A property may have the name of a keyword, also of one that collects.
  ['/components/schemas/A/properties/default/required', true],
  ['/components/schemas/A/properties/components/default', false],
  ['/components/schemas/A/properties/components/required', true],
  ['/components/schemas/A/properties/components/properties/examples/required', true],
])('a list at %s is merged by item: %p', (path, isByItem) => {
  const [from, mine, theirs] = [['a'], ['a', 'm'], ['a', 't']].map((list) => withListAt(path, list)) as [
    Json,
    Json,
    Json,
  ]
  const merged = mergeDocuments(from, mine, theirs)
  expect([merged.state, merged.document]).toEqual([
    isByItem ? 'clean' : 'conflicts',
    withListAt(path, isByItem ? ['a', 'm', 't'] : ['a', 'm']),
  ])
})
