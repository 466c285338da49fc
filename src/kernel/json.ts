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
