/** What the pages of types make of answers and texts before anything is drawn. */
import { expect, test } from 'bun:test'
import type { PrimitiveRecord } from '../../src/api/primitive-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { verdictOf } from '../../web/src/features/types/comparison.ts'
import { directionWords, hasEnded, impactWords, isJob, needsLook } from '../../web/src/features/types/impact.ts'
import { layOut } from '../../web/src/features/types/graph.ts'
import {
  countKinds,
  decideAll,
  type Decisions,
  filterTypes,
  obstacleOf,
  outcomeOf,
  readKind,
  type Reviewed,
  undecided,
  writeDecisions,
} from '../../web/src/features/types/review.ts'
import { readSchemaText, refusedAt } from '../../web/src/features/types/schema-text.ts'
import { guessKind, readMethod } from '../../web/src/features/types/sources.ts'
import { isBuiltin, pinnedRef, readScope, readTags, typeUrl, writeTags } from '../../web/src/features/types/words.ts'
import { branchesOf, definitionsOf, examplesOf, openedAll, summaryOf } from '../../web/src/features/types/tree.ts'
import { primitive } from '../fixtures/web/fake-types.ts'

const lines = (schema: unknown, root: unknown = schema, pointer = '') =>
  branchesOf(root, schema, pointer).map((it) => [it.label, it.pointer, it.required])

test('a schema is a tree: properties, items, choices, conditions and what else there may be', () => {
  expect(
    lines({
      required: ['a/b'],
      properties: { 'a/b': { type: 'string' }, c: true },
      patternProperties: { '^x-': {} },
      additionalProperties: { type: 'number' },
      prefixItems: [{}, {}],
      items: { type: 'null' },
      oneOf: [{ type: 'string' }, { type: 'number' }],
      if: { type: 'string' },
      then: {},
      dependentSchemas: { c: {} },
    }),
  ).toEqual([
    ['a/b', '/properties/a~1b', true],
    ['c', '/properties/c', false],
    ['item 1', '/prefixItems/0', false],
    ['item 2', '/prefixItems/1', false],
    ['each further item', '/items', false],
    ['properties that match ^x-', '/patternProperties/^x-', false],
    ['if c is present', '/dependentSchemas/c', false],
    ['one of: 1', '/oneOf/0', false],
    ['one of: 2', '/oneOf/1', false],
    ['any other property', '/additionalProperties', false],
    ['if', '/if', false],
    ['then', '/then', false],
  ])
  for (const odd of [true, null, [], 'x', { properties: [] }, { oneOf: {} }, { items: false }])
    expect(lines(odd)).toEqual([])
})

test('lines of properties and definitions are properties; the first of several places that say the same counts', () => {
  const root = {
    $ref: '#/$defs/A',
    properties: { x: { type: 'string' } },
    patternProperties: { '^a': true, '^b': 5 },
    dependencies: { x: ['y'] },
    items: {},
    $defs: { A: { required: ['x'], properties: { x: { type: 'number' }, y: {} } } },
  }
  expect(branchesOf(root, root, '').map(({ label, pointer, isProperty, required }) => [label, pointer, isProperty, required])).toEqual([
    ['x', '/properties/x', true, false],
    ['each item', '/items', false, false],
    ['properties that match ^a', '/patternProperties/^a', false, false],
    ['y', '/$defs/A/properties/y', true, false],
  ]) // prettier-ignore
  expect(definitionsOf(root).map(({ isProperty, required }) => [isProperty, required])).toEqual([[true, false]])
})

