import type { Endpoint, Input, Output } from '../../src/api/endpoint.ts'
import type { Grant } from '../auth/door.ts'
import type { Reply } from './reply.ts'

/** What a handler knows of the request beside its input. */
export interface Context {
  readonly endpoint: Endpoint
  readonly grant: Grant
  readonly requestId: string
  /** The Accept header, "" when absent. */
  readonly accept: string
  readonly ifNoneMatch: string | null
  readonly ifMatch: string | null
  readonly idempotencyKey: string | null
  /** Media type of a raw body without parameters; null for a JSON or no body. */
  readonly mediaType: string | null
  /** The request itself, for what depends on its connection (address, cookies): for signing in only. */
  readonly request: Request
  readonly signal: AbortSignal
}

/** Answers one operation from its validated input: with a value of the declared response, or a `Reply`. */
export type Handler<E extends Endpoint> = (
  input: Input<E>,
  context: Context,
) => Promise<Output<E> | Reply> | Output<E> | Reply

/** A function for each operation of a group of endpoints. A missing one does not compile. */
export type Handlers<C extends Readonly<Record<string, Endpoint>>> = { readonly [K in keyof C]: Handler<C[K]> }

/** An operation with the function that answers it. */
export interface Route {
  readonly endpoint: Endpoint
  readonly handle: (input: never, context: Context) => unknown
}

/** Binds the operations of a group of endpoints to their handlers. */
export const routesOf = <C extends Readonly<Record<string, Endpoint>>>(group: C, handlers: Handlers<C>): Route[] =>
  Object.entries(group).map(([name, endpoint]) => ({ endpoint, handle: handlers[name as keyof C] as Route['handle'] }))
