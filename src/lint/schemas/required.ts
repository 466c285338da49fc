import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { readPattern } from '../pattern.ts'
import { around, lookUp, type SchemaAt, type SchemaCheck } from './places.ts'

interface Declared {
  readonly names: Set<string>
  readonly patterns: string[]
  /** Whether some schema says nothing of what else there may be, or nothing at all. */
  open: boolean
  /** Whether there is any list of properties. */
  listed: boolean
}

function collect(schema: Json | undefined, root: Json, into: Declared, seen: Set<Json>): void {
  if (!isObject(schema) || seen.has(schema)) return
  seen.add(schema)
  if (isObject(schema.properties)) {
    into.listed = true
    for (const name of Object.keys(schema.properties)) into.names.add(name)
  }
  if (isObject(schema.patternProperties)) into.patterns.push(...Object.keys(schema.patternProperties))
  if (isObject(schema.additionalProperties) || schema.additionalProperties === true) into.open = true
  for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const ref = schema[key]
    if (typeof ref !== 'string') continue
    const target = lookUp(root, ref)
    // A schema in another document may declare any property.
    if (target === undefined) into.open = true
    else collect(target, root, into, seen)
  }
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    if (Array.isArray(schema[key])) for (const it of schema[key] as readonly Json[]) collect(it, root, into, seen)
  for (const key of ['if', 'then', 'else']) collect(schema[key], root, into, seen)
  if (isObject(schema.dependentSchemas))
    for (const it of Object.values(schema.dependentSchemas)) collect(it, root, into, seen)
}

function declaredFor(at: SchemaAt): Declared {
  const declared: Declared = { names: new Set(), patterns: [], open: false, listed: false }
  const seen = new Set<Json>()
  for (const schema of [at.schema, ...around(at)]) collect(schema, at.root, declared, seen)
  return declared
}

const isList = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((it) => typeof it === 'string')

const closes = (schema: JsonObject): boolean => schema.additionalProperties === false

/** Whether a schema requires a name that it does not declare itself; one of the schemas around it may. */
export const requiresOthers = ({ required, properties }: JsonObject): boolean =>
  isList(required) && required.some((name) => !isObject(properties) || !Object.hasOwn(properties, name))

/** What is required is declared: a name that is not is mostly one that was mistyped or taken out. */
export const checkRequired: SchemaCheck = (at) => {
  const { required } = at.schema
  if (!isList(required) || !requiresOthers(at.schema)) return []
  const { names, patterns, open, listed } = declaredFor(at)
  if (!listed || open) return []
  return required.flatMap((name, index) => {
    if (names.has(name) || patterns.some((it) => readPattern(it)?.test(name) !== false)) return []
    const never = closes(at.schema) ? ' and additional properties are not allowed, so no value is valid' : ''
    return [
      { message: `"${name}" is required, but "properties" does not declare it${never}.`, path: ['required', index] },
    ]
  })
}
