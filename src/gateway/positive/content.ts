/** The media types of request bodies, and whether there has to be a body (OpenAPI 3.1, 4.8.13). */
import type { MediaType } from '../../diff/model/api.ts'
import { readMediaType } from '../../diff/model/media-type.ts'
import type { PositiveCheck } from '../../gateway-policy/door.ts'
import type { Check } from './blocks.ts'
import type { Context, Endpoint, Mode } from './model.ts'
import { literal } from '../pattern.ts'
import type { Condition } from './seclang.ts'

/** A media type, or a range of them, as an expression of the header. Parameters do not count. */
export const mediaBody = (name: string): string => {
  const { essence } = readMediaType(name)
  const parts = essence.split('*').map((it) => literal(it, 'unicode'))
  return parts.join('[^;,\\x20]*')
}

/** The header of a request with one of these media types. */
export const headerOf = (names: readonly string[]): string =>
  `(?i)\\A\\x20*(?:${[...new Set(names.map(mediaBody))].join('|')})\\x20*(?:;|\\z)`

/** Whether bodies of the media type are JSON: "application/json" and what ends with "+json" (RFC 6839, section 3.1). */
export const isJson = ({ name }: Pick<MediaType, 'name'>): boolean =>
  /^[^/]+\/(?:json|[^/]+\+json)$/.test(readMediaType(name).essence)

/** Whether bodies of the media type have parts with headers of their own (RFC 2046, section 5.1). */
export const isMultipart = ({ name }: Pick<MediaType, 'name'>): boolean =>
  readMediaType(name).essence.startsWith('multipart/')

/** The header of any JSON that the engine reads as such. */
export const jsonHeader = '(?i)\\A\\x20*[^/;\\x20]+/(?:[^;\\x20]+\\+)?json\\x20*(?:;|\\z)'

/** Ranges of media types hold JSON among others. */
const mayBeJson = (it: MediaType): boolean => isJson(it) || readMediaType(it.name).essence.includes('*')

const strictness: Readonly<Record<Mode, number>> = { off: 0, log: 1, block: 2 }

/** What the body of an operation has to be: the same for many operations. */
export interface ContentRule {
  readonly check: PositiveCheck
  readonly mode: 'log' | 'block'
  readonly header: string
  readonly required: boolean
}

/** What is checked about the type of a body and its presence. */
export function contentRulesOf(context: Context, { operation }: Endpoint): ContentRule[] {
  const { body } = operation
  if (body === null || body.content.size === 0) return []
  const types = [...body.content.values()]
  const header = headerOf(types.map((it) => it.name))
  const found: ContentRule[] = []
  const mode = context.mode('contentType')
  const bodyMode = context.mode('body')
  if (mode !== 'off') found.push({ check: 'contentType', mode, header, required: body.required })
  // A schema is only asked about what the engine reads as JSON: sent as anything else, a body would pass unread.
  if (bodyMode !== 'off' && strictness[bodyMode] > strictness[mode] && types.some(mayBeJson))
    found.push({ check: 'body', mode: bodyMode, header, required: body.required })
  return found
}

/** The checks of one rule. */
export function contentChecks({ check, mode, header, required }: ContentRule): Check[] {
  const found: Check[] = []
  const refuse = (status: number, message: string, ...conditions: Condition[]): void =>
    void found.push({ conditions, refusal: { check, mode, status, message, isSparable: false } })
  const typed = 'The type of the body is not one that the document declares.'
  const untyped = 'The body has no type.'
  const length = 'REQUEST_HEADERS:Content-Length'
  const declared = { variables: 'REQUEST_HEADERS:Content-Type', operator: `!@rx ${header}` }
  const noType = { variables: '&REQUEST_HEADERS:Content-Type', operator: '@eq 0' }
  const noLength = { variables: `&${length}`, operator: '@eq 0' }
  const isWhole = { variables: '&REQUEST_HEADERS:Transfer-Encoding', operator: '@eq 0' }
  if (required) {
    const missing = 'The request has no body.'
    refuse(400, missing, { variables: length, operator: '@rx \\A0+\\z' })
    // From HTTP/2 on a body may come without its length.
    refuse(400, missing, noLength, isWhole, { variables: 'REQUEST_PROTOCOL', operator: '@rx (?i)\\AHTTP/[01]' })
    refuse(415, typed, declared)
    refuse(415, untyped, noType)
    return found
  }
  const hasLength = { variables: length, operator: '@rx [1-9]' }
  const isChunked = { variables: '&REQUEST_HEADERS:Transfer-Encoding', operator: '@gt 0' }
  for (const present of [hasLength, isChunked]) {
    refuse(415, typed, present, declared)
    refuse(415, untyped, present, noType)
  }
  const isNew = { variables: 'REQUEST_PROTOCOL', operator: '!@rx (?i)\\AHTTP/[01]' }
  refuse(415, typed, isNew, noLength, declared)
  return found
}