test('a reference leads through lists, to nothing where nothing is, and not on without end', () => {
  const root = { oneOf: [{ properties: { a: {} } }] }
  expect(lines({ $ref: '#/oneOf/0' }, root)).toEqual([['a', '/oneOf/0/properties/a', false]])
  for (const ref of ['#/none/deeper', '#/oneOf/7', '#/toString', 'other.json', '#anchor'])
    expect([ref, lines({ $ref: ref }, root)]).toEqual([ref, []])
  const chain = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`n${at}`, { $ref: `#/$defs/n${at + 1}`, properties: { [`p${at}`]: {} } }]),
  )
  expect(branchesOf({ $defs: chain }, chain['n0'], '').map(({ label }) => label)).toEqual(
    Array.from({ length: 20 }, (_, at) => `p${at}`),
  )
  // Everything is open where there is room for it.
  expect([...openedAll({ properties: { a: { properties: { b: {} } } } }, 100)]).toEqual(['/properties/a'])
})

test('references within the document are followed to where they are written, round in a circle too', () => {
  const root = {
    $ref: '#/$defs/Node%20A',
    $defs: {
      'Node A': { properties: { next: { $ref: '#' }, out: { $ref: 'svc:a/B' } } },
      Loop: { $ref: '#/$defs/Loop' },
    },
  }
  expect(lines(root)).toEqual([
    ['next', '/$defs/Node A/properties/next', false],
    ['out', '/$defs/Node A/properties/out', false],
  ])
  const [next] = branchesOf(root, root, '')
  expect(lines(next?.schema, root, next?.pointer)).toEqual(lines(root))
  expect(lines(root.$defs.Loop, root)).toEqual([])
  expect(lines({ $ref: '#/$defs/Nothing' }, root)).toEqual([])
  expect(definitionsOf(root).map((it) => it.label)).toEqual(['Node A', 'Loop'])
  expect([...openedAll(root, 6)]).toEqual(['/properties/next', '/properties/next /properties/next'])
})

test('a line says type, limits and values of a schema, and of what it refers to', () => {
  const root = {
    $defs: { A: { type: 'string', pattern: '^a', enum: ['a', 'ab'], description: 'An a', deprecated: true } },
  }
  expect(summaryOf(root, { $ref: '#/$defs/A', maxLength: 2 })).toEqual({
    type: 'A',
    limits: ['at most 2 characters', 'matches ^a'],
    values: ['a', 'ab'],
    description: 'An a',
    deprecated: true,
  })
  const { limits } = summaryOf(null, {
    uniqueItems: true,
    additionalProperties: false,
    maxProperties: 1,
    dependentRequired: { a: ['b', 'c'] },
    writeOnly: true,
  })
  expect(limits).toEqual([
    'unique items',
    'no other properties',
    'at most 1 property',
    'with a also b, c',
    'write-only',
  ])
  expect(
    summaryOf(null, {
      unevaluatedProperties: false,
      minProperties: 2,
      dependentRequired: { a: 5 },
      readOnly: true,
      contentMediaType: 'image/png',
      contentEncoding: 'base64',
    }),
  ).toMatchObject({
    limits: [
      'no properties that are not named',
      'at least 2 properties',
      'read-only',
      'holds image/png',
      'encoded as base64',
    ],
    description: null,
    deprecated: false,
  })
  expect(summaryOf(null, { unevaluatedProperties: true, readOnly: false, writeOnly: false }).limits).toEqual([])
  expect(examplesOf({ examples: [1, null], example: 'x' })).toEqual([1, null, 'x'])
  expect(examplesOf(true)).toEqual([])
})

const typed = (name: string, more: Partial<PrimitiveRecord> = {}): PrimitiveRecord => ({
  ...primitive(name, 'custom'),
  ...more,
})

