/** Rules for the additions of OpenAPI 3.2 and their combinations. */
import { isObject, type Json, type Path } from '../../kernel/json.ts'
import { isMethod } from '../../kernel/methods.ts'
import type { Violation, LintFunction } from '../rule.ts'

const objects = (list: Json | undefined, path: Path) =>
  Array.isArray(list)
    ? (list as readonly Json[]).flatMap((value, index) => (isObject(value) ? [{ value, path: [...path, index] }] : []))
    : []

/** The parent of a tag is a tag of the document, and no tag is above itself (4.22). */
export const tagParents: LintFunction = (input, _options, { path }) => {
  const tags = objects(input, path)
  const parents = new Map(tags.map(({ value }) => [value.name, value.parent]))
  return tags.flatMap(({ value, path: at }): Violation[] => {
    const { name, parent } = value
    if (typeof parent !== 'string') return []
    if (!parents.has(parent)) return [{ message: `There is no tag "${parent}".`, path: [...at, 'parent'] }]
    const above = new Set<Json | undefined>()
    for (let it: Json | undefined = parent; it !== undefined && !above.has(it); it = parents.get(it)) above.add(it)
    return above.has(name)
      ? [{ message: `The tag "${String(name)}" is its own ancestor.`, path: [...at, 'parent'] }]
      : []
  })
}

/** One parameter takes the whole query, and no other parts of it (4.12). */
export const wholeQuery: LintFunction = (input, _options, { path, deref }) => {
  const list = Array.isArray(input) ? (input as readonly Json[]) : []
  const places = list.map((it) => {
    const value = deref(it)
    return isObject(value) ? value.in : undefined
  })
  const first = places.indexOf('querystring')
  if (first === -1) return []
  return places.flatMap((place, index): Violation[] => {
    if (place === 'query')
      return [
        {
          message: 'A "query" parameter must not be used together with a "querystring" parameter.',
          path: [...path, index],
        },
      ]
    return place === 'querystring' && index > first
      ? [{ message: 'At most one parameter can be in "querystring".', path: [...path, index] }]
      : []
  })
}

/** The servers of a list have names of their own (4.6). */
export const serverNames: LintFunction = (input, _options, { path }) => {
  const seen = new Set<Json>()
  return objects(input, path).flatMap(({ value: { name }, path: at }): Violation[] => {
    if (typeof name !== 'string') return []
    const repeated = seen.has(name)
    seen.add(name)
    return repeated ? [{ message: `Duplicate server name "${name}".`, path: [...at, 'name'] }] : []
  })
}

/** Methods with a field of their own are not in `additionalOperations` (4.9). */
export const additionalMethods: LintFunction = (input, _options, { path }) => {
  return Object.keys(isObject(input) ? input : {})
    .filter((method) => isMethod(method.toLowerCase()))
    .map((method) => ({
      message: `Use the field "${method.toLowerCase()}" for the method "${method}".`,
      path: [...path, method],
    }))
}

/** An example says its value in one way (4.19). */
export const oneExampleForm: LintFunction = (input, _options, { path }) => {
  if (!isObject(input) || !Object.hasOwn(input, 'value')) return []
  return ['dataValue', 'serializedValue', 'externalValue']
    .filter((key) => Object.hasOwn(input, key))
    .map((key) => ({ message: `"value" and "${key}" must not be used together.`, path: [...path, key] }))
}
