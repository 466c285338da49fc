import { expect, test } from 'bun:test'
import type { Json } from '../../../../src/kernel/json.ts'
import { parseDocument } from '../../../../src/document/parse.ts'
import { validate } from '../../../../src/schema/validate.ts'
import { builtinByKey, builtinTypes } from '../../../../src/types/builtin/builtin.ts'
import { countryCodes, countryCodes3, currencyCodes, languageCodes } from '../../../../src/types/builtin/codes.ts'
import { embedTypes } from '../../../../src/types/compare.ts'
import { inspectSchema } from '../../../../src/types/inspect.ts'
import { nameProblem, namespaceProblem } from '../../../../src/kernel/type-ref.ts'
import { core } from './core.ts'
import { objects } from './objects.ts'
import { texts } from './texts.ts'

const instances = [...texts, ...objects, ...core]
const registry = new Map<string, Json>(builtinTypes().map(({ ref, schema }) => [ref, schema]))

test('every type that comes with svc has instances here', () => {
  expect(instances.map(([ref]) => `svc:${ref}`).toSorted()).toEqual(
    builtinTypes()
      .map(({ ref }) => ref)
      .toSorted(),
  )
})

test.each(instances.map((it) => [it[0], it] as const))(
  '%s accepts what its standard allows and nothing else',
  (_, [ref, valid, invalid]) => {
    const type = builtinByKey(`svc:${ref}`)
    const schema = embedTypes(type?.schema ?? false, registry)
    expect([valid.length >= 3, invalid.length >= 3]).toEqual([true, true])
    const accepts = (value: Json): boolean => validate(schema, value).length === 0
    expect(valid.filter((value) => !accepts(value))).toEqual([])
    expect(invalid.filter(accepts)).toEqual([])
  },
)

test.each(builtinTypes().map((it) => [it.ref, it] as const))(
  '%s is a valid schema whose references are found',
  (_, type) => {
    const { schema, keys, namespace, name, description } = type
    const document = parseDocument(JSON.stringify(schema), { source: 'type.json' })
    expect(inspectSchema(document, schema)).toEqual({ draft: '2020-12', schemaId: null, errors: [] })
    expect(keys.filter(({ key }) => key === null || !registry.has(key))).toEqual([])
    expect([namespaceProblem(namespace), nameProblem(name), description.endsWith('.')]).toEqual([null, null, true])
  },
)

test('code lists are sorted, and the runtime knows their codes', () => {
  for (const codes of [currencyCodes, languageCodes, countryCodes]) {
    expect(codes).toEqual(codes.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(new Set(codes).size).toBe(codes.length)
  }
  const known = new Set(Intl.supportedValuesOf('currency'))
  expect(currencyCodes.filter((code) => !known.has(code))).toEqual([])
  const named = (type: 'region' | 'language', codes: readonly string[]) => {
    const names = new Intl.DisplayNames('en', { type })
    return codes.filter((code) => names.of(code) === code)
  }
  expect(named('region', countryCodes)).toEqual([])
  expect(named('language', languageCodes)).toEqual([])
  expect([countryCodes.length, countryCodes3.length, new Set(countryCodes3).size]).toEqual([249, 249, 249])
})