test('a graph has users on the left and references on the right, and stays small', () => {
  const record = typed('Money', {
    refs: [
      { pointer: '/a/$ref', target: 'svc:b/B', resolved: true, primitive_id: 'b', revision: null },
      { pointer: '/c/$ref', target: 'svc:b/B', resolved: true, primitive_id: 'b', revision: null },
      { pointer: '/d/$ref', target: 'svc:b/None', resolved: false, primitive_id: null, revision: null },
    ],
  })
  const user = (id: string, depth: number, uses: string[]) => ({ id, ref: `svc:u/${id}`, depth, pointers: [], uses })
  const usage = {
    primitives: [user('near', 1, [record.id]), user('far', 2, ['near'])],
    versions: [{ project: 'shop', version: '1.0.0', revision: 1 }],
    count: 2,
    truncated: false,
  }
  const graph = layOut(record, usage)
  expect(graph.boxes.map(({ text, of, x }) => [text, of.kind, x])).toEqual([
    ['u/far', 'type', 0],
    ['u/near', 'type', 248],
    ['shop 1.0.0', 'version', 248],
    ['Money', 'self', 496],
    ['b/B', 'type', 744],
    ['b/None', 'missing', 744],
  ])
  expect(graph.edges.map(({ from, to }) => `${from.text} ${to.text}`)).toEqual([
    'u/far u/near',
    'u/near Money',
    'shop 1.0.0 Money',
    'Money b/B',
    'Money b/None',
  ])
  const many = Array.from({ length: 1000 }, (_, at) => user(`t${at}`, 1 + (at % 30), [record.id]))
  const large = layOut(record, { ...usage, primitives: many, count: 1000 })
  expect(large.boxes.length).toBe(3 * 8 + 1 + 2)
  expect(large.boxes.filter(({ of }) => of.kind === 'more').map(({ text }) => text)).toEqual([
    '27 more',
    '27 more',
    '28 more',
  ])
  expect(layOut(typed('Alone'), { ...usage, primitives: [], versions: [] }).boxes.length).toBe(1)
})

const reviewed = (key: string, more: Partial<Reviewed> = {}): Reviewed => ({
  key,
  name: key,
  namespace: 'a',
  classification: 'New',
  existing: null,
  validation: { valid: true, draft: '2020-12', errors: [] },
  unresolved: [],
  change: null,
  schema: null,
  resolutions: [],
  recommended: null,
  ...more,
})
const conflict = (key: string, recommended: Reviewed['recommended']) =>
  reviewed(key, { classification: 'Conflict', resolutions: ['keep', 'overwrite', 'rename'], recommended })
const types = [
  reviewed('New'),
  reviewed('Same', { classification: 'Identical' }),
  conflict('Risky', 'keep'),
  conflict('Safe', 'overwrite'),
  reviewed('Bad', { validation: { valid: false, draft: '2020-12', errors: [{ pointer: '', message: 'x' }] } }),
  reviewed('Lost', { unresolved: [{ pointer: '/$ref', target: 'svc:x/Y', candidates: [] }] }),
]

test('conflicts are decided as recommended, all alike, or one by one', () => {
  expect(outcomeOf(types, undecided)).toEqual({ created: 2, revised: 1, unchanged: 2, left: 1 })
  expect(writeDecisions(types, undecided)).toEqual({
    resolutions: { Risky: { action: 'keep' }, Safe: { action: 'overwrite' } },
  })
  const all: Decisions = { ...undecided, conflicts: decideAll(types, 'overwrite') }
  expect(outcomeOf(types, all)).toEqual({ created: 2, revised: 2, unchanged: 1, left: 1 })
  expect(decideAll(types, 'recommended').size).toBe(0)
  const chosen: Decisions = {
    conflicts: new Map([['Risky', { action: 'rename', name: ' Risky2 ' }]]),
    excluded: new Set(['Safe', 'New']),
  }
  expect(outcomeOf(types, chosen)).toEqual({ created: 2, revised: 0, unchanged: 1, left: 3 })
  expect(writeDecisions(types, chosen)).toEqual({
    resolutions: { Risky: { action: 'rename', name: 'Risky2' } },
    select: ['Same', 'Risky', 'Bad', 'Lost'],
  })
})

test('an import without types, or with a name that is none, does not begin', () => {
  const nothing: Decisions = { ...undecided, excluded: new Set(types.map((it) => it.key)) }
  expect(obstacleOf(types, nothing)).toBe('Select at least one type.')
  for (const name of ['', ' ', 'Risky'])
    expect(obstacleOf(types, { ...undecided, conflicts: new Map([['Risky', { action: 'rename', name }]]) })).toBe(
      'Enter another name for Risky.',
    )
  expect(obstacleOf(types, undecided)).toBeNull()
})

