import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'

/**
 * Names a shape: the published description holds it once, as a component of this name, and clients that are generated
 * from it get a type of this name.
 */
export const titled = <T extends TSchema>(title: string, schema: T): T => ({ ...schema, title })

/** A request body: fields it does not declare are refused. */
export const bodyOf = <P extends TProperties>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false })

/**
 * An object with whatever properties. Unlike a record, whose keys are each held against a pattern, it costs as little to check as it has
 * properties: for what may be as large as a body.
 */
export const anyObject = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }))

/** One of a closed list of words. */
export const oneOf = <const T extends readonly string[]>(words: T, description?: string) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    description === undefined ? {} : { description },
  ) as unknown as TSchema & { static: T[number] }

/** A value or null. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const dateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })
