/** The inputs of workflows: defaults, the check against their schema, and which of them are secrets. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { validate } from '../schema/validate.ts'
import { deref, derefObject } from './openapi.ts'

const propertiesOf = (root: JsonObject, workflow: JsonObject): JsonObject => {
  const { properties } = derefObject(root, workflow.inputs)
  return isObject(properties) ? properties : {}
}

/** Inputs with the defaults of those that are not given. */
export function withDefaults(root: JsonObject, workflow: JsonObject, given: JsonObject): JsonObject {
  const defaults = Object.entries(propertiesOf(root, workflow)).flatMap(([name, written]): [string, Json][] => {
    const schema = deref(root, written)
    return isObject(schema) && schema.default !== undefined ? [[name, schema.default]] : []
  })
  return { ...Object.fromEntries(defaults), ...given }
}

/** What is wrong with inputs, as sentences. */
export function checkInputs(root: JsonObject, workflow: JsonObject, inputs: JsonObject): readonly string[] {
  if (workflow.inputs === undefined) return []
  return validate(workflow.inputs, inputs, { root, dialect: '2020-12', all: true }).map(({ path, message, params }) => {
    if (typeof params.missingProperty === 'string') return `The input "${params.missingProperty}" is missing`
    return `The input ${path.length === 0 ? 'object' : `"${formatPointer(path).slice(1)}"`} ${message}`
  })
}

/** The texts of inputs that are passwords by their format. */
export const secretInputs = (root: JsonObject, workflow: JsonObject, inputs: JsonObject): readonly string[] =>
  Object.entries(propertiesOf(root, workflow)).flatMap(([name, written]) => {
    const schema = deref(root, written)
    const value = inputs[name]
    return isObject(schema) && schema.format === 'password' && typeof value === 'string' ? [value] : []
  })

/**
 * The text of an input on a command line as the value that its schema requires: a number, a truth value, JSON of lists and objects;
 * else the text itself.
 */
export function readInput(root: JsonObject, workflow: JsonObject, name: string, text: string): Json {
  const types = [derefObject(root, propertiesOf(root, workflow)[name]).type].flat()
  if (types.includes('string') && !types.includes('null')) return text
  const isWanted = (value: Json): boolean => {
    if (Array.isArray(value)) return types.includes('array')
    if (value === null) return types.includes('null')
    if (typeof value === 'number')
      return types.includes('number') || (types.includes('integer') && Number.isInteger(value))
    return types.includes(typeof value)
  }
  try {
    const value = JSON.parse(text) as Json
    return isWanted(value) ? value : text
  } catch {
    return text
  }
}
