/** The setup of scenario rows: one tenant with a member of every role and status, a foreign tenant, keys of every kind. */
import { expect } from 'bun:test'
import type { Database } from '../../../db/database.ts'
import { addAgentKey, addApiKey, addMcpKey, addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import {
  type Answer,
  cheapHash,
  goodPassword,
  type Service,
  startIdentityService,
} from '../../fixtures/identity-service.ts'

export const people = ['owner', 'admin', 'editor', 'viewer', 'pending', 'suspended', 'stranger', 'foreigner'] as const
type Person = (typeof people)[number]
type Key = 'key' | 'key-diff' | 'key-lint' | 'agent-key' | 'mcp-key'
/** Who asks: a person with an access token, a person in a browser, a key, or no one. */
export type Asker = Person | `${Person} in a browser` | Key | `${Key} as bearer` | 'nobody'

/** One sentence of the specification, tried. */
export interface MatrixRow {
  readonly says: string
  readonly as: Asker
  /** "GET /v1/…"; `:name` is replaced by the id of a person, `:acme` and `:other` by those of the tenants. */
  readonly ask: string
  readonly body?: unknown
  readonly status: number
  /** The code of the refusal. */
  readonly code?: string
  /** What the answer has at least. */
  readonly has?: unknown
  /** What the answer is, exactly. */
  readonly is?: unknown
}

export interface Scenario extends Service {
  readonly ids: Readonly<Record<string, string>>
  readonly as: (asker: Asker, line: string, body?: unknown) => Promise<Answer>
}

export async function makeScenario(
  db: Database,
  settings: Parameters<typeof startIdentityService>[1] = {},
): Promise<Scenario> {
  const service = startIdentityService(db, settings)
  const ids: Record<string, string> = { acme: await addTenant(db, 'acme'), other: await addTenant(db, 'other', null) }
  // Everybody has the same password.
  const passwordHash = await cheapHash(goodPassword)
  for (const name of people) ids[name] = await addUser(db, name, passwordHash)
  const { acme = '', other = '' } = ids
  for (const role of ['owner', 'admin', 'editor', 'viewer'] as const) await addMember(db, acme, ids[role] ?? '', role)
  await addMember(db, acme, ids.pending ?? '', 'editor', 'pending')
  await addMember(db, acme, ids.suspended ?? '', 'owner', 'suspended')
  await addMember(db, other, ids.foreigner ?? '', 'owner')
  const keys: Readonly<Record<string, string>> = {
    key: await addApiKey(db, acme),
    'key-diff': await addApiKey(db, acme, { scopes: ['diff:read'] }),
    'key-lint': await addApiKey(db, acme, { scopes: ['lint:read'] }),
    'agent-key': await addAgentKey(db, acme),
    'mcp-key': await addMcpKey(db, acme),
  }
  const headersOf = async (asker: Asker): Promise<Record<string, string>> => {
    const [name = '', way = ''] = asker.split(/ (?:in a|as) /)
    if (name === 'nobody') return {}
    const key = keys[name]
    if (key !== undefined) return way === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }
    return way === 'browser' ? service.browser(ids[name] ?? '') : service.bearer(ids[name] ?? '')
  }
  const fill = (text: string): string => text.replaceAll(/:(\w+)/g, (whole, name: string) => ids[name] ?? whole)
  const as: Scenario['as'] = async (asker, line, body) =>
    service.ask(fill(line), {
      headers: await headersOf(asker),
      ...(body === undefined ? {} : { body: JSON.parse(fill(JSON.stringify(body))) as unknown }),
    })
  return { ...service, ids, as }
}

/** Asks what a row asks and compares; the row itself is part of what is compared, so that a failure names it. */
export async function tryRow(scenario: Scenario, row: MatrixRow): Promise<void> {
  const { status, body } = await scenario.as(row.as, row.ask, row.body)
  const named = `${row.says} [${row.as}: ${row.ask}]`
  expect([named, status, body?.detail?.code ?? null]).toEqual([named, row.status, row.code ?? null])
  if (row.has !== undefined) expect({ named, body }).toMatchObject({ named, body: row.has as object })
  if (row.is !== undefined) expect({ named, body }).toEqual({ named, body: row.is })
  expect(scenario.faults).toEqual([])
}
