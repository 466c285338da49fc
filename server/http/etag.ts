import { type Coding, codings } from './coding.ts'

/** The entity tags of a condition (`If-Match`, `If-None-Match`), as RFC 9110, section 8.8.3 writes them. */
const tagsIn = (condition: string): string[] => condition.split(',').map((one) => one.trim())

/** The entity tag of the same bytes in a coding, which are other bytes. */
export const codedTag = (etag: string, coding: Coding): string => etag.replace(/"$/, `-${coding}"`)

/** Whether a tag names these bytes, as they are or in a coding: who has them in a coding has seen them. */
const isOf = (tag: string, etag: string): boolean =>
  tag === etag || codings.some((coding) => tag === codedTag(etag, coding))

/** Weak comparison: whether what the reader has is still sufficient (RFC 9110, section 13.1.2). */
export const isKnown = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch !== null && tagsIn(ifNoneMatch).some((tag) => tag === '*' || isOf(tag.replace(/^W\//, ''), etag))

/** Strong comparison: whether the writer saw these very bytes (RFC 9110, section 13.1.1). */
export const isMatched = (ifMatch: string, etag: string): boolean =>
  tagsIn(ifMatch).some((tag) => tag === '*' || isOf(tag, etag))

/** The strong entity tag of stored bytes. */
export const etagOf = (digest: string): string => `"${digest}"`
