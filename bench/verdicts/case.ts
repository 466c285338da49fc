/** A case of the benchmark: its shape, and how it is kept in a folder. */
import { closeSync, existsSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

export const tracks = ['atoms', 'compositions', 'real', 'versions', 'silence', 'schema', 'hostile', 'size'] as const
/** The track whose cases no seed makes: they are parts of what others published. */
export const publishedTrack = 'versions'
export type Track = (typeof tracks)[number]
export type Direction = 'request' | 'response' | 'both' | 'schema'
export type Verdict = 'breaking' | 'safe' | 'policy' | 'undecidable'
export type Side = 'base' | 'head'

/** One request as it is sent. A body of a JSON media type is its value, any other body its text. */
export interface RequestMessage {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  /** What the token in `authorization` was granted. */
  readonly scopes?: readonly string[]
}

/** One response, with the request that asked for it. */
export interface ResponseMessage {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
}

export type Message = { readonly request: RequestMessage } | { readonly response: ResponseMessage }

/** A value or message that one side accepts and the other refuses. A value is the whole schema's, or the JSON body's of the only operation. */
export interface Counterexample {
  readonly accepts: Side
  readonly refuses: Side
  readonly value?: Json
  readonly message?: Message
}

/** Why nothing breaks, or why nothing decides; `samples` is how many drawn instances found no refutation. */
export interface Reason {
  readonly reason: string
  readonly samples: number
}

export interface Case {
  readonly id: string
  readonly track: Track
  readonly direction: Direction
  readonly verdict: Verdict
  /** What the documents leave open, of a policy case. */
  readonly question?: string
  readonly certificate: Counterexample | Reason
  readonly source: string
}

/** A case with its documents as values, before it is written. */
export interface MadeCase extends Case {
  readonly base: JsonObject | boolean
  readonly head: JsonObject | boolean
}

/** A case of a folder, with the paths of its documents. */
export interface StoredCase extends Case {
  readonly folder: string
  /** What the documents are: a version of OpenAPI, or a JSON Schema. */
  readonly language: '2.0' | '3.0' | '3.1' | '3.2' | 'JSON Schema'
  readonly base: string
  readonly head: string
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isCounterexample = (certificate: Case['certificate']): certificate is Counterexample =>
  'accepts' in certificate

/** The side whose messages the other one has to accept, of a direction. */
export const senderOf = (direction: Direction): Side => (direction === 'response' ? 'head' : 'base')

const fileOf = (folder: string, side: Side): string => {
  const found = readdirSync(folder).find((name) => name.startsWith(`${side}.`))
  if (found === undefined) throw new Error(`${folder} has no ${side} document`)
  return join(folder, found)
}

/** Read from the first words of the document, as tools do. */
function languageOf(path: string): StoredCase['language'] {
  const bytes = Buffer.alloc(200)
  const file = openSync(path, 'r')
  readSync(file, bytes)
  closeSync(file)
  const found = /"?(?:swagger|openapi)"?: ["']?(2\.0|3\.\d)/.exec(bytes.toString())
  return (found?.[1] ?? 'JSON Schema') as StoredCase['language']
}

/** The cases of a folder, by track and id. @throws Error where a case has no documents. */
export function readCases(folder: string): StoredCase[] {
  return tracks.flatMap((track) => {
    const under = join(folder, track)
    if (!existsSync(under)) return []
    return readdirSync(under)
      .sort()
      .map((id) => {
        const path = join(under, id)
        const read = JSON.parse(readFileSync(join(path, 'case.json'), 'utf8')) as Case
        const base = fileOf(path, 'base')
        return { ...read, folder: path, language: languageOf(base), base, head: fileOf(path, 'head') }
      })
  })
}
