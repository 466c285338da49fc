import { expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { Sharing } from '../../../src/document/sharing.ts'

const parse = (text: string): Json => JSON.parse(text) as Json
const everything = (): Sharing => new Sharing(() => false)

/** Every object and list of a value, each as often as it is met. */
const containersOf = (value: Json): readonly object[] =>
  typeof value !== 'object' || value === null ? [] : [value, ...Object.values(value).flatMap(containersOf)]

test('equal parts of one value and of several become one object', () => {
  const sharing = everything()
  const text = '{"a":{"type":"string","enum":["x","y"]},"b":[{"type":"string","enum":["x","y"]}]}'
  const [one, other] = [sharing.share(parse(text)), sharing.share(parse(text))] as [JsonObject, JsonObject]
  expect(one).toEqual(parse(text) as JsonObject)
  expect(other).toBe(one)
  expect(one.a).toBe((one.b as readonly Json[])[0])
  expect(new Set(containersOf(one)).size).toBe(4)
})

test('a value is not changed when its parts are shared', () => {
  const given = parse('[{"a":[1]},{"a":[1]}]') as readonly Json[]
  const shared = everything().share(given) as readonly Json[]
  expect(shared[0]).toBe(shared[1])
  expect(given[0]).not.toBe(given[1]!)
  expect(given).toEqual([{ a: [1] }, { a: [1] }])
})

test.each([
  ['the order of keys', '{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['the order of items', '[1,2]', '[2,1]'],
  ['a number and its text', '["1"]', '[1]'],
  ['true and its text', '[true]', '["true"]'],
  ['null and nothing', '[null]', '[]'],
  ['an empty list and an empty object', '[[]]', '[{}]'],
  ['zero and minus zero', '[0]', '[-0]'],
  ['one key and two', '{"a":{"b":1}}', '{"a":{},"b":1}'],
  ['a key that holds what another value ends with', '{"a":"b\\u0000","c":1}', '{"a":"b","\\u0000c":1}'],
])('%s: what differs stays apart', (_, a, b) => {
  const sharing = everything()
  const [one, other] = [sharing.share(parse(a)), sharing.share(parse(b))]
  expect(one).not.toBe(other)
  expect(JSON.stringify([one, other])).toBe(JSON.stringify([parse(a), parse(b)]))
})

test('a key named __proto__ is a key like others', () => {
  const text = '[{"__proto__":{"a":[1]}},{"__proto__":{"a":[1]}},{"a":[1]}]'
  const shared = everything().share(parse(text)) as readonly JsonObject[]
  expect(JSON.stringify(shared)).toBe(text)
  expect(shared[0]).toBe(shared[1])
  expect(Object.values(shared[0]!)[0]).toBe(shared[2])
})

test('what means something by its place is not shared, nor what holds it', () => {
  const sharing = new Sharing((value) => value.name !== undefined)
  const shared = sharing.share(
    parse('[[{"name":1,"a":[2]}],[{"name":1,"a":[2]}]]'),
  ) as readonly (readonly JsonObject[])[]
  const [[one], [other]] = shared as [[JsonObject], [JsonObject]]
  expect(one).not.toBe(other)
  expect(shared[0]).not.toBe(shared[1])
  expect(one.a).toBe(other.a)
})

test('objects down to a level stay objects of their own', () => {
  const text = '{"schemas":{"A":{"items":{"type":"string"}},"B":{"items":{"type":"string"}}}}'
  const { schemas } = everything().shareBelow(parse(text), 2) as { schemas: Record<'A' | 'B', JsonObject> }
  expect(schemas).toEqual((parse(text) as { schemas: typeof schemas }).schemas)
  expect(schemas.A).not.toBe(schemas.B)
  expect(schemas.A.items).toBe(schemas.B.items)
})

test('numbers that no double holds are kept', () => {
  const document = parseDocument('{"a":{"maximum":12345678901234567891},"b":{"maximum":12345678901234567892}}', {
    source: 'numbers.json',
  })
  const shared = everything().share(document.exactValue()) as Record<'a' | 'b', JsonObject>
  expect([String(shared.a.maximum), String(shared.b.maximum)]).toEqual(['12345678901234567891', '12345678901234567892'])
})
