/** What the pages of change governance make of answers before anything is drawn. */
import { expect, test } from 'bun:test'
import { readRef, writeRef } from '../../web/src/features/comparison/queries.ts'
import {
  countPicks,
  namesAt,
  offersOf,
  type Picks,
  picksOf,
  selectionOf,
  setNames,
  toggleName,
  toggleOperation,
  unoffered,
} from '../../web/src/features/consumers/selection.ts'
import { changes } from '../fixtures/web/fake-data.ts'
import { contract, surfaceOperations } from '../fixtures/web/fake-governance.ts'
import { countKinds, filterChanges, groupChanges, kindOf, nodesOf } from '../../web/src/features/comparison/changes.ts'
import { messageOf } from '../../web/src/features/comparison/counterexample.ts'
import { excerptQuery, ofPasted, placesOf, shownOf, spanOf } from '../../web/src/features/comparison/excerpt.ts'
import { typeWords } from '../../web/src/parts/openapi-document.ts'
import { classNames, isSameRules, propertiesOf, readRule } from '../../web/src/features/migration/rules.ts'

test('a side of a comparison is read from the address, and written into it', () => {
  expect(readRef('shop@1.0.0')).toEqual({ project: 'shop', version: '1.0.0' })
  expect(readRef('shop@a@b')).toEqual({ project: 'shop', version: 'a@b' })
  for (const text of [undefined, '', 'shop', '@1.0.0', 'shop@']) expect(readRef(text)).toBeNull()
  expect(writeRef({ project: 'shop', version: '1.0.0' })).toBe('shop@1.0.0')
})

test('what nobody could decide is a kind of its own, and filters hold together', () => {
  expect(changes.map(kindOf)).toEqual(['breaking', 'undecided', 'non-breaking', 'docs-only'])
  expect(countKinds(changes)).toEqual({ breaking: 1, undecided: 1, 'non-breaking': 1, 'docs-only': 1 })
  const ids = (filters: Partial<Parameters<typeof filterChanges>[1]>) =>
    filterChanges(changes, { kind: null, consumer: null, q: '', at: null, ...filters }).map((it) => it.fingerprint)
  expect(ids({})).toEqual(['c1', 'c2', 'c3', 'c4'])
  expect(ids({ kind: 'undecided' })).toEqual(['c2'])
  expect(ids({ consumer: 'ticket-app' })).toEqual(['c1'])
  expect(ids({ q: 'REFUNDS  added' })).toEqual(['c3'])
  expect(ids({ q: 'trips', kind: 'docs-only' })).toEqual([])
  expect(ids({ at: 'operation POST /refunds' })).toEqual(['c3'])
})

test('changes stand under their operation, the component they share, or the document', () => {
  const [first] = changes
  const shared = {
    ...first!,
    method: null,
    path: null,
    head: { pointer: '/components/schemas/A~1B/properties/x', range: null },
    operations: ['GET /a', 'GET /b'],
  }
  const groups = groupChanges([
    ...changes,
    { ...shared, message: 'one' },
    { ...shared, message: 'another', operations: ['GET /c'] },
  ])
  expect(groups.map(({ kind, title, told, changes: own }) => [kind, title, told.length, own.length])).toEqual([
    ['operation', 'GET /stations', 2, 2],
    ['operation', 'POST /refunds', 1, 1],
    ['document', 'Whole document', 1, 1],
    ['component', 'A/B', 2, 2],
  ])
})

test('a change without a path belongs to its only operation; the tree begins with what breaks, then by name', () => {
  const [first] = changes
  const one = (operations: string[], severity: 'breaking' | 'docs-only') => ({
    ...first!,
    severity,
    verdict: severity === 'breaking' ? ('breaking' as const) : ('safe' as const),
    method: null,
    path: null,
    base: null,
    head: { pointer: '/info', range: null },
    operations,
  })
  const titles = (...list: ReturnType<typeof one>[]) => nodesOf(list).map(({ kind, title }) => `${kind} ${title}`)
  expect(titles(one(['GET /a'], 'breaking'))).toEqual(['operation GET /a'])
  expect(titles(one([], 'breaking'))).toEqual(['document Whole document'])
  expect(titles(one(['GET /a', 'GET /b'], 'breaking'))).toEqual(['document Several operations'])
  expect(titles(one(['GET /a'], 'docs-only'), one(['GET /c'], 'breaking'), one(['GET /b'], 'breaking'))).toEqual([
    'operation GET /b',
    'operation GET /c',
    'operation GET /a',
  ])
})

