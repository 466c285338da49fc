/** What a schema is read from, and how. */
import type { Json, JsonObject } from '../kernel/json.ts'
import type { Selection } from './selection.ts'

/** What a schema is read as; the differences are few and each is named where it matters. */
export type Dialect = 'swagger-2.0' | 'openapi-3.0' | '2020-12' | '2019-09' | 'draft-07' | 'draft-06' | 'draft-04'

/** Who writes the values that the schema describes; it decides what readOnly and writeOnly mean. */
export type Direction = 'request' | 'response' | null

/**
 * `exact`: as written. `tolerant`: what is not sent in this direction is not looked at, and `nullable` holds beside `enum`.
 * `loose`: also, `oneOf` as `anyOf`. `chosen`: also, an object of a `oneOf` is one of its branches, even if others fit because they
 * allow properties that they do not list. `known`: values of a discriminator that select nothing are not sent.
 * `literal`: also, one branch alone may fit, whatever a discriminator picks.
 */
export type Reading = 'exact' | 'tolerant' | 'loose' | 'chosen' | 'known' | 'literal'

/** One document's schemas. */
export interface SchemaSource {
  readonly dialect: Dialect
  /** Whether the document names a dialect that is none of these: what its own keywords ask for is not known then. */
  readonly isForeign?: boolean
  /** Whether `format` is part of the set, or a remark about it (as JSON Schema has it by default). */
  readonly formats: 'asserted' | 'remarks'
  /** Which document it is: what cannot be resolved in one is not what cannot be resolved in the other. */
  readonly name?: string
  /** Finds what a `$ref` names: the pointer of its place, and the schema; null when it cannot be resolved. */
  readonly resolve: (
    ref: string,
    /** Properties that are not sent although the schema itself does not say so. */
    unsent?: ReadonlySet<string>,
  ) => { readonly key: string; readonly schema: Json } | null
  /** What the discriminator of a schema selects, as far as both documents know it or, where `known`, this one does. */
  readonly selection?: (schema: JsonObject, known: boolean) => Selection | null
}
