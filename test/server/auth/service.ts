/** The identity part of the service over a real database, called through its whole pipeline without a socket. */
import type { Database } from '../../../db/database.ts'
import { noteAddress } from '../../../server/auth/address.ts'
import { createIdentity, type Identity, type IdentitySettings } from '../../../server/auth/identity.ts'
import { hashPassword } from '../../../server/auth/password.ts'
import { identityRoutes } from '../../../server/auth/all-routes.ts'
import { beginSession } from '../../../server/auth/session.ts'
import { mount } from '../../../server/http/mount.ts'
import type { Deps } from '../../../server/deps.ts'
import { addUser, depsOver, handClock, type HandClock } from './house.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of many shapes
  readonly body: any
}

export interface Ask {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The peer's address; by default an address of its own for each request, so that no budget is shared. */
  readonly address?: string
}

export interface Service {
  readonly db: Database
  readonly clock: HandClock
  readonly identity: Identity
  readonly faults: unknown[]
  /** Answers a request as the server would. */
  readonly handle: (request: Request) => Promise<Response>
  readonly ask: (line: string, request?: Ask) => Promise<Answer>
  /** Headers of a browser session of a user, CSRF token included. */
  readonly browser: (userId: string) => Promise<Record<string, string>>
  /** Headers with an access token of a user. */
  readonly bearer: (userId: string) => Promise<Record<string, string>>
}

let addresses = 0

export function startService(db: Database, settings: Partial<IdentitySettings & Deps> = {}): Service {
  const clock = handClock()
  const faults: unknown[] = []
  const identity = createIdentity(depsOver(db, clock, settings), {
    issuer: 'https://svc.example',
    secureCookies: false,
    ...settings,
  })
  const app = mount(identityRoutes(identity), {
    gatekeeper: identity.gatekeeper,
    onFault: (fault) => faults.push(fault),
  })
  const handle = (request: Request): Promise<Response> => Promise.resolve(app.handle(request))
  const ask = async (line: string, { body, headers, address }: Ask = {}): Promise<Answer> => {
    const [method = '', target = ''] = line.split(' ')
    const request = new Request(`http://localhost${target}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const response = await handle(noteAddress(request, address ?? `10.0.0.${++addresses}`))
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  const browser = async (userId: string): Promise<Record<string, string>> => {
    const begun = await db.inTransaction((tx) =>
      beginSession(tx, { userId, userAgent: 'test', now: clock.now(), secure: false }),
    )
    return { cookie: begun.cookie.split(';')[0] ?? '', 'x-csrf-token': begun.csrf }
  }
  const bearer = async (userId: string): Promise<Record<string, string>> => ({
    authorization: `Bearer ${(await identity.tokens.issue(userId)).token}`,
  })
  return { db, clock, identity, faults, handle, ask, browser, bearer }
}

export const goodPassword = 'a long enough secret'

/** A person who can sign in with `goodPassword`. */
export const addPerson = async (db: Database, name: string): Promise<string> =>
  addUser(db, name, await hashPassword(goodPassword, `${name}@example.com`))

/** Status and code (or whole body where there is none): what most tests compare. */
export const brief = ({ status, body }: Answer): unknown => [status, body?.detail?.code ?? body]