test('what several operations repeat is listed once, with all of them; the tree counts it at each', () => {
  const [first] = changes
  const at = (path: string, fingerprint: string) => ({ ...first!, path, operations: [`GET ${path}`], fingerprint })
  const repeated = [at('/a', 'r1'), at('/b', 'r2'), { ...at('/b', 'r3'), message: 'another' }]
  expect(
    groupChanges(repeated).map(({ kind, title, told }) => [
      kind,
      title,
      told.map((it) => [it.all.length, it.operations]),
    ]),
  ).toEqual([
    ['repeated', 'Repeated changes', [[2, ['GET /a', 'GET /b']]]],
    ['operation', 'GET /b', [[1, ['GET /b']]]],
  ])
  expect(nodesOf(repeated).map(({ key, counts }) => [key, counts.breaking])).toEqual([
    ['operation GET /a', 1],
    ['operation GET /b', 2],
  ])
})

test('a counterexample is a request or a response, with the place of the value in it', () => {
  const [first] = changes
  const one = (pointer: string, direction: 'request' | 'response', message = '') => ({
    ...first!,
    method: 'POST',
    path: '/pets/{id}',
    direction,
    message,
    head: { pointer, range: null },
  })
  const body = '/paths/~1pets~1{id}/post/requestBody/content/application~1merge-patch+json/schema'
  expect(
    messageOf(one(`${body}/properties/tags/items/properties/name/maxLength`, 'request'), { tags: [{ name: 'abc' }] }),
  ).toEqual({
    start: 'POST /pets/{id} HTTP/1.1',
    headers: ['Content-Type: application/merge-patch+json'],
    body: { tags: [{ name: 'abc' }] },
  })
  const answer = '/paths/~1pets~1{id}/post/responses/404/content/application~1json/schema'
  expect(messageOf(one(`${answer}/allOf/1/type`, 'response'), null)).toEqual({
    start: 'HTTP/1.1 404',
    headers: ['Content-Type: application/json'],
    body: null,
  })
  expect(messageOf(one('/components/schemas/Pet/properties/age/type', 'response'), { age: 'x' })).toEqual({
    start: 'HTTP/1.1 200',
    headers: ['Content-Type: application/json'],
    body: { age: 'x' },
  })
  const limit = one(
    '/paths/~1pets~1{id}/post/parameters/0/schema/maximum',
    'request',
    'Maximum of query parameter `a b`',
  )
  expect(messageOf(limit, 101)).toEqual({ start: 'POST /pets/{id}?a%20b=101 HTTP/1.1', headers: [] })
  const id = one('/paths/~1pets~1{id}/post/parameters/0/schema/pattern', 'request', 'Pattern of path parameter `id`')
  expect(messageOf(id, 'a/b')).toEqual({ start: 'POST /pets/a%2Fb HTTP/1.1', headers: [] })
  expect(messageOf({ ...first!, direction: null }, 1)).toBe(null)
  const of = (over: Partial<Parameters<typeof messageOf>[0]>) =>
    messageOf({ ...one(body, 'request'), ...over }, 1)?.start ?? null
  expect(of({ method: null, path: null, operations: ['GET /a', 'GET /b'] })).toBe('GET /a HTTP/1.1')
  expect(of({ method: null, path: '/b', operations: ['GET /a'] })).toBe('GET /a HTTP/1.1')
  expect(of({ method: 'PUT', path: null, operations: ['GET /a'] })).toBe('GET /a HTTP/1.1')
  expect([of({ method: null, operations: [] }), of({ method: null, operations: ['GET'] })]).toEqual([null, null])
  const status = (pointer: string) => messageOf(one(pointer, 'response'), 1)?.start
  expect(status('/paths/~1pets~1{id}/post/responses/default/content/application~1json/schema')).toBe('HTTP/1.1 200')
  expect(status('/components/404/responses/500')).toBe('HTTP/1.1 200')
})

test('the lines of a change have four around them, and a long one is cut', () => {
  const range = (from: number, to: number) => ({
    pointer: '',
    range: { start: { line: from, character: 2 }, end: { line: to, character: 0 } },
  })
  expect(spanOf(range(10, 13))).toEqual({ first: 6, count: 11, character: 2, hidden: 0 })
  expect(spanOf(range(1, 2))).toEqual({ first: 0, count: 6, character: 2, hidden: 0 })
  expect(spanOf(range(100, 301))).toEqual({ first: 96, count: 28, character: 2, hidden: 177 })
  expect(spanOf({ pointer: '', range: null })).toBe(null)
  const at = (pointer: string) => ({ pointer, range: null })
  const pointers = (base: string, head: string) => {
    const places = placesOf({ base: at(base), head: at(head) })
    return [places.base?.pointer ?? null, places.head?.pointer ?? null]
  }
  expect(pointers('/a', '/a/b')).toEqual([null, '/a/b'])
  expect(pointers('/a/b', '/a')).toEqual(['/a/b', null])
  expect(pointers('/a', '/ab')).toEqual(['/a', '/ab'])
  expect([placesOf({ base: null, head: at('/a') }), placesOf({ base: at('/a'), head: null })]).toEqual([
    { base: null, head: at('/a') },
    { base: at('/a'), head: null },
  ])
  const within = (line: number, character: number, to: number) =>
    spanOf({ pointer: '', range: { start: { line, character: 2 }, end: { line: to, character } } })?.count
  // An end at the beginning of a line does not have that line, unless it is the only one.
  expect([within(10, 0, 12), within(10, 1, 12), within(10, 0, 10)]).toEqual([10, 11, 9])
})

