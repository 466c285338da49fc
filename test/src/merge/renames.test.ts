import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { mergeDocuments } from '../../../src/merge/merge.ts'

const hours = { type: 'string', pattern: '^\\d\\d:\\d\\d$', description: 'Time the museum closes.' }

const museum = (name: string, value: Json = hours) => ({
  openapi: '3.1.0',
  info: { title: 'Museum', version: '1.0.0' },
  paths: {},
  components: {
    schemas: {
      Hours: { type: 'object', required: ['date', name], properties: { date: { type: 'string' }, [name]: value } },
    },
  },
})

const at = (name: string) => `/components/schemas/Hours/properties/${name}`

test('two names of one property are one conflict, and the merge has one of them', () => {
  const [base, mine, theirs] = [museum('timeClose'), museum('closesAt'), museum('closingTime')]
  const id = `${at('timeClose')} (name)`
  const conflict = {
    id,
    pointer: at('closesAt'),
    pointers: { base: at('timeClose'), mine: at('closesAt'), theirs: at('closingTime') },
    subject: 'schema Hours',
    base: { timeClose: hours },
    mine: { closesAt: hours },
    theirs: { closingTime: hours },
    reason: '"timeClose" is named "closesAt" on one side and "closingTime" on the other',
  }
  expect(mergeDocuments(base, mine, theirs)).toEqual({ state: 'conflicts', document: mine, conflicts: [conflict] })
  expect(mergeDocuments(base, mine, theirs, { theirs: [id] })).toEqual({
    state: 'conflicts',
    document: theirs,
    conflicts: [conflict],
  })
})

test('properties that differ from others by little are told by what the other side renamed', () => {
  const whole = { type: 'integer' }
  const [base, mine, theirs] = [museum('a', whole), museum('b', whole), museum('c', whole)]
  const merged = mergeDocuments(base, mine, theirs)
  expect([merged.document, merged.conflicts.map(({ id }) => id)]).toEqual([mine, [`${at('a')} (name)`]])
})

test('an edit of what the other side renamed is made under the new name', () => {
  const longer = { ...hours, description: 'Local time the museum closes.' }
  expect(mergeDocuments(museum('timeClose'), museum('closesAt'), museum('timeClose', longer))).toEqual({
    state: 'clean',
    document: museum('closesAt', longer),
    conflicts: [],
  })
})

test('what one side renamed and the other removed is a conflict', () => {
  const base = museum('timeClose')
  const removed = {
    ...base,
    components: {
      schemas: { Hours: { type: 'object', required: ['date'], properties: { date: { type: 'string' } } } },
    },
  }
  const id = `${at('timeClose')} (name)`
  const mine = mergeDocuments(base, museum('closesAt'), removed)
  expect([mine.document, mine.conflicts.map((it) => [it.id, it.reason, it.theirs])]).toEqual([
    {
      ...base,
      components: {
        schemas: {
          Hours: {
            type: 'object',
            required: ['date', 'closesAt'],
            properties: { date: { type: 'string' }, closesAt: hours },
          },
        },
      },
    },
    [[id, '"timeClose" is named "closesAt" on one side and removed on the other', null]],
  ])
  expect(mergeDocuments(base, museum('closesAt'), removed, { all: 'theirs' }).document).toEqual(removed)
})

test('what one side removed and the other gave a new name inside is a conflict', () => {
  const api = (name: string): JsonObject => ({
    components: { schemas: { Other: {}, ...museum(name).components.schemas } },
  })
  const base = api('timeClose')
  const removed = { components: { schemas: { Other: {} } } }
  const conflict = {
    id: '/components/schemas/Hours',
    subject: 'schema Hours',
    mine: museum('closesAt').components.schemas.Hours,
    theirs: null,
  }
  expect(mergeDocuments(base, api('closesAt'), removed)).toMatchObject({
    state: 'conflicts',
    document: api('closesAt'),
    conflicts: [conflict],
  })
  expect(mergeDocuments(base, api('closesAt'), removed, { all: 'theirs' }).document).toEqual(removed)
  expect(mergeDocuments(base, removed, api('closesAt'), { all: 'theirs' }).document).toEqual(api('closesAt'))
  expect(mergeDocuments(base, removed, api('closesAt'))).toMatchObject({
    document: removed,
    conflicts: [{ ...conflict, mine: null, theirs: conflict.mine }],
  })
})

