/** Where a value is not of a shape, in words for the person who wrote it. */
import type { TSchema } from '@sinclair/typebox'
import { Value, ValueErrorType, type ValueError } from '@sinclair/typebox/value'
import { isObject, type Json, type Path } from './json.ts'
import { parsePointer } from './pointer.ts'
import { suggest } from './suggest.ts'

/** One thing that is wrong, at a path of the value. */
export interface ShapeProblem {
  readonly path: Path
  /** It is about the key at the end of the path, not about its value. */
  readonly isKey: boolean
  readonly message: string
}

const meant = (given: unknown, known: readonly string[]): string => {
  const near = typeof given === 'string' ? suggest(given, known) : null
  return near === null ? '' : `; did you mean "${near}"?`
}

/** "apis.shop.failOn"; nothing for the whole. */
const nameOf = (path: Path): string =>
  path
    .map((it) => (typeof it === 'number' ? `[${it}]` : `.${it}`))
    .join('')
    .replace(/^\./, '')

const quoted = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : JSON.stringify(value))

const branchesOf = (schema: TSchema): readonly TSchema[] => (schema.anyOf as TSchema[] | undefined) ?? []

/** The values that a choice allows; null for schemas of other kinds. */
function allowedOf(schema: TSchema): readonly string[] | null {
  if ('const' in schema) return [String(schema.const)]
  if (schema.type === 'boolean') return ['true', 'false']
  const branches = branchesOf(schema)
  const all = branches.map(allowedOf)
  return branches.length === 0 || all.includes(null) ? null : all.flatMap((it) => it ?? [])
}

const articles: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  boolean: 'true or false',
}

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  return typeof value === 'object' ? 'object' : typeof value
}

function unknownKey({ path, schema }: ValueError, at: Path): ShapeProblem {
  const key = String(at.at(-1))
  const where = nameOf(at.slice(0, -1))
  const inside = where === '' ? '' : ` in ${where}`
  const known = Object.keys((schema.properties as object | undefined) ?? {})
  const message =
    known.length === 0 && path !== ''
      ? `"${key}" cannot be a name${inside}: names have letters, digits and . _ - @, and begin with a letter or a digit`
      : `Unknown property "${key}"${inside}${meant(key, known) || `; it has ${known.join(', ')}`}`
  return { path: at, isKey: true, message }
}

function* problemsOfUnion(error: ValueError, at: Path): Generator<ShapeProblem> {
  const { schema, value } = error
  const allowed = allowedOf(schema)
  const name = nameOf(at)
  if (allowed !== null) {
    const message = `${name} must be one of ${allowed.join(', ')}, not ${quoted(value)}${meant(value, allowed)}`
    return yield { path: at, isKey: false, message }
  }
  const branches = branchesOf(schema)
  const fitting = branches.findIndex((it) => it.type === kindOf(value))
  const within = error.errors[fitting]
  if (within !== undefined) return yield* problemsOf(within)
  const kinds = branches.map((it) => articles[String(it.type)] ?? String(it.type))
  yield { path: at, isKey: false, message: `${name} must be ${kinds.join(' or ')}` }
}

function messageOf({ type, schema, value }: ValueError, name: string): string {
  const subject = name === '' ? 'The file' : name
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return `${name} is missing`
    case ValueErrorType.StringMinLength:
    case ValueErrorType.ArrayMinItems:
      return `${subject} must not be empty`
    case ValueErrorType.ArrayUniqueItems:
      return `${subject} contains a value twice`
    case ValueErrorType.Literal:
      return `${subject} must be ${String(schema.const)}, not ${quoted(value)}`
    default:
      return `${subject} must be ${articles[String(schema.type)] ?? String(schema.type)}`
  }
}

function* problemsOf(errors: Iterable<ValueError>): Generator<ShapeProblem> {
  const seen = new Set<string>()
  for (const error of errors) {
    // A missing property is reported a second time as a value of the wrong type.
    if (seen.has(error.path)) continue
    seen.add(error.path)
    const at = parsePointer(error.path) ?? []
    if (error.type === ValueErrorType.ObjectAdditionalProperties) yield unknownKey(error, at)
    else if (error.type === ValueErrorType.Union) yield* problemsOfUnion(error, at)
    else {
      const isMissing = error.type === ValueErrorType.ObjectRequiredProperty
      yield { path: isMissing ? at.slice(0, -1) : at, isKey: false, message: messageOf(error, nameOf(at)) }
    }
  }
}

/** Everything that is wrong with a value of a shape, in the order of the shape. */
export const shapeProblems = (shape: TSchema, value: Json): readonly ShapeProblem[] =>
  isObject(value)
    ? [...problemsOf(Value.Errors(shape, value))]
    : [{ path: [], isKey: false, message: `The file must be an object` }]
