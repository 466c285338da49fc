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

test('schemas tell what names do not', () => {
  const zip = { ...text, pattern: String.raw`^\d{5}$` }
  const noise = { a: { type: 'boolean' }, b: text }
  const fresh = { c: { type: 'number' }, d: text }
  expect(between({ zip, ...noise }, { postalCode: zip, ...fresh })).toContain(
    'migration-edge-prop-zip rename postalCode',
  )
  const place = (...names: string[]) => object(Object.fromEntries(names.map((name) => [name, text])))
  expect(
    between({ addr: place('street', 'city', 'zip') }, { location: place('street', 'city', 'zip', 'country') }),
  ).toEqual(['migration-edge-prop-addr rename location'])
  // Two that say the same could be either.
  const date = { type: 'string', format: 'date' }
  expect(between({ alpha: date, beta: date }, { one: date, two: date })).toEqual([
    'migration-edge-prop-alpha drop',
    'migration-edge-prop-beta drop',
  ])
  expect(between({ colour: text, size: text }, { latitude: text, owner: text })).toEqual([
    'migration-edge-prop-colour drop',
    'migration-edge-prop-size drop',
  ])
})

test('what moves into an object and out of one', () => {
  expect(
    between({ street: text, city: text }, { address: object({ street: text, city: text, country: text }) }),
  ).toEqual(['migration-edge-prop-city rename address.city', 'migration-edge-prop-street rename address.street'])
  expect(between({ address: object({ street: text, city: text }) }, { street: text, city: text })).toEqual([
    'migration-edge-prop-address split city+street',
  ])
  expect(between({ name: text }, { full_name: text, owner: object({ name: text }) })).toEqual([
    'migration-edge-prop-name rename full_name',
  ])
})

test('a name that keeps its sense with another type, other items, another format, fewer values', () => {
  expect(between({ price: { type: 'number' } }, { priceCents: { type: 'integer' } })).toEqual([
    'migration-edge-prop-price rename priceCents',
  ])
  const list = (items: object) => ({ type: 'array', items })
  expect(between({ tags: list(text) }, { tags: list({ type: 'integer' }) })).toEqual([
    'migration-edge-prop-tags type-change tags',
  ])
  expect(between({ at: { ...text, format: 'date' } }, { at: { ...text, format: 'date-time' } })).toEqual([
    'migration-edge-prop-at type-change at',
  ])
  expect(between({ state: { enum: ['a', 'b'] } }, { state: { enum: ['a', 'c'] } })).toEqual([
    'migration-edge-prop-state type-change state',
  ])
  expect(between({ state: { enum: ['a'] } }, { state: { enum: ['a', 'c'] } })).toEqual([])
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
