import { isExact } from '../../document/exact.ts'
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Resource } from '../../document/resource.ts'
import { canonical } from '../node.ts'
import { toPattern } from './pattern.ts'
import type { Evaluated } from './evaluated.ts'
import type { InstancePath, Run } from './run.ts'
import { plural } from '../../kernel/plural.ts'

/** The first pair of equal items. */
function findDuplicate(run: Run, value: readonly Json[]): [number, number] | null {
  const seen = new Map<Json, number>()
  const structures = new Map<string, number>()
  for (const [index, raw] of value.entries()) {
    const item = run.deref(raw)
    const isStructure = typeof item === 'object' && item !== null
    const twin = isStructure ? structures.get(canonical(item)) : seen.get(item)
    if (twin !== undefined) return [index, twin]
    if (isStructure) structures.set(canonical(item), index)
    else seen.set(item, index)
  }
  return null
}

function checkArraySize(run: Run, s: JsonObject, value: readonly Json[], place: InstancePath | null): boolean {
  const { maxItems, minItems } = s
  if (typeof maxItems === 'number' && value.length > maxItems)
    return run.fail(place, 'maxItems', `must NOT have more than ${plural(maxItems, 'item')}`, { limit: maxItems })
  if (typeof minItems === 'number' && value.length < minItems)
    return run.fail(place, 'minItems', `must NOT have fewer than ${plural(minItems, 'item')}`, { limit: minItems })
  if (s.uniqueItems !== true) return true
  const twins = findDuplicate(run, value)
  if (twins === null) return true
  const [i, j] = twins
  const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`
  return run.fail(place, 'uniqueItems', message, { i, j })
}

/** The schemas of the first items, and the schema of the others, whichever keywords the dialect has for them. */
function itemSchemas(run: Run, s: JsonObject): [readonly Json[], Json | undefined] {
  // A list of schemas means one thing only, also in a schema that does not say by which draft it was written.
  if (Array.isArray(s.items)) return [s.items, s.additionalItems]
  if (run.dialect === '2020-12') return [Array.isArray(s.prefixItems) ? s.prefixItems : [], s.items]
  return [[], s.items]
}

function checkContains(
  run: Run,
  s: JsonObject,
  value: readonly Json[],
  place: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
): boolean {
  if (s.contains === undefined || run.dialect === 'draft-04') return true
  const bounded = run.dialect === '2019-09' || run.dialect === '2020-12'
  const least = bounded && typeof s.minContains === 'number' ? s.minContains : 1
  const most = bounded && typeof s.maxContains === 'number' ? s.maxContains : Infinity
  run.targets.inversions++
  const { errors } = run
  run.errors = null
  let count = 0
  for (const [index, item] of value.entries()) {
    if (!run.check(s.contains, item, { up: place, key: index }, at, null)) continue
    count++
    if (run.dialect === '2020-12') into?.items.add(index)
  }
  run.errors = errors
  if (count >= least && count <= most) return true
  const most_ = most === Infinity ? null : most
  const bound = most_ === null ? `at least ${least}` : `at least ${least} and no more than ${most_}`
  return run.fail(place, 'contains', `must contain ${bound} valid item(s)`, { minContains: least, maxContains: most_ })
}

/** The keywords of arrays: sizes, uniqueness, items, contains. */
export function checkArray(
  run: Run,
  s: JsonObject,
  value: readonly Json[],
  place: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
): boolean {
  const all = run.options.all === true
  let ok = checkArraySize(run, s, value, place)
  if (!ok && !all) return false
  const [first, others] = itemSchemas(run, s)
  const described = others === undefined ? value.slice(0, first.length) : value
  for (const [index, item] of described.entries()) {
    const schema = index < first.length ? first[index] : others
    if (schema === undefined) continue
    into?.items.add(index)
    if (schema === false && index >= first.length && first.length > 0 && value.length > first.length) {
      const keyword = run.dialect === '2020-12' ? 'items' : 'additionalItems'
      ok = run.fail(place, keyword, `must NOT have more than ${plural(first.length, 'item')}`, { limit: first.length })
      break
    }
    if (run.check(schema, item, { up: place, key: index }, at, null)) continue
    ok = false
    if (!all) return false
  }
  if (!ok && !all) return false
  return checkContains(run, s, value, place, at, into) && ok
}

/** Whether the mode (request or response) excuses a missing property. */
const isExcused = (run: Run, value: JsonObject, name: string): boolean =>
  run.excuses.some((it) => it.value === value && it.has(name))

function checkNames(run: Run, s: JsonObject, value: JsonObject, place: InstancePath | null, at: Resource): boolean {
  const all = run.options.all === true
  const { maxProperties, minProperties, required } = s
  let ok = true
  const size = typeof maxProperties === 'number' || typeof minProperties === 'number' ? Object.keys(value).length : 0
  if (typeof maxProperties === 'number' && size > maxProperties)
    ok = run.fail(
      place,
      'maxProperties',
      `must NOT have more than ${plural(maxProperties, 'property', 'properties')}`,
      {
        limit: maxProperties,
      },
    )
  if (!ok && !all) return false
  if (typeof minProperties === 'number' && size < minProperties)
    ok = run.fail(
      place,
      'minProperties',
      `must NOT have fewer than ${plural(minProperties, 'property', 'properties')}`,
      {
        limit: minProperties,
      },
    )
  if (!ok && !all) return false
  if (Array.isArray(required))
    for (const name of required) {
      if (typeof name !== 'string' || Object.hasOwn(value, name) || isExcused(run, value, name)) continue
      ok = run.fail(place, 'required', `must have required property '${name}'`, { missingProperty: name })
      if (!all) return false
    }
  if (s.propertyNames !== undefined && run.dialect !== 'draft-04')
    for (const name of Object.keys(value)) {
      if (run.check(s.propertyNames, name, place, at, null)) continue
      ok = run.fail(place, 'propertyNames', 'property name must be valid', { propertyName: name })
      if (!all) return false
    }
  return ok
}

function checkDependencies(
  run: Run,
  s: JsonObject,
  value: JsonObject,
  place: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
): boolean {
  const all = run.options.all === true
  let ok = true
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas'] as const) {
    const dependencies = s[keyword]
    if (!isObject(dependencies)) continue
    for (const name of Object.keys(dependencies)) {
      if (!Object.hasOwn(value, name)) continue
      const wanted = dependencies[name] as Json
      if (!Array.isArray(wanted)) {
        if (!run.check(wanted, value, place, at, into)) ok = false
      } else {
        const missing = wanted.find((it) => typeof it === 'string' && !Object.hasOwn(value, it))
        if (missing !== undefined) {
          const have = wanted.length === 1 ? `property ${missing}` : `properties ${wanted.join(', ')}`
          const params = { property: name, missingProperty: missing, deps: wanted.join(', ') }
          ok = run.fail(place, keyword, `must have ${have} when property ${name} is present`, params)
        }
      }
      if (!ok && !all) return false
    }
  }
  return ok
}

function checkAdditional(
  run: Run,
  s: JsonObject,
  value: JsonObject,
  place: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
): boolean {
  const schema = s.additionalProperties
  if (schema === undefined || (schema === true && into === null)) return true
  const declared = isObject(s.properties) ? s.properties : {}
  const wild = isObject(s.patternProperties) ? Object.keys(s.patternProperties).map(toPattern) : []
  let ok = true
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(declared, name) || wild.some((it) => it?.test(name) === true)) continue
    into?.keys.add(name)
    if (schema === true) continue
    if (schema === false)
      ok = run.fail(place, 'additionalProperties', 'must NOT have additional properties', { additionalProperty: name })
    else ok = run.check(schema, value[name] as Json, { up: place, key: name }, at, null) && ok
    if (!ok && run.options.all !== true) return false
  }
  return ok
}

/** The keywords of objects: sizes, required, names, dependencies, members. */
export function checkObject(
  run: Run,
  s: JsonObject,
  value: JsonObject,
  place: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
): boolean {
  const all = run.options.all === true
  let ok = checkNames(run, s, value, place, at)
  if (!ok && !all) return false
  ok = checkAdditional(run, s, value, place, at, into) && ok
  if (!ok && !all) return false
  ok = checkDependencies(run, s, value, place, at, into) && ok
  if (!ok && !all) return false
  const { properties: declared, patternProperties: wild } = s
  if (isObject(declared))
    for (const name of Object.keys(declared)) {
      if (!Object.hasOwn(value, name)) continue
      into?.keys.add(name)
      ok = run.check(declared[name] as Json, value[name] as Json, { up: place, key: name }, at, null) && ok
      if (!ok && !all) return false
    }
  if (isObject(wild))
    for (const source of Object.keys(wild)) {
      const pattern = toPattern(source)
      if (pattern === null) continue
      for (const name of Object.keys(value)) {
        if (!pattern.test(name)) continue
        into?.keys.add(name)
        ok = run.check(wild[source] as Json, value[name] as Json, { up: place, key: name }, at, null) && ok
        if (!ok && !all) return false
      }
    }
  return ok
}

/** The unevaluated keywords: they come last, when every other keyword has said what it looked at. */
export function checkUnevaluated(
  run: Run,
  s: JsonObject,
  value: Json,
  place: InstancePath | null,
  at: Resource,
  into: Evaluated,
): boolean {
  run.targets.inversions++
  let ok = true
  if (isObject(value) && !isExact(value) && s.unevaluatedProperties !== undefined && !into.allKeys) {
    for (const name of Object.keys(value)) {
      if (into.keys.has(name)) continue
      if (s.unevaluatedProperties === false)
        ok = run.fail(place, 'unevaluatedProperties', 'must NOT have unevaluated properties', {
          unevaluatedProperty: name,
        })
      else ok = run.check(s.unevaluatedProperties, value[name] as Json, { up: place, key: name }, at, null) && ok
      if (!ok && run.options.all !== true) return false
    }
    into.allKeys = true
  }
  if (Array.isArray(value) && s.unevaluatedItems !== undefined && !into.allItems) {
    for (const [index, item] of value.entries()) {
      if (into.items.has(index)) continue
      if (s.unevaluatedItems === false)
        ok = run.fail(place, 'unevaluatedItems', `must NOT have unevaluated items`, { limit: index })
      else ok = run.check(s.unevaluatedItems, item, { up: place, key: index }, at, null) && ok
      if (!ok && run.options.all !== true) return false
    }
    into.allItems = true
  }
  return ok
}
