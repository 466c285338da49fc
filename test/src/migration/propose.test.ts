import { expect, test } from 'bun:test'
import { proposeMigrations } from '../../../src/migration/propose.ts'
import { documentOf } from '../contracts/documents.ts'

const text = { type: 'string' }
const classes = (schemas: Record<string, unknown>) =>
  documentOf({ openapi: '3.1.0', info: {}, paths: {}, components: { schemas } })
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties })

const between = (before: Record<string, unknown>, after: Record<string, unknown>): string[] => {
  const proposals = proposeMigrations(classes({ Order: object(before) }), classes({ Order: object(after) }))
  return (proposals.get('Order') ?? []).map(({ key, rule }) =>
    `${key} ${rule.kind} ${rule.target_properties.join('+')}`.trim(),
  )
}

test('what is renamed, split, merged, changed and gone', () => {
  expect(between({ customerId: text }, { customer_id: text })).toEqual([
    'migration-edge-prop-customerId rename customer_id',
  ])
  expect(between({ total: { type: 'string' } }, { total: { type: 'number' } })).toEqual([
    'migration-edge-prop-total type-change total',
  ])
  expect(between({ name: text }, { first_name: text, last_name: text })).toEqual([
    'migration-edge-prop-name split first_name+last_name',
  ])
  expect(between({ firstName: text, lastName: text }, { name: text })).toEqual([
    'migration-edge-prop-firstName merge name',
    'migration-edge-prop-lastName merge name',
  ])
  expect(between({ zip: text }, { zip: { ...text, description: 'Postal code' } })).toEqual([])
  expect(between({ legacy: { type: 'boolean' }, id: text }, { id: text, weight: { type: 'number' } })).toEqual([
    'migration-edge-prop-legacy drop',
  ])
})

test('one property that went and one with the same values that came are one', () => {
  expect(between({ sku: { ...text, pattern: '^[A-Z]+$' } }, { article: { ...text, pattern: '^[A-Z]+$' } })).toEqual([
    'migration-edge-prop-sku rename article',
  ])
  expect(between({ sku: text }, { count: { type: 'integer' } })).toEqual(['migration-edge-prop-sku drop'])
})

test('properties are found through references and allOf; classes of one side alone have no rules', () => {
  const base = { Base: object({ id: text }) }
  const before = classes({
    ...base,
    Order: { allOf: [{ $ref: '#/components/schemas/Base' }, object({ note: text })] },
    Old: object({ a: text }),
  })
  const after = classes({
    ...base,
    Order: { allOf: [{ $ref: '#/components/schemas/Base' }, object({ notes: text })] },
    New: object({ a: text }),
  })
  const proposals = proposeMigrations(before, after)
  expect([...proposals.keys()]).toEqual(['Order'])
  expect(proposals.get('Order')?.map((it) => it.key)).toEqual(['migration-edge-prop-note'])
})
