/** A value as JSON has it (RFC 8259). Parsed YAML is reduced to the same values. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object. Keys keep the order in which the native parser yields them. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** The way from the root of a document to a node: object keys as strings, array positions as numbers. */
export type Path = readonly (string | number)[]

/** Whether a value is a JSON object: not null, not an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The items of a list; none of anything else. */
export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : []

/** An object, or an empty one for anything else. */
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

/** The properties of an object; none of anything else. */
export const entriesOf = (value: Json | undefined): [string, Json][] => (isObject(value) ? Object.entries(value) : [])

/** A text, or "" for anything else. */
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** A text that says something; null for "" and for anything else. */
export const filledText = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** A text as it is, any other value as JSON. */
export const textOrJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Whether a value is neither a list, an object nor null. */
export const isScalar = (value: Json): value is string | number | boolean => typeof value !== 'object'

/** Whether a value is a text of more than spaces. */
export const saysSomething = (value: Json | undefined): boolean => typeof value === 'string' && value.trim() !== ''
