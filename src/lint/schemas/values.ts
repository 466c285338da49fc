/** Values that a schema itself holds: lists of them, constants, defaults, examples. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Dialect } from '../../schema/validate.ts'
import { notChecked, type CheckBudget } from '../check-budget.ts'
import { printValue } from '../message.ts'
import type { Violation } from '../rule.ts'
import { describeErrors } from '../schema-errors.ts'
import type { SchemaAt, SchemaCheck } from './places.ts'

/** A value as text, keys in one order: equal values are spelled alike. */
const spelled = (value: Json): string =>
  JSON.stringify(value, (_key, it: Json) =>
    isObject(it) ? Object.fromEntries(Object.entries(it).toSorted(([a], [b]) => (a < b ? -1 : 1))) : it,
  )

/** The values of an enum differ. */
export const checkEnumUnique: SchemaCheck = ({ schema }) => {
  if (!Array.isArray(schema.enum)) return []
  const seen = new Set<string>()
  const repeated = (schema.enum as readonly Json[]).find((entry) => {
    const text = spelled(entry)
    const isRepeated = seen.has(text)
    seen.add(text)
    return isRepeated
  })
  return repeated === undefined
    ? []
    : [{ message: `Duplicate value ${printValue(repeated)} in the enum.`, path: ['enum'] }]
}

const typeOf = (value: Json): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

const isOfType = (value: Json, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type

const typesOf = (schema: JsonObject): readonly string[] => {
  const { type } = schema
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter((it) => typeof it === 'string') : []
}

/** The values of an enum, and a constant, are of the type beside them. */
export const checkEnumType: SchemaCheck = ({ schema }) => {
  const types = typesOf(schema)
  if (types.length === 0) return []
  const wrong = (value: Json): boolean => !types.some((type) => isOfType(value, type))
  const said = (value: Json): string => `${printValue(value)} is not of the type ${types.join(' or ')}.`
  const list = Array.isArray(schema.enum) ? (schema.enum as readonly Json[]) : []
  return [
    ...list.flatMap((it, index): Violation[] => (wrong(it) ? [{ message: said(it), path: ['enum', index] }] : [])),
    ...(schema.const !== undefined && wrong(schema.const) ? [{ message: said(schema.const), path: ['const'] }] : []),
  ]
}

/** The schema for a value, without the examples and defaults that are checked. */
function judge(at: SchemaAt, budget: CheckBudget, value: Json, path: readonly (string | number)[]): Violation[] {
  const errors = budget.validate(at.schema, value, {
    root: at.root,
    ...at.outside,
    dialect: at.draft as Dialect,
    formats: true,
  })
  if (errors === null) return [{ message: notChecked, path }]
  return describeErrors(errors, value, path).map((it) => ({ message: it.message, path: [...path, ...it.path] }))
}

/** A default is valid against its own schema. */
export const checkDefault: SchemaCheck = (at, budget) =>
  at.schema.default === undefined ? [] : judge(at, budget, at.schema.default, ['default'])

/** Examples are valid against their own schema. */
export const checkExamples: SchemaCheck = (at, budget) =>
  Array.isArray(at.schema.examples)
    ? (at.schema.examples as readonly Json[]).flatMap((it, index) => judge(at, budget, it, ['examples', index]))
    : []
