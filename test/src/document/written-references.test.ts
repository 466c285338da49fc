import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseDocument } from '../../../src/document/parse.ts'
import { findOddities } from '../../../src/document/value-check.ts'
import { writtenReferences } from '../../../src/document/written-references.ts'
import type { Json } from '../../../src/kernel/json.ts'

/** Every text under the key "$ref" below a value. */
function refsIn(value: Json, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, child] of Object.entries(value)) {
    if (!Array.isArray(value) && key === '$ref' && typeof child === 'string') found.add(child)
    refsIn(child, found)
  }
  return found
}

/** A value and every object below it. */
function* objectsIn(value: Json): Generator<object> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const child of Object.values(value)) yield* objectsIn(child)
}

const values = fc.letrec<{ value: Json; map: Json }>((tie) => ({
  map: fc.dictionary(fc.constantFrom('$ref', 'a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>('#/a', '#/b', '#/c', 'x.json', null, 1),
    tie('map'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}))

test('what reading a document gathers of references is what a walk through each of its parts finds', () => {
  fc.assert(
    fc.property(values.map, (value) => {
      findOddities(value, false)
      for (const object of objectsIn(value))
        expect([...writtenReferences(object)].toSorted()).toEqual([...refsIn(object as Json)].toSorted())
    }),
  )
})

test('a part that aliases share has its references wherever it is', () => {
  const text = 'a: &it { x: { y: { $ref: "#/b" } } }\nb: { z: *it }\nc: [*it]\n'
  const { value } = parseDocument(text, { source: 'a.yaml' })
  for (const key of ['a', 'b', 'c'])
    expect([...writtenReferences((value as Record<string, object>)[key]!)]).toEqual(['#/b'])
})
