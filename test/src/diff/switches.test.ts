/** Switches of the profiles whose default can be argued about. */
import { describe, expect, test } from 'bun:test'
import type { ProfileName } from '../../../src/diff/profile.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { changesOf, withOperation } from './changes-of.ts'

type Fields = { readonly [key: string]: Json }

const property = (schema: Json): Fields => ({ type: 'object', properties: { a: schema } })

describe('a stance that can be argued about is a switch', () => {
  const severityOf = (base: Fields, head: Fields, profile: ProfileName): string => {
    const changes = changesOf(withOperation({ responses: base }), withOperation({ responses: head }), profile)
    return changes.some((it) => it.severity === 'breaking') ? 'breaking' : 'non-breaking'
  }
  const answer = (schema: Json): Json => ({ description: 'ok', content: { 'application/json': { schema } } })
  const cat = property({ type: 'string' })
  const dog = { type: 'object', properties: { b: { type: 'string' } } }
  const both: Json = {
    oneOf: [
      { ...cat, required: ['a'] },
      { ...dog, required: ['b'] },
    ],
  }
  const narrowed: Json = {
    oneOf: [
      { ...cat, required: ['a'] },
      { ...dog, required: ['b'], maxProperties: 1 },
    ],
  }

  // {"a": "", "b": ""} fits two branches of the base and one of the head, but the service sends an object of one branch.
  test.each([
    ['standard', 'non-breaking'],
    ['lenient', 'non-breaking'],
    ['strict', 'breaking'],
  ] as const)('response-choice-narrowed in %s', (profile, severity) => {
    expect(severityOf({ '200': answer(both) }, { '200': answer(narrowed) }, profile)).toBe(severity)
  })

  test.each([
    ['standard', 'breaking'],
    ['strict', 'breaking'],
    ['lenient', 'non-breaking'],
  ] as const)('response-status-widened in %s', (profile, severity) => {
    expect(severityOf({ '200': answer(cat) }, { '2XX': answer(cat) }, profile)).toBe(severity)
    expect(severityOf({ '200': answer(cat) }, { default: answer(cat) }, profile)).toBe(severity)
    expect(severityOf({ '200': answer(cat) }, { '201': answer(cat) }, profile)).toBe('breaking')
  })
})