test('a name that the other side gave to something else is a conflict, and either side can be taken', () => {
  const base = museum('timeClose')
  const added = structuredClone(base)
  const { properties } = added.components.schemas.Hours
  Object.assign(properties, { closesAt: { type: 'integer' } })
  const merged = mergeDocuments(base, museum('closesAt'), added)
  expect([merged.document, merged.conflicts.map(({ reason }) => reason)]).toEqual([
    museum('closesAt'),
    ['"timeClose" is named "closesAt" on one side, and the other one has something else of that name'],
  ])
  expect(mergeDocuments(base, museum('closesAt'), added, { all: 'theirs' }).document).toEqual(added)
})

test('references to a schema follow its new name, also those that the other side added', () => {
  const api = (name: string, more: JsonObject = {}): JsonObject => ({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.0.0' },
    paths: {
      '/pets': { get: { responses: { '200': { description: 'ok', ...content(name) } } } },
      ...more,
    },
    components: {
      schemas: {
        [name]: {
          type: 'object',
          properties: { id: { type: 'string' }, next: { $ref: `#/components/schemas/${name}` } },
        },
      },
    },
  })
  const content = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  })
  const owners = (name: string) => ({
    '/owners': { get: { responses: { '200': { description: 'ok', ...content(name) } } } },
  })
  expect(mergeDocuments(api('Pet'), api('Animal'), api('Pet', owners('Pet')))).toEqual({
    state: 'clean',
    document: api('Animal', owners('Animal')),
    conflicts: [],
  })
})

test('a query parameter that both renamed is one conflict', () => {
  const api = (name: string): Json => ({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.0.0' },
    paths: {
      '/pets': {
        get: {
          parameters: [
            { name: 'tag', in: 'query', schema: { type: 'string' } },
            { name, in: 'query', schema: { type: 'integer', maximum: 50 } },
          ],
          responses: { '200': { description: 'ok' } },
        },
      },
    },
  })
  const merged = mergeDocuments(api('limit'), api('size'), api('pageSize'))
  expect([merged.document, merged.conflicts.map(({ pointer, reason }) => [pointer, reason])]).toEqual([
    api('size'),
    [['/paths/~1pets/get/parameters/1', '"limit" is named "size" on one side and "pageSize" on the other']],
  ])
  expect(mergeDocuments(api('limit'), api('size'), api('pageSize'), { all: 'theirs' }).document).toEqual(
    api('pageSize'),
  )
})

test('a path with other parameters and values of users are not renamed', () => {
  const api = (path: string, summary: string, example: JsonObject): Json => ({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.0.0' },
    paths: { [path]: { get: { summary, operationId: 'get', responses: { '200': { description: 'ok' } } } } },
    components: { schemas: { Pet: { type: 'object', example: { properties: example } } } },
  })
  const value = { b: 1, c: 2 }
  const merged = mergeDocuments(
    api('/pets/{id}', 'One', { a: value }),
    api('/pets/{pet}', 'One', { x: value }),
    api('/pets/{id}', 'A pet', { a: value, z: 1 }),
  )
  expect([merged.document, merged.conflicts.map(({ id }) => id)]).toEqual([
    api('/pets/{pet}', 'One', { x: value, z: 1 }),
    ['/paths/~1pets~1{id}'],
  ])
})

/** A property that can be told from others whatever it is called, by what its `format` says. */
interface Property {
  readonly id: number
  readonly name: string
  readonly description: number
  readonly maxLength: number
  readonly required: boolean
}
type Edit =
  | { readonly kind: 'rename'; readonly of: number; readonly to: number }
  | { readonly kind: 'remove'; readonly of: number }
  | { readonly kind: 'describe' | 'limit'; readonly of: number; readonly to: number }
  | { readonly kind: 'require'; readonly of: number }
  | { readonly kind: 'add'; readonly to: number }

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('rename' as const), of: fc.nat(4), to: fc.nat(7) }),
  fc.record({ kind: fc.constant('remove' as const), of: fc.nat(4) }),
  fc.record({ kind: fc.constantFrom('describe' as const, 'limit' as const), of: fc.nat(4), to: fc.nat(3) }),
  fc.record({ kind: fc.constant('require' as const), of: fc.nat(4) }),
  fc.record({ kind: fc.constant('add' as const), to: fc.nat(7) }),
)

