import type { PlacedValue } from '../side.ts'

/** How a value is written as text. */
export interface Serialisation {
  readonly style: string
  readonly explode: boolean
}

export interface MediaType {
  readonly place: PlacedValue
  /** The media type as it is written. */
  readonly name: string
  readonly schema: PlacedValue | null
  /** The schema of each item of a sequence (OpenAPI 3.2). */
  readonly itemSchema: PlacedValue | null
  readonly encoding: PlacedValue | null
  /** The encodings of the parts by position, and of those after them (OpenAPI 3.2). */
  readonly prefixEncoding: PlacedValue | null
  readonly itemEncoding: PlacedValue | null
}

/** A place where requests go. */
export interface Server {
  readonly place: PlacedValue
  /** The URL as it is written. */
  readonly written: string
  /** Normalised URLs that the template expands to: every combination of listed values, else the defaults. */
  readonly urls: readonly string[]
  /** The normalised template with `{*}` where any value is allowed; null without such a variable. */
  readonly open: string | null
}

/** The servers of an operation and where they are written; null where the document says nothing. */
export interface Servers {
  readonly place: PlacedValue | null
  readonly list: readonly Server[]
}

export interface Parameter extends Serialisation {
  readonly place: PlacedValue
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly allowReserved: boolean
  readonly allowEmptyValue: boolean
  readonly deprecated: boolean
  readonly schema: PlacedValue | null
  readonly content: ReadonlyMap<string, MediaType>
}

export interface Body {
  readonly place: PlacedValue
  readonly required: boolean
  readonly content: ReadonlyMap<string, MediaType>
}

export interface Header {
  readonly place: PlacedValue
  readonly name: string
  readonly required: boolean
  /** Always `simple`; in Swagger 2.0 arrays can have other separators. */
  readonly style: string
  readonly explode: boolean
  readonly schema: PlacedValue | null
  readonly content: ReadonlyMap<string, MediaType>
}

export interface Answer {
  readonly place: PlacedValue
  readonly status: string
  readonly headers: ReadonlyMap<string, Header>
  readonly content: ReadonlyMap<string, MediaType>
  readonly links: ReadonlyMap<string, PlacedValue>
}

/** A call of the service back to its client. The key is a name in the document, the address is what the call is known by. */
export interface Callback {
  readonly key: string
  /** The runtime expression of the URL. */
  readonly expression: string
  readonly operation: Operation
}

export interface Operation {
  readonly place: PlacedValue
  /** As it is in requests: the case counts (RFC 9110, section 9.1). */
  readonly method: string
  readonly template: string
  /** By place and name; path parameters by their position in the template, because callers do not see their names. */
  readonly parameters: ReadonlyMap<string, Parameter>
  readonly body: Body | null
  readonly answers: ReadonlyMap<string, Answer>
  readonly security: PlacedValue | null
  readonly servers: Servers
  readonly deprecated: boolean
  /** The operations of its callbacks. */
  readonly callbacks: readonly Callback[]
}
