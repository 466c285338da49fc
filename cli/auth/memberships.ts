import { MembershipRecord, tenantsApi } from '../../src/api/tenants.ts'
import type { Invocation, Result } from '../declare.ts'
import { derive } from '../derive.ts'
import { moreOf, pageCounts, pageOptions } from '../paging.ts'
import { renderFacts, renderTable } from '../table.ts'

/** JSON Schema of the data of `svc auth whoami` and its alias. */
export const whoamiSchema = {
  type: 'object',
  properties: {
    service: { type: 'string' },
    kind: { type: 'string', enum: ['user', 'api-key'] },
    credential: {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['api-key', 'login', 'none'] },
        source: { type: ['string', 'null'], description: 'The flag or variable of the key, the file of the sign-in.' },
        name: { type: ['string', 'null'], description: 'The first characters of the key, or who signed in.' },
      },
    },
    memberships: { type: 'array', items: MembershipRecord },
  },
}

/** Columns of a list of tenants. */
export const tenantTable = (items: readonly MembershipRecord[]): string =>
  renderTable(
    ['TENANT', 'ROLE', 'STATUS', 'PLAN', 'NAME'],
    items.map((it) => [it.slug, it.role, it.status, it.plan?.slug ?? '-', it.name]),
  )

/** What a request is sent with. The key itself is never shown: its first characters tell keys apart. */
interface Credential {
  readonly kind: 'api-key' | 'login' | 'none'
  readonly source: string | null
  readonly name: string | null
}

async function credentialOf({ globals, env, signal }: Invocation<unknown, unknown>): Promise<Credential> {
  const { baseUrl, apiKey, timeoutMs } = globals
  const none = { kind: 'none', source: null, name: null } as const
  if (baseUrl === undefined) return none
  if (apiKey !== undefined) {
    const source = apiKey === env.SVC_API_KEY ? 'SVC_API_KEY' : '--api-key'
    return { kind: 'api-key', source, name: `${apiKey.slice(0, 12)}…` }
  }
  const { Login } = await import('../connection/login.ts')
  const login = new Login(env, { baseUrl, timeoutMs, signal })
  const stored = login.stored()
  return stored === null ? none : { kind: 'login', source: login.path, name: stored.email }
}

function describeCredential({ kind, source, name }: Credential): string {
  if (kind === 'api-key') return `the key ${name} of ${source}`
  if (kind === 'login') return `the sign-in of ${name}, kept in ${source}`
  return 'no credentials: the workspace is yours'
}

/**
 * What the credentials are good for, by GET /v1/tenants/me: a key has its one tenant with the role `member`, a person
 * every membership.
 */
export async function whoami(invocation: Invocation<unknown, unknown>): Promise<Result> {
  const { call, describe } = await invocation.connection()
  const page = await call(tenantsApi.me, { query: { limit: 200 } })
  const credential = await credentialOf(invocation)
  const kind = page.items.some((it) => it.role === 'member') ? 'api-key' : 'user'
  const facts = renderFacts([
    ['service', describe],
    ['as', kind === 'api-key' ? 'an API key' : 'a person'],
    ['with', describeCredential(credential)],
  ])
  const more = page.total > page.items.length ? `… ${page.total - page.items.length} more: svc auth tenants\n` : ''
  return {
    data: { service: describe, kind, credential, memberships: page.items },
    summary: { total: page.total },
    text: () =>
      page.items.length === 0 ? `${facts}No organizations yet.\n` : `${facts}\n${tenantTable(page.items)}${more}`,
  }
}

/** `svc tenant list`, and `svc auth tenants`. */
export const tenantList = (summary: string, name: string) =>
  derive(tenantsApi.me, {
    summary,
    examples: [`svc ${name}`, `svc ${name} --limit 10 --offset 10 --json`],
    options: pageOptions,
    data: 'items',
    counts: pageCounts,
    text: (page) => (page.items.length === 0 ? 'No organizations.\n' : tenantTable(page.items) + moreOf(page)),
  })