test('of a long line the part around the place is shown, and that something is left out', () => {
  const line = (length: number): string => Array.from({ length }, (_, at) => String(at % 10)).join('')
  const shown = (length: number, character: number) => {
    const text = line(length)
    const answer = shownOf([{ text, from: 0, length }], character)
    return [
      answer.isCut,
      answer.text.startsWith('… '),
      answer.text.endsWith(' …'),
      answer.text.replaceAll(/[… ]/g, '').length,
    ]
  }
  expect(shown(900, 0)).toEqual([false, false, false, 900])
  expect(shown(901, 0)).toEqual([true, false, true, 900])
  expect(shown(901, 901)).toEqual([true, true, false, 900])
  expect(shown(3000, 200)).toEqual([true, false, true, 900])
  expect(shown(3000, 201)).toEqual([true, true, true, 900])
  const cut = shownOf([{ text: line(3000), from: 0, length: 3000 }], 1000).text
  expect(cut).toBe(`… ${line(3000).slice(800, 1700)} …`)
  // What is answered of a longer line begins before the place already.
  const part = { text: line(1200), from: 5000, length: 9000 }
  expect(shownOf([{ text: 'a', from: 0, length: 1 }, part], 7).text).toBe(`a\n… ${line(1200).slice(100, 1000)} …`)
  expect(shownOf([{ text: 'a', from: 0, length: 2 }], 0)).toEqual({ text: 'a', isCut: true })
  expect(
    shownOf(
      [
        { text: 'a', from: 0, length: 1 },
        { text: 'b', from: 0, length: 1 },
      ],
      0,
    ),
  ).toEqual({
    text: 'a\nb',
    isCut: false,
  })
  expect(
    shownOf(
      [
        { text: 'a', from: 0, length: 1 },
        { text: 'b', from: 0, length: 3 },
      ],
      0,
    ).isCut,
  ).toBe(true)
  const text = ['one', 'two', line(901), 'four'].join('\n')
  const span = { first: 1, count: 1, character: 0, hidden: 0 }
  expect(ofPasted({ text } as never, span)).toEqual({ text: 'two', isCut: false })
  expect(ofPasted({ text } as never, { ...span, count: 2 }).isCut).toBe(true)
})

test('the lines of a pasted document are found without the service, and those of a stored one are asked for', async () => {
  const run = (query: ReturnType<typeof excerptQuery>) => (query.queryFn as () => Promise<unknown>)()
  expect(await run(excerptQuery('acme', { text: 'a' } as never, 'd', null))).toEqual({ text: '', isCut: false })
  const span = { first: 0, count: 300, character: 4, hidden: 0 }
  expect(await run(excerptQuery('acme', { text: 'a\nb' } as never, 'd', span))).toEqual({ text: 'a\nb', isCut: false })
  const fetched = globalThis.fetch
  let asked = ''
  const lines = [{ text: 'x', from: 0, length: 1 }]
  Object.assign(globalThis, {
    fetch: (target: string) => {
      asked = target
      return Promise.resolve(Response.json({ lines, total: 1, digest: 'd' }))
    },
  })
  const stored = { project: 'shop', version: '1.0.0' } as never
  const answer = await run(excerptQuery('acme', stored, 'd', span)).finally(() =>
    Object.assign(globalThis, { fetch: fetched }),
  )
  expect(answer).toEqual({ text: 'x', isCut: false })
  expect(new URL(asked, 'http://svc.test').searchParams.get('limit')).toBe('200')
})

test('a contract is gone on from: what it found, and what a person named in vain', () => {
  const picks = picksOf({ ...contract, source: 'selection' })
  expect([...picks.keys()]).toEqual(['GET /stations', 'GET /trains'])
  expect(namesAt(picks, 'GET /stations', 'response 200')).toEqual(['data', 'data[].name', 'data[].zone'])
  // What a test of the consumer sent is no choice of a person: its paths are no templates.
  expect([...picksOf(contract).keys()]).toEqual(['GET /stations'])
  expect(selectionOf(picksOf(contract))).toEqual({
    operations: [
      {
        method: 'GET',
        path: '/stations',
        request: [],
        responses: { '200': ['data', 'data[].name'] },
        parameters: [{ name: 'page', in: 'query' }],
      },
    ],
  })
  expect(countPicks(picks)).toEqual({ operations: 2, fields: 3, parameters: 1 })
  // An item that names no operation is nothing that can be chosen.
  const [item] = contract.unresolved
  const lost = [
    { ...item!, method: null },
    { ...item!, path: null },
  ]
  expect([...picksOf({ ...contract, source: 'selection', unresolved: lost }).keys()]).toEqual(['GET /stations'])
  expect([...picksOf(contract)].map(([, wheres]) => [...wheres.keys()])).toEqual([['response 200', 'parameter query']])
})

