import type { Place } from '../side.ts'

/** How a value is written as text. */
export interface Serialisation {
  readonly style: string
  readonly explode: boolean
}

export interface MediaType {
  readonly place: Place
  readonly schema: Place | null
  readonly encoding: Place | null
}

export interface Parameter extends Serialisation {
  readonly place: Place
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly allowReserved: boolean
  readonly allowEmptyValue: boolean
  readonly deprecated: boolean
  readonly schema: Place | null
  readonly content: ReadonlyMap<string, MediaType>
}

export interface Body {
  readonly place: Place
  readonly required: boolean
  readonly content: ReadonlyMap<string, MediaType>
}

export interface Header {
  readonly place: Place
  readonly name: string
  readonly required: boolean
  readonly schema: Place | null
  readonly content: ReadonlyMap<string, MediaType>
}

export interface Answer {
  readonly place: Place
  readonly status: string
  readonly headers: ReadonlyMap<string, Header>
  readonly content: ReadonlyMap<string, MediaType>
  readonly links: ReadonlyMap<string, Place>
}

export interface Operation {
  readonly place: Place
  readonly method: string
  readonly template: string
  /** The path item, for what it says to all of its operations. */
  readonly item: Place
  /** By place and name; path parameters by their position in the template, because their names are nobody's business. */
  readonly parameters: ReadonlyMap<string, Parameter>
  readonly body: Body | null
  readonly answers: ReadonlyMap<string, Answer>
  readonly security: Place | null
  readonly servers: Place | null
  readonly deprecated: boolean
  readonly callbacks: ReadonlyMap<string, ReadonlyMap<string, readonly Operation[]>>
}
