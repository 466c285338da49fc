/** What a server answered, read and checked against its description. */
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { plural } from '../kernel/plural.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { validate } from '../schema/validate.ts'
import {
  answerKeys,
  answerOf,
  derefObject,
  essenceOf,
  isJsonType,
  isXmlType,
  mediaTypeOf,
  type Answer,
  type Called,
} from './openapi.ts'
import { SelectorInvalid, XmlUnread } from './faults.ts'
import type { Message } from './scope.ts'
import { XmlUndecided } from './xml-shape.ts'
import { readXml } from './xml-value.ts'

/** An answer as it arrived. */
export interface Received {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

/** An answer that was read. */
export interface ReadAnswer extends Message {
  readonly status: number
  /** The content as a text; null where it is none. */
  readonly text: string | null
  /** Why the content cannot be read as what its media type says; null where it can. */
  readonly fault: string | null
}

/** A way in which an answer differs from its description. */
export interface Mismatch {
  readonly where: 'status' | 'content-type' | 'header' | 'body'
  /** A place in the content, or the name of a header; "" for the whole. */
  readonly at: string
  readonly message: string
}

/** What a check of an answer comes to. */
interface AnswerCheck {
  /** How it differs from its description; nothing where it fits. At most 20 are listed. */
  readonly mismatches: readonly Mismatch[]
  /** Why its content, or places in it, are neither valid nor invalid; nothing where all of it is decided. At most 5 are listed. */
  readonly undecided: readonly string[]
}

const mostMismatches = 20
const mostUndecided = 5
const longestPlace = 200

function decoded(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return null
  }
}

