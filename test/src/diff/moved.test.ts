/** What is written at another place of a schema is where it was. */
import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../src/kernel/json.ts'
import { changesOf, withRequest } from './changes-of.ts'

const severities = (base: Json, head: Json) => [...new Set(changesOf(base, head).map((it) => it.severity))]
const text = { type: 'string' }
const before: Json = { type: 'object', properties: { kind: text, a: text } }

describe('a property of a request that is declared under a condition', () => {
  const kept = { type: 'object', properties: { kind: text } } as const
  const places: Readonly<Record<string, Json>> = {
    then: { ...kept, if: { required: ['kind'] }, then: { properties: { a: text } } },
    else: { ...kept, if: { required: ['kind'] }, else: { properties: { a: text } } },
    dependentSchemas: { ...kept, dependentSchemas: { kind: { properties: { a: text } } } },
    oneOf: { ...kept, oneOf: [{ properties: { a: text } }] },
  }
  for (const [word, head] of Object.entries(places))
    test(word, () => {
      expect(severities(withRequest(before), withRequest(head))).not.toContain('breaking')
    })

  test('and one that is gone', () => {
    expect(severities(withRequest(before), withRequest(kept))).toEqual(['breaking'])
  })
})
