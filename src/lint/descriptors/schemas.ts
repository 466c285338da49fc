/** The schemas of tools: what arguments must be, what structured answers are. */
import { schemaDraft } from '../../document/format.ts'
import { isObject, type Json, type JsonObject, saysSomething } from '../../kernel/json.ts'
import { validateSchema } from '../../document/validate/structure.ts'
import type { Violation, LintFunction } from '../rule.ts'
import { checkBounds } from '../schemas/bounds.ts'
import {
  checkDependent,
  checkDraft,
  checkFormat,
  checkKnown,
  checkMisplaced,
  checkRefSiblings,
} from '../schemas/keywords.ts'
import { checkPatterns } from '../schemas/patterns.ts'
import { lookUp, withinSchema } from '../schemas/places.ts'
import { checkReferences } from '../schemas/references.ts'
import { checkRequired } from '../schemas/required.ts'
import { checkSatisfiable } from '../schemas/satisfiable.ts'
import { checkDefault, checkEnumType, checkEnumUnique, checkExamples } from '../schemas/values.ts'
import { forTools } from './tools.ts'

const usable = withinSchema([checkBounds, checkPatterns, checkReferences, checkSatisfiable])

/** A schema of a tool is a JSON Schema of an object; its references lead within it. */
export const schemaOfTool: LintFunction = (input, options, context) => {
  const { path, document } = context
  if (!isObject(input)) return [{ message: 'A schema of a tool must be an object.' }]
  const structure = validateSchema(document, path, input, schemaDraft(input.$schema))
  if (structure.length > 0) return structure.map(({ message, path: at }) => ({ message, path: at }))
  const typed: Violation[] =
    input.type === 'object'
      ? []
      : [
          {
            message: `The root type must be "object"${input.type === undefined ? '' : `, not ${JSON.stringify(input.type)}`}.`,
            path: input.type === undefined ? path : [...path, 'type'],
          },
        ]
  return [...typed, ...(usable(input, options, context) ?? [])]
}

/** A schema of a tool has no mistakes of the quiet kind: it is valid, but does not say what was meant. */
export const soundSchema: LintFunction = withinSchema([
  checkRequired,
  checkEnumUnique,
  checkEnumType,
  checkDefault,
  checkExamples,
  checkKnown,
  checkDraft,
  checkMisplaced,
  checkDependent,
  checkFormat,
  checkRefSiblings,
])

/** The top level has no keyword that model providers reject there. */
export const portableSchema: LintFunction = (input, _options, { path }) =>
  ['oneOf', 'anyOf', 'allOf', '$ref', 'not']
    .filter((key) => isObject(input) && Object.hasOwn(input, key))
    .map((key) => ({
      message: `Several model APIs reject "${key}" at the root of a tool's schema.`,
      path: [...path, key],
    }))

interface Parameter {
  readonly name: string
  readonly value: JsonObject
  readonly path: readonly (string | number)[]
}

/** The parameters of a tool: properties of its schema, or a list of arguments. */
function parametersOf(tool: JsonObject, path: readonly (string | number)[]): Parameter[] {
  const { inputSchema, arguments: list } = tool
  const properties = isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {}
  const declared = Object.entries(properties).flatMap(([name, value]) =>
    isObject(value) ? [{ name, value, path: [...path, 'inputSchema', 'properties', name] }] : [],
  )
  const listed = (Array.isArray(list) ? (list as readonly Json[]) : []).flatMap((value, index) =>
    isObject(value) ? [{ name: String(value.name ?? index), value, path: [...path, 'arguments', index] }] : [],
  )
  return [...declared, ...listed]
}

// A description of the reference's target counts for the parameter too.
const behind = (value: JsonObject, tool: JsonObject): JsonObject => {
  const target = typeof value.$ref === 'string' ? lookUp(tool.inputSchema ?? null, value.$ref) : undefined
  return isObject(target) ? { ...target, ...value } : value
}

/** Every parameter of a tool has a description. */
export const describedParameters: LintFunction = forTools((tool, { path }) =>
  parametersOf(tool, path).flatMap(({ name, value, path: at }) => {
    const { description, desc } = behind(value, tool)
    return saysSomething(description) || saysSomething(desc)
      ? []
      : [{ message: `The parameter "${name}" has no description.`, path: at }]
  }),
)

const typing = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', 'properties', 'items']

/** Every parameter of a tool has a type, in some way of saying so. */
export const typedParameters: LintFunction = forTools((tool, { path }) =>
  parametersOf(tool, path).flatMap(({ name, value, path: at }) =>
    typing.some((key) => Object.hasOwn(value, key))
      ? []
      : [{ message: `The parameter "${name}" has no type.`, path: at }],
  ),
)
