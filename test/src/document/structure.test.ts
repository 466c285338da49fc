import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type Json, type JsonObject } from '../../../src/document/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { validateStructure } from '../../../src/document/validate/structure.ts'

const folder = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
const read = (name: string) => parseDocument(readFileSync(join(folder, name), 'utf8'), { source: name })

// The verdict of the official schemas. References are taken out first: that validator resolves them, ours does not.
const validator = new Validator()
const official = async (value: JsonObject): Promise<{ readonly valid: boolean; readonly why: string }> => {
  const { valid, errors } = await validator.validate(structuredClone(value))
  const why =
    typeof errors === 'string' ? errors : JSON.stringify(errors?.map((one) => `${one.instancePath} ${one.message}`))
  return { valid: valid || why.includes('resolve'), why }
}

const problems = (value: Json) =>
  validateStructure(parseDocument(JSON.stringify(value), { source: 'a.json' })).map(
    ({ path, message }) => `${path.join('/')}: ${message}`,
  )

// Booleans as exclusive bounds are no JSON Schema 2020-12; the official schema of 3.1 leaves schemas to a second one.
const badSchemas = /^3\.1\/.*\/schema-validation-(?:local|top-level)\./

describe('real documents get the verdict of the official schemas', () => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (/^[23].*\.(json|yaml)$/.test(name))
      test(name, async () => {
        const document = read(name)
        if (!isObject(document.value)) return
        const found = validateStructure(document)
        if (badSchemas.test(name))
          expect(new Set(found.map(({ path }) => path.at(-1)))).toEqual(
            new Set(['exclusiveMinimum', 'exclusiveMaximum']),
          )
        else expect(found.length === 0).toBe((await official(document.value)).valid)
      })
})

const samples = [
  '2.0/json/petstore.json',
  '3.0/json/petstore.json',
  '3.0/json/security.json',
  '3.0/json/callbacks.json',
  '3.0/json/parameters-style.json',
].filter((name) => {
  try {
    readFileSync(join(folder, name))
    return true
  } catch {
    return false
  }
})

test.each(samples)('damage to %s is seen as the official schemas see it', async (name) => {
  const whole = read(name).value
  const mutate = (value: Json, picks: Iterator<number>, action: number): Json => {
    const next = () => picks.next().value ?? 0
    if (typeof value !== 'object' || value === null) return [null, 7, 'text', true, [], {}][action % 6] as Json
    const keys = Object.keys(value)
    const key = keys[next() % Math.max(1, keys.length)]
    if (key === undefined) return { unknown: 1 }
    const stop = next() % 4 === 0
    if (Array.isArray(value)) {
      if (stop) return action % 2 === 0 ? [] : [...(value as Json[]), value[0] as Json]
      return (value as Json[]).map((item, index) => (String(index) === key ? mutate(item, picks, action) : item))
    }
    const map = value as { readonly [key: string]: Json }
    if (stop) {
      if (action % 3 === 0) return Object.fromEntries(Object.entries(map).filter(([one]) => one !== key))
      if (action % 3 === 1)
        return Object.fromEntries(Object.entries(map).map(([one, child]) => [one === key ? `${one}Z` : one, child]))
      return { ...map, unknown: 1 }
    }
    return { ...map, [key]: mutate(map[key] as Json, picks, action) }
  }
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat(997)), fc.nat(5), async (picks, action) => {
      const value = mutate(whole, picks, action)
      // A mark of version that is gone or spoilt makes it another kind of document.
      if (!isObject(value) || !/^(?:3\.0\.\d|2\.0)$/.test(String(value.openapi ?? value.swagger))) return
      const found = problems(value)
      const { valid, why } = await official(value)
      expect(valid ? found : found.length === 0 ? [why] : []).toEqual([])
    }),
    { numRuns: 300 },
  )
})