test('the review is narrowed by kind and by text', () => {
  expect([readKind('conflict'), readKind('other'), readKind(undefined)]).toEqual(['conflict', null, null])
  expect(countKinds(types)).toEqual({ new: 3, conflict: 2, identical: 1, invalid: 1, unresolved: 1 })
  const keys = (...given: Parameters<typeof filterTypes> extends [unknown, ...infer R] ? R : never) =>
    filterTypes(types, ...given).map((it) => it.key)
  expect(keys('conflict', '')).toEqual(['Risky', 'Safe'])
  expect(keys(null, 'A/S')).toEqual(['Same', 'Safe'])
  expect(keys('invalid', 'risky')).toEqual([])
})

test('a schema is read as JSON or YAML, and what is wrong with it has a line and a column', () => {
  expect(readSchemaText('{"type": "object"}').schema).toEqual({ type: 'object' })
  expect(readSchemaText('true').schema).toBe(true)
  const read = readSchemaText('type: object\nproperties:\n  a~b:\n    enum: [x, 1]\n')
  expect(read.schema).toEqual({ type: 'object', properties: { 'a~b': { enum: ['x', 1] } } })
  expect(read.rangeOf('/properties/a~0b/enum/1')).toEqual({
    start: { line: 3, character: 14 },
    end: { line: 3, character: 15 },
  })
  expect(read.rangeOf('/properties/none/deeper').start).toEqual({ line: 2, character: 2 })
  const error = new SvcError('primitive-schema-invalid', {
    primitive: 'x',
    reason: 'y',
    errors: [{ pointer: '/type', message: 'wrong' }],
  })
  expect(refusedAt(error, read)).toEqual([
    { message: 'wrong', range: { start: { line: 0, character: 6 }, end: { line: 0, character: 12 } } },
  ])
  expect(refusedAt(new Error('other'), read)).toEqual([])
  for (const text of ['[1]', '3', '', 'a: &a [*a]\n', 'a: .inf\n'])
    expect([text, readSchemaText(text).schema]).toEqual([text, null])
  const broken = readSchemaText('{\n  "a": ]\n')
  expect([broken.schema, broken.problems[0]?.range.start.line]).toEqual([null, 1])
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'
      .split('')
      .map((it, at) => `${it}: &${it} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[at]}`).join(',')}]`),
  ]
  expect(readSchemaText(bomb.join('\n')).problems.map(({ message }) => message)).toEqual([
    'Excessive alias count indicates a resource exhaustion attack',
  ])
  expect(readSchemaText(' '.repeat(1024 * 1024 + 1)).problems.map(({ message }) => message)).toEqual([
    'The text is longer than a schema may be.',
  ])
  expect(readSchemaText(`{}${' '.repeat(1024 * 1024 - 2)}`).schema).toEqual({})
  expect(broken.problems.map(({ message }) => message.includes('\n'))).toEqual(broken.problems.map(() => false))
  const start = { line: 0, character: 0 }
  expect(readSchemaText('{"": 1}').rangeOf('')).toEqual({ start, end: { line: 0, character: 7 } })
  expect(readSchemaText('{a}').rangeOf('/a')).toEqual({
    start: { line: 0, character: 1 },
    end: { line: 0, character: 2 },
  })
  expect(readSchemaText('{a}').rangeOf('/a/b')).toEqual(readSchemaText('{a}').rangeOf('/a'))
  expect(refusedAt(new SvcError('version-exists', { version: '1' } as never), read)).toEqual([])
})

test('what a comparison says follows from its verdict and its counterexample', () => {
  const of = (more: Partial<Parameters<typeof verdictOf>[0]>) =>
    verdictOf(
      { verdict: 'safe', severity: null, total: 1, counts: {}, witness: null, ...more },
      'revision 1',
      'revision 2',
    )
  expect(of({ total: 0 }).title).toBe('No changes')
  expect(of({ severity: 'docs-only' }).title).toBe('1 documentation change')
  expect(of({ severity: 'non-breaking' })).toMatchObject({ title: 'No breaking changes', tone: 'ok' })
  for (const witness of [null, 'x', {}])
    expect(of({ verdict: 'breaking', severity: 'breaking', witness }).words).toBe(
      'revision 1 and revision 2 allow different values.',
    )
  expect(of({ verdict: 'unknown', severity: 'breaking' }).tone).toBe('warn')
  const breaking = { verdict: 'breaking', severity: 'breaking', counts: { breaking: 2 } } as const
  expect(of({ ...breaking, witness: { value: 1, acceptedBy: 'base', reason: '' } })).toEqual({
    title: '2 breaking changes',
    words: 'Values that revision 1 allows are rejected by revision 2: clients that send such values fail.',
    tone: 'danger',
  })
  expect(of({ ...breaking, witness: { value: 1, acceptedBy: 'head', reason: '' } }).words).toStartWith(
    'Values that revision 2 allows were not allowed',
  )
})

test('an impact is one sentence, and only changes of texts are saved without it', () => {
  const of = (counts: object, primitives: readonly [direct: number, transitive: number] = [0, 0]) =>
    impactWords({
      primitive: 'svc:a/B',
      revision: 1,
      verdict: 'safe',
      change: null,
      direct: { primitives: primitives[0], versions: 0 },
      transitive: { primitives: primitives[1], versions: 0 },
      counts: { versions: 0, breaking: 0, unknown: 0, safe: 0, ...counts },
      versions: [],
      primitives: [],
      not_considered: [],
    })
  expect(of({})).toBe('No version of a project uses this type.')
  expect(of({}, [1, 1])).toBe('No version of a project uses this type. 2 types use it.')
  expect(of({ versions: 6, breaking: 1, unknown: 2, safe: 3 }, [1, 0])).toBe(
    'The change breaks 1 version, could not be decided for 2 versions, is safe for 3 versions. 1 type uses it.',
  )
  expect(directionWords({ directions: ['request', 'response'], direct: false })).toBe(
    'receives it and sends it, through other types',
  )
  expect(directionWords({ directions: [], direct: true })).toBe('')
  expect([
    needsLook({ verdict: 'safe', severity: 'docs-only' }),
    needsLook({ verdict: 'safe', severity: null }),
  ]).toEqual([false, false])
  expect(needsLook({ verdict: 'unknown', severity: 'breaking' })).toBe(true)
  expect([hasEnded({ status: 'running' }), hasEnded({ status: 'failed' })]).toEqual([false, true])
  expect(isJob({ job_id: 'j' } as Parameters<typeof isJob>[0])).toBe(true)
})

test('sources, tags, scopes and references are read and written', () => {
  expect(guessKind('openapi: 3.1.0\n')).toBe('openapi')
  expect(guessKind('{"swagger": "2.0"}')).toBe('openapi')
  expect(guessKind('{"types": {"A": {}}}')).toBe('type-def-bundle')
  expect(guessKind('namespace: a\ntypes:\n  A: {}\n')).toBe('type-def-bundle')
  expect(guessKind('{"properties": {"types": {}}}')).toBe('json-schema')
  expect([readMethod('git'), readMethod('ftp'), readMethod(undefined)]).toEqual(['git', 'file', 'file'])
  expect(readTags(' a, b,,a ')).toEqual(['a', 'b'])
  expect(writeTags(['a', 'b'])).toBe('a, b')
  expect([readScope('core'), readScope('all'), readScope(undefined)]).toEqual(['core', null, null])
  expect([isBuiltin({ scope: 'core' }), isBuiltin({ scope: 'tenant' })]).toEqual([true, false])
  expect(pinnedRef({ ref: 'svc:a/B' }, 2)).toBe('svc:a/B@2')
  expect(typeUrl('https://svc.test', 'acme', { ref: 'svc:a/b/C%25' })).toBe('https://svc.test/v1/types/acme/a/b/C%25')
})