/** Reads an answer: JSON becomes its value, other texts stay texts. Of a repeated header the values are joined. */
export function readAnswer({ status, headers: list, body }: Received): ReadAnswer {
  const headers: Record<string, string> = {}
  for (const [name, value] of list) {
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  const message = { status, headers, query: {}, path: {} }
  const text = decoded(body)
  if (body.length === 0) return { ...message, body: undefined, text: '', fault: null }
  const type = headers['content-type'] ?? ''
  if (text === null || !isJsonType(type)) return { ...message, body: text ?? undefined, text, fault: null }
  try {
    return { ...message, body: JSON.parse(text) as Json, text, fault: null }
  } catch (error) {
    return { ...message, body: text, text, fault: `is no JSON: ${(error as Error).message}` }
  }
}

function typed(schema: Json | undefined, text: string): Json {
  const types = isObject(schema) ? [schema.type].flat() : []
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true'
  const asked = types.includes('integer') || types.includes('number')
  return asked && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function checkHeaders(called: Called, answer: ReadAnswer, described: JsonObject): Mismatch[] {
  const declared = isObject(described.headers) ? described.headers : {}
  return Object.entries(declared).flatMap(([name, written]): Mismatch[] => {
    // What a response says of its Content-Type is ignored (OpenAPI 3.1.1, "Response Object").
    if (name.toLowerCase() === 'content-type') return []
    const header = derefObject(called.root, written)
    const text = answer.headers[name.toLowerCase()]
    if (text === undefined)
      return header.required === true ? [{ where: 'header', at: name, message: 'is required, and is missing' }] : []
    const { schema } = header
    const resolved = derefObject(called.root, schema)
    // The text of a list or an object has many readings.
    if (schema === undefined || ['array', 'object'].some((it) => [resolved.type].flat().includes(it))) return []
    return validate(schema, typed(resolved, text), { root: called.root, mode: 'response', dialect: '2020-12' }).map(
      ({ message }) => ({ where: 'header', at: name, message }),
    )
  })
}

const decided = (mismatches: readonly Mismatch[]): AnswerCheck => ({ mismatches, undecided: [] })

const faultsIn = (called: Called, schema: Json, body: Json) =>
  validate(schema, body, { root: called.root, mode: 'response', dialect: '2020-12', all: true })

const inBody = ({ path, message }: Pick<ReturnType<typeof faultsIn>[number], 'path' | 'message'>): Mismatch => ({
  where: 'body',
  at: formatPointer(path),
  message,
})

const valid = (called: Called, schema: Json, body: Json): Mismatch[] => faultsIn(called, schema, body).map(inBody)

type XmlPlaces = Awaited<ReturnType<typeof readXml>>['undecided']

/** Keywords that hold of an object or a list whatever one of its members is. */
const ofContainers = new Set(['required', 'additionalProperties', 'minItems', 'maxItems', 'type'])

const begins = (path: Path, other: Path): boolean => path.every((step, at) => String(step) === String(other[at]))

/** Whether a fault is one whatever is at the places that are not decided. */
const isDecided = ({ path, keyword }: ReturnType<typeof faultsIn>[number], open: XmlPlaces): boolean =>
  open.every((it) => !begins(it.path, path) && (!begins(path, it.path) || ofContainers.has(keyword)))

function undecidedSentences(open: XmlPlaces): readonly string[] {
  const listed = open.slice(0, mostUndecided).map(({ path, message }) => {
    const at = formatPointer(path).slice(0, longestPlace)
    return `The content at ${at} was not validated as XML: ${message}`
  })
  const more = open.length - listed.length
  return more === 0
    ? listed
    : [...listed, `${plural(more, 'more place')} of the content ${more === 1 ? 'was' : 'were'} not validated as XML`]
}

async function checkXml(called: Called, schema: Json, text: string): Promise<AnswerCheck> {
  try {
    const { value, faults, undecided } = await readXml(called.root, schema, text)
    const found = faultsIn(called, schema, value).filter((it) => isDecided(it, undecided))
    return {
      mismatches: [...faults.map((it) => ({ ...it, path: [...it.path] })), ...found].map(inBody),
      undecided: undecidedSentences(undecided),
    }
  } catch (error) {
    if (error instanceof XmlUndecided || error instanceof XmlUnread)
      return { mismatches: [], undecided: [`The content was not validated as XML: ${error.message}`] }
    if (!(error instanceof SelectorInvalid)) throw error
    return decided([{ where: 'body', at: '', message: 'is no well-formed XML' }])
  }
}

async function checkContent(called: Called, answer: ReadAnswer, { key, value }: Answer): Promise<AnswerCheck> {
  const content = isObject(value.content) ? value.content : {}
  if (Object.keys(content).length === 0) return decided([])
  const isEmpty = answer.text === ''
  if (isEmpty) {
    const hasNone = called.method === 'HEAD' || answer.status === 204 || answer.status === 304
    return decided(hasNone ? [] : [{ where: 'body', at: '', message: `is missing; the answer ${key} has a content` }])
  }
  const type = answer.headers['content-type']
  if (type === undefined) return decided([{ where: 'content-type', at: '', message: 'is missing' }])
  const media = mediaTypeOf(content, type)
  if (media === null) {
    const known = Object.keys(content).join(', ')
    const message = `is ${essenceOf(type)}, but the description has ${known}`
    return decided([{ where: 'content-type', at: '', message }])
  }
  if (answer.fault !== null) return decided([{ where: 'body', at: '', message: answer.fault }])
  const { schema } = media
  if (schema === undefined) return decided([])
  if (isXmlType(type)) {
    if (typeof answer.body === 'string') return checkXml(called, schema, answer.body)
    return { mismatches: [], undecided: ['The content was not validated as XML: it is not encoded as UTF-8'] }
  }
  const isChecked = isJsonType(type) || (essenceOf(type).startsWith('text/') && typeof answer.body === 'string')
  if (!isChecked || answer.body === undefined) return decided([])
  // A text has the type that its schema asks for; JSON has one of its own.
  const isText = typeof answer.body === 'string' && !isJsonType(type)
  return decided(valid(called, schema, isText ? typed(derefObject(called.root, schema), answer.body) : answer.body))
}

/** Checks an answer against its description: status, headers, media type, and a content that is JSON, XML or another text. */
export async function checkAnswer(called: Called, answer: ReadAnswer): Promise<AnswerCheck> {
  const described = answerOf(called, answer.status)
  if (described === null) {
    const keys = answerKeys(called)
    if (keys.length === 0) return decided([])
    const message = `is ${answer.status}, but the description has ${keys.join(', ')}`
    return decided([{ where: 'status', at: '', message }])
  }
  const { mismatches, undecided } = await checkContent(called, answer, described)
  const all = [...checkHeaders(called, answer, described.value), ...mismatches]
  return { mismatches: all.slice(0, mostMismatches), undecided }
}

/** A mismatch as a sentence. */
export const mismatchText = ({ where, at, message }: Mismatch): string => {
  const names = {
    status: 'The status',
    'content-type': 'The media type',
    header: `The header "${at}"`,
    body: 'The content',
  }
  const place = where === 'body' && at !== '' ? ` at ${at}` : ''
  return `${names[where]}${place} ${message}`
}