test('choosing: names bring their operation, an operation takes its names with it', () => {
  let picks: Picks = toggleName(new Map(), 'GET /a', 'request', 'x')
  picks = toggleName(picks, 'GET /a', 'request', 'y')
  picks = toggleName(picks, 'GET /a', 'request', 'x')
  expect(namesAt(picks, 'GET /a', 'request')).toEqual(['y'])
  picks = setNames(picks, 'GET /a', 'request', [])
  expect([...picks].map(([name, wheres]) => [name, wheres.size])).toEqual([['GET /a', 0]])
  expect(toggleOperation(toggleOperation(picks, 'GET /b'), 'GET /a').has('GET /a')).toBe(false)
})

test('a choice that is not offered is reported before it is saved', () => {
  const [stations] = surfaceOperations
  const offers = offersOf(stations!)
  expect([...offers].map(([where, list]) => [where, list.map((it) => [it.name, it.depth])])).toEqual([
    ['parameter query', [['page', 0]]],
    [
      'response 200',
      [
        ['data', 0],
        ['data[].id', 1],
        ['data[].name', 1],
        ['links', 0],
        ['links.self', 1],
      ],
    ],
  ])
  const picks = setNames(new Map(), 'GET /stations', 'response 200', ['data', 'data[].zone'])
  expect(unoffered(picks, 'GET /stations', offers)).toEqual([{ where: 'response 200', name: 'data[].zone' }])
  const whole = setNames(new Map(), 'GET /stations', 'response 200', ['data[]', 'links', 'lin', '[]', 'self'])
  expect(unoffered(whole, 'GET /stations', offers).map(({ name }) => name)).toEqual(['lin', 'self'])
  const more = offersOf({
    ...stations!,
    request: [{ ...stations!.responses[0]!.fields[0]!, field: 'name' }],
    parameters: [...stations!.parameters, { ...stations!.parameters[0]!, name: 'limit' }],
  })
  expect([...more].map(([where, list]) => [where, list.map(({ name }) => name).slice(0, 2)])).toEqual([
    ['parameter query', ['page', 'limit']],
    ['request', ['name']],
    ['response 200', ['data', 'data[].id']],
  ])
})

test('properties of a class, those of its branches too; rules of others are read as far as they can be', () => {
  const schema = {
    $defs: {
      Base: { properties: { id: { type: 'string' } } },
      Pet: {
        allOf: [{ $ref: '#/$defs/Base' }, { properties: { age: { type: 'integer' }, next: { $ref: '#/$defs/Pet' } } }],
      },
      Loop: { allOf: [{ $ref: '#/$defs/Loop' }] },
    },
  }
  expect(classNames(schema)).toEqual(['Base', 'Pet', 'Loop'])
  expect([...(propertiesOf(schema, 'Pet') ?? [])]).toEqual([
    ['id', 'string'],
    ['age', 'integer'],
    ['next', 'Pet'],
  ])
  expect([propertiesOf(schema, 'Loop')?.size, propertiesOf(schema, 'None')]).toEqual([0, null])
  expect(readRule('migration-edge-prop-a', { kind: 'other', target_properties: ['b', 1] })).toEqual({
    kind: 'rename',
    source_property: 'a',
    target_properties: ['b'],
    source_type: 'any',
    target_type: null,
  })
  expect(readRule('migration-edge-prop-a', { kind: 'drop' }).kind).toBe('drop')
  expect(readRule('migration-edge-prop-a', {}).kind).toBe('rename')
  const flags = { $defs: { A: { properties: { yes: true, odd: 5, plain: {} } } } }
  expect([...(propertiesOf(flags, 'A') ?? [])]).toEqual([
    ['yes', typeWords(true)],
    ['odd', 'anything'],
    ['plain', typeWords({})],
  ])
  const nested = (depth: number): object =>
    depth === 0 ? { properties: { deep: {} } } : { allOf: [nested(depth - 1)] }
  const reached = (depth: number) => propertiesOf({ $defs: { A: nested(depth) } }, 'A')?.size
  expect([reached(8), reached(9)]).toEqual([1, 0])
  expect(isSameRules({ a: { kind: 'drop' }, b: {} }, { b: {}, a: { kind: 'drop' } })).toBe(true)
})
