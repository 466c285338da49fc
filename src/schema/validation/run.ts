import type { Json, JsonObject, Path } from '../../kernel/json.ts'
import type { ResolvedSchema, Resource } from '../../document/resource.ts'
import type { Evaluated } from './evaluated.ts'
import type { Excuse } from './excuse.ts'
import type { Targets } from './targets.ts'
import type { Selected } from '../selection.ts'

export const dialects = [
  'draft-04',
  'draft-06',
  'draft-07',
  '2019-09',
  '2020-12',
  'openapi-2.0',
  'openapi-3.0',
] as const
export type Dialect = (typeof dialects)[number]

/** One violated keyword. `message` says what must hold, without naming the place. */
export interface ValidationError {
  readonly keyword: string
  /** The place in the instance. */
  readonly path: Path
  readonly message: string
  /** What the keyword asked for: `{missingProperty}`, `{additionalProperty}`, `{allowedValues}`, `{limit}` … */
  readonly params: JsonObject
}

export interface ValidateOptions {
  /** The document in which references of the schema that begin with "#" are resolved; the schema itself when omitted. */
  readonly root?: Json
  /** The URI or file name of that document. */
  readonly base?: string
  /** Read from "$schema" when omitted; 2020-12 where that is absent. */
  readonly dialect?: Dialect
  /** Whether "format" is checked; true when omitted. */
  readonly formats?: boolean
  /** Whether to continue after the first violated keyword of a schema; false when omitted. */
  readonly all?: boolean
  /** In a request a readOnly property is never required, in a response a writeOnly one is not (OpenAPI 3.0.4, 4.7.24). */
  readonly mode?: 'request' | 'response'
  /** Whether keywords beside "$ref" hold; by the dialect (from 2019-09 on) when omitted. */
  readonly refSiblings?: boolean
  /**
   * Finds the value of another document by its URI, which `$id`s around the reference may have set, or by the reference as it is
   * written, without a fragment; undefined where there is none.
   */
  readonly external?: (uri: string, written: string) => Json | undefined
  /**
   * The resources that the schema was reached through, from the outside in: the last one is that in which it is written. Only
   * the whole document when omitted.
   */
  readonly scope?: readonly Resource[]
  /** Finds what every reference means, whatever the identifiers say: for a document that was linked beforehand. */
  readonly linked?: (reference: string) => Json | undefined
  /** The replacement of a node of the instance, for instances that contain references; the node itself when omitted. */
  readonly instance?: (value: Json) => Json
  /** What the discriminator of a schema says about an object; discriminators say nothing when omitted. */
  readonly select?: (schema: JsonObject, value: JsonObject) => Selected
  /** Is called for each schema that is checked; it ends the validation by throwing. */
  readonly spend?: () => void
}

/** A place in the instance, from the inside out. */
export interface InstancePath {
  readonly up: InstancePath | null
  readonly key: string | number
}

/** The state of one validation. Keywords are functions of it. */
export interface Run {
  readonly options: ValidateOptions
  readonly dialect: Dialect
  readonly document: Resource
  readonly scope: Resource[]
  /** What the schemas that are being checked excuse their values from. */
  readonly excuses: Excuse[]
  /** Null while no one wants to know why. */
  errors: ValidationError[] | null
  readonly targets: Targets
  readonly deref: (value: Json) => Json
  /** What a reference of the schema means. */
  resolve(reference: string, at: Resource): ResolvedSchema | undefined
  /** The resource that begins at a schema met in `at`; `at` where it begins none. */
  enter(schema: JsonObject, at: Resource): Resource
  /** What carries a "$dynamicAnchor" of that name in this very resource. */
  dynamicAnchor(at: Resource, name: string): ResolvedSchema | undefined
  /** Records a violation; the answer is always false. */
  fail(place: InstancePath | null, keyword: string, message: string, params: JsonObject): false
  /** Whether `value` fits; failures are added to `errors`. */
  check(schema: Json, value: Json, place: InstancePath | null, resource: Resource, evaluated: Evaluated | null): boolean
}

export const pathOf = (place: InstancePath | null): (string | number)[] => {
  const path: (string | number)[] = []
  for (let at = place; at !== null; at = at.up) path.push(at.key)
  return path.reverse()
}
