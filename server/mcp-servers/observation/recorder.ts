import { isObject, type Json, type JsonObject } from '../../../src/kernel/json.ts'
import { hasMoreValuesThan, nestsDeeperThan } from '../../../src/document/json-depth.ts'
import { ObservationFailed, type ObservationFailure } from './failure.ts'
import { shapeLimits, type ObservationLimits } from './limits.ts'

/** The lists of a server, and where their items are in an answer. */
export const listMethods = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const
export type ListMethod = keyof typeof listMethods

/** All that a client may send: nothing here runs a tool or reads a resource. */
const allowedMethods = new Set<string>([
  'initialize',
  'server/discover',
  'notifications/initialized',
  'notifications/cancelled',
  ...Object.keys(listMethods),
])

type Message = JsonObject & { readonly jsonrpc: '2.0' }

/** An answer to a request of ours. */
interface Answer {
  readonly result?: JsonObject
  /** The whole message as it was sent. */
  readonly raw?: string
  readonly error?: { readonly code: number; readonly message: string }
}

const isId = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/**
 * Is between the client and a server. It reads the bytes that the server sends, keeps the answers as they were sent, and
 * hands the client only what it needs to continue: the client drops properties that it does not know, and checks what does
 * not matter here. Requests of the server end here.
 */
export class Recorder {
  readonly #limits: ObservationLimits
  readonly #stop: AbortController
  readonly #asked = new Map<string | number, string>()
  readonly #answers = new Map<string | number, Answer>()
  #last: string | number | null = null
  /** Why the observation ended early. */
  failure: ObservationFailed | null = null
  bytes = 0

  constructor(limits: ObservationLimits, stop: AbortController) {
    this.#limits = limits
    this.#stop = stop
  }

  /** Bytes that may still come. */
  get left(): number {
    return Math.max(0, this.#limits.maxBytes - this.bytes)
  }

  /** Ends the observation; the first reason is kept. */
  fail(kind: ObservationFailure, message: string): ObservationFailed {
    this.failure ??= new ObservationFailed(kind, message)
    this.#stop.abort(this.failure)
    return this.failure
  }

  /** Counts what was received. @throws ObservationFailed */
  count(bytes: number): void {
    this.bytes += bytes
    if (this.bytes > this.#limits.maxBytes)
      throw this.fail('too-large', `It sends more than ${this.#limits.maxBytes / 1024 / 1024} MB.`)
  }

  /**
   * Notes a message that the client is about to send.
   * @returns whether it may be sent
   */
  sends(message: unknown): boolean {
    const list = (Array.isArray(message) ? message : [message]) as readonly Json[]
    return list.every((one) => {
      if (!isObject(one)) return false
      const { id, method } = one
      // An answer to a request of the server: there is none, since those are not handed on.
      if (typeof method !== 'string' || !allowedMethods.has(method)) return false
      if (isId(id)) {
        this.#asked.set(id, method)
        this.#last = id
      }
      return true
    })
  }

  /**
   * Reads a text that a server sent.
   * @returns the messages that the client gets: answers to its requests, their lists emptied
   * @throws ObservationFailed for what is not a message, or too large to be looked at
   */
  read(text: string): Message[] {
    const bytes = new TextEncoder().encode(text)
    if (nestsDeeperThan(bytes, shapeLimits.maxDepth))
      throw this.fail('too-large', `What it sends nests deeper than ${shapeLimits.maxDepth} levels.`)
    if (hasMoreValuesThan(bytes, shapeLimits.maxValues))
      throw this.fail(
        'too-large',
        `What it sends consists of more than ${shapeLimits.maxValues.toLocaleString('en')} values.`,
      )
    let value: Json
    try {
      value = JSON.parse(text) as Json
    } catch {
      throw this.fail('protocol', 'What it sends is not JSON.')
    }
    const list = Array.isArray(value) ? (value as readonly Json[]) : [value]
    return list.flatMap((one) => this.#take(one, list.length === 1 ? text : JSON.stringify(one)))
  }

  #take(value: Json, raw: string): Message[] {
    if (!isObject(value) || value.jsonrpc !== '2.0') throw this.fail('protocol', 'What it sends is not JSON-RPC 2.0.')
    const { id, result, error } = value
    const method = isId(id) ? this.#asked.get(id) : undefined
    if (!isId(id) || method === undefined) return []
    if (isObject(result)) {
      this.#answers.set(id, { result, raw })
      return [{ ...value, jsonrpc: '2.0', result: emptied(method, result) }]
    }
    if (isObject(error)) {
      const code = typeof error.code === 'number' ? error.code : 0
      const message = typeof error.message === 'string' ? error.message.slice(0, 500) : 'an error without a message'
      this.#answers.set(id, { error: { code, message } })
      return [{ jsonrpc: '2.0', id, error: { code, message } }]
    }
    throw this.fail('protocol', `Its answer to ${method} has neither a result nor an error.`)
  }

  /** The answer to the request that was sent last; null where none came. */
  lastAnswer(): Answer | null {
    return this.#last === null ? null : (this.#answers.get(this.#last) ?? null)
  }

  /** The answer to the last request of a method that had a result. */
  answerOf(method: string): Answer | null {
    const ids = [...this.#asked].filter(([, asked]) => asked === method).map(([id]) => id)
    return ids.map((id) => this.#answers.get(id) ?? null).findLast((it) => it?.result !== undefined) ?? null
  }
}

/** A result of a list without its items. */
function emptied(method: string, result: JsonObject): JsonObject {
  const key = (listMethods as Readonly<Record<string, string>>)[method]
  return key === undefined ? result : { ...result, [key]: [] }
}
