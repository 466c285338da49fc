import type { Json } from '../kernel/json.ts'

/**
 * The drafts of JSON Schema that differ in how a schema names itself and its parts. `none`: the dialects of Swagger 2.0 and
 * OpenAPI 3.0, in which "$id" and anchors are not keywords.
 */
export type Draft = 'none' | 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12'

const named = /json-schema\.org\/draft(?:-(0[467])|\/(2019-09|2020-12))\/schema/

/** The draft that a `$schema` names; `otherwise` where it names none that is known. */
export const draftOf = (dialect: Json | undefined, otherwise: Draft): Draft => {
  const found = typeof dialect === 'string' ? named.exec(dialect) : null
  if (found === null) return otherwise
  return found[1] === undefined ? (found[2] as Draft) : (`draft-${found[1]}` as Draft)
}

/** Whether keywords beside "$ref" hold: from 2019-09 on. */
export const refHasSiblings = (draft: Draft): boolean => draft === '2019-09' || draft === '2020-12'
