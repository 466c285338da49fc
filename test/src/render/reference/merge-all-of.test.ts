import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../../../src/kernel/json.ts'
import { mergeAllOf } from '../../../../src/render/reference/merge-all-of.ts'
import { viewSchema } from '../../../../src/render/reference/schema-view.ts'

const schemas: JsonObject = {
  Ticket: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, price: { type: 'number' } } },
  Dated: { type: 'object', properties: { date: { type: 'string', format: 'date' } }, required: ['date'] },
  Closed: { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false },
  Either: { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  Loop: { allOf: [{ $ref: '#/components/schemas/Loop' }, { properties: { inner: { type: 'string' } } }] },
  Day: { type: 'string', format: 'date' },
}
const named = (ref: string) => {
  const name = ref.replace('#/components/schemas/', '')
  const schema = schemas[name]
  return schema === undefined ? null : { name, schema }
}
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

test('the objects of an allOf are one object with the properties and required names of all', () => {
  expect(
    mergeAllOf({ allOf: [ref('Ticket'), ref('Dated')], required: ['note'], properties: { note: {} } }, named),
  ).toEqual({
    names: ['Ticket', 'Dated'],
    schema: {
      type: 'object',
      required: ['id', 'date', 'note'],
      properties: {
        id: { type: 'string' },
        price: { type: 'number' },
        date: { type: 'string', format: 'date' },
        note: {},
      },
    },
  })
})

test('a property of two parts must be valid under both', () => {
  const parts = [{ properties: { id: { minLength: 1 } } }, { properties: { id: { maxLength: 9 } } }]
  expect(mergeAllOf({ allOf: parts }, named)?.schema.properties).toEqual({
    id: { allOf: [{ minLength: 1 }, { maxLength: 9 }] },
  })
})

test('a part that says more than properties stays a part, and nothing changes where all of them do', () => {
  expect(mergeAllOf({ allOf: [ref('Ticket'), ref('Closed'), ref('Either')] }, named)).toEqual({
    names: ['Ticket'],
    schema: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, price: { type: 'number' } },
      allOf: [ref('Closed'), ref('Either')],
    },
  })
  expect(mergeAllOf({ allOf: [ref('Day')], description: 'When.' }, named)).toBeNull()
  expect(mergeAllOf({ allOf: [ref('Closed'), ref('Missing')] }, named)).toBeNull()
  expect(mergeAllOf({ type: 'string', allOf: [ref('Ticket')] }, named)).toBeNull()
})

test('a schema that contains itself ends', () => {
  expect(mergeAllOf(ref('Loop'), named)).toBeNull()
  expect(mergeAllOf({ allOf: [ref('Loop')] }, named)).toEqual({
    names: ['Loop'],
    schema: { type: 'object', properties: { inner: { type: 'string' } }, required: [] },
  })
})

test('the view of it lists the fields, and names what they come from', () => {
  const view = viewSchema({ allOf: [ref('Ticket'), ref('Dated')] }, { left: 100, schemas })
  expect(view.type).toEqual(['object: ', { schema: 'Ticket' }, ' and ', { schema: 'Dated' }])
  expect(view.members.map(({ name, required }) => [name, required])).toEqual([
    ['id', true],
    ['price', false],
    ['date', true],
  ])
  expect(view.isMerged).toBe(true)
})

test('no property and no required name is lost or added, however the parts are nested', () => {
  const property = fc.constantFrom('a', 'b', 'c', 'd')
  const level = (parts: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
    fc.record({
      properties: fc.dictionary(property, fc.constantFrom<Json>({ type: 'string' }, { type: 'integer' }), {
        maxKeys: 3,
      }),
      required: fc.uniqueArray(property, { maxLength: 3 }),
      allOf: fc.array(parts, { maxLength: 2 }),
    }) as fc.Arbitrary<JsonObject>
  const object = level(level(level(fc.constant({ properties: {}, required: [], allOf: [] }))))
  const namesOf = (schema: JsonObject, key: 'properties' | 'required'): string[] => [
    ...(key === 'properties' ? Object.keys(schema.properties as JsonObject) : (schema.required as string[])),
    ...(schema.allOf as JsonObject[]).flatMap((it) => namesOf(it, key)),
  ]
  fc.assert(
    fc.property(object, (schema) => {
      const merged = mergeAllOf(schema, named)
      if (merged === null) return
      expect(Object.keys(merged.schema.properties as JsonObject).toSorted()).toEqual(
        [...new Set(namesOf(schema, 'properties'))].toSorted(),
      )
      expect((merged.schema.required as string[]).toSorted()).toEqual(
        [...new Set(namesOf(schema, 'required'))].toSorted(),
      )
    }),
  )
})