const began: readonly Property[] = [0, 1, 2, 3, 4].map((id) => ({
  id,
  name: `p${id}`,
  description: 9,
  maxLength: 9,
  required: id < 3,
}))

function edited(edits: readonly Edit[], side: number): readonly Property[] {
  return edits.reduce<readonly Property[]>((all, edit) => {
    const isFree = (name: string): boolean => all.every((it) => it.name !== name)
    if (edit.kind === 'add') {
      const name = `n${edit.to}`
      const id = 10 * (side + 1) + edit.to
      return isFree(name) ? [...all, { id, name, description: 1, maxLength: 1, required: false }] : all
    }
    if (edit.kind === 'remove') return all.filter(({ id }) => id !== edit.of)
    return all.map((property) => {
      if (property.id !== edit.of) return property
      if (edit.kind === 'require') return { ...property, required: !property.required }
      if (edit.kind === 'rename') return isFree(`n${edit.to}`) ? { ...property, name: `n${edit.to}` } : property
      return edit.kind === 'describe' ? { ...property, description: edit.to } : { ...property, maxLength: edit.to }
    })
  }, began)
}

const written = (all: readonly Property[]): Json => ({
  openapi: '3.1.0',
  info: { title: 'Any', version: '1.0.0' },
  paths: {},
  components: {
    schemas: {
      It: {
        type: 'object',
        required: all.filter(({ required }) => required).map(({ name }) => name),
        properties: Object.fromEntries(
          all.map(({ id, name, description, maxLength }) => [
            name,
            { type: 'string', format: `id-${id}`, 'x-id': id, description: `text ${description}`, maxLength },
          ]),
        ),
      },
    },
  },
})

/** Reads back what `written` wrote. */
function readBack(document: Json): readonly Property[] {
  const { required, properties } = (
    document as unknown as {
      components: {
        schemas: { It: { required: string[]; properties: Record<string, Record<string, string | number>> } }
      }
    }
  ).components.schemas.It
  expect(required.filter((name) => !Object.hasOwn(properties, name))).toEqual([])
  return Object.entries(properties).map(([name, it]) => ({
    id: Number(it['x-id']),
    name,
    description: Number(String(it.description).split(' ')[1]),
    maxLength: Number(it.maxLength),
    required: required.includes(name),
  }))
}

test('of three random versions a merge has each thing once, and each of its values as one side has it', () => {
  const words = ['name', 'description', 'maxLength', 'required'] as const
  fc.assert(
    fc.property(
      fc.array(anyEdit, { maxLength: 6 }),
      fc.array(anyEdit, { maxLength: 6 }),
      fc.constantFrom('mine' as const, 'theirs' as const),
      (left, right, all) => {
        const [mine, theirs] = [edited(left, 0), edited(right, 1)]
        const merged = mergeDocuments(written(began), written(mine), written(theirs), { all })
        const result = readBack(merged.document)
        expect(new Set(result.map(({ id }) => id)).size).toBe(result.length)
        for (const it of result) {
          const sides = [mine, theirs].flatMap((side) => side.filter(({ id }) => id === it.id))
          for (const word of words) expect(sides.map((side) => side[word])).toContain(it[word])
        }
        // Without a conflict nothing that a side did is lost.
        if (merged.conflicts.length > 0) return
        for (const [side, other] of [
          [mine, theirs],
          [theirs, mine],
        ] as const)
          for (const it of side) {
            const before = began.find(({ id }) => id === it.id)
            const after = result.find(({ id }) => id === it.id)
            if (before === undefined) expect(after).toEqual(it)
            else if (other.some(({ id }) => id === it.id))
              for (const word of words) if (it[word] !== before[word]) expect(after?.[word]).toBe(it[word])
          }
      },
    ),
    { numRuns: 3000, seed: 39 },
  )
})
