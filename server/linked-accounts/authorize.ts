import { eq } from 'drizzle-orm'
import { tenants } from '../../db/tables.gen.ts'
import { linkedAccountsApi, type GitProvider } from '../../src/api/linked-accounts.ts'
import { type Code, SvcError } from '../../src/errors.ts'
import { authorize, type Grant, personOf, tenantOf, wholeOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { VisitAnswer } from '../hosting/door.ts'
import { Reply } from '../http/door.ts'
import {
  beginVisit,
  type EndedVisit,
  endVisit,
  findClient,
  finishManifest,
  openClient,
  providerRecords,
  readReturn,
} from '../providers/door.ts'
import { beginInstallation, finishInstallation, type Onward } from './install.ts'
import { keepAccount } from './keep.ts'
import { assertMayChange, ofTenant } from './record.ts'

/** The hosts where accounts can be linked, and how. */
export async function listMethods(deps: Deps) {
  const all = await providerRecords(deps.db.read, deps.hosting.hosts)
  return {
    providers: all.map(({ provider, host, oauth, app }) => ({
      provider,
      host,
      methods: [
        'token' as const,
        ...(oauth === null ? [] : ['oauth' as const]),
        ...(app === null ? [] : ['app' as const]),
      ],
    })),
  }
}

export interface AuthorizeInput {
  readonly provider: GitProvider
  readonly host?: string | null
  readonly return_to: string
  readonly owner?: 'user' | 'tenant'
  readonly kind?: 'oauth' | 'app'
  readonly install?: boolean
}

/**
 * Begins to link an account: where to send the browser.
 * @throws SvcError `provider-unsupported`, `provider-oauth-missing`, `return-to-invalid`, `public-address-missing`, `permission-denied`
 */
export async function beginAuthorization(deps: Deps, grant: Grant, request: Request, input: AuthorizeInput) {
  const { provider } = input
  if (input.kind === 'app') {
    if (provider !== 'github')
      throw new SvcError('provider-unsupported', { host: input.host ?? provider, reason: 'only GitHub has Apps' })
    return beginInstallation(deps, grant, request, input)
  }
  const owner = input.owner === 'tenant' ? ofTenant : personOf(grant)
  assertMayChange(grant, owner)
  const host = deps.hosting.hosts.read(provider, input.host ?? null)
  const { clientId, scopes } = await findClient(deps.db.read, provider, host)
  const visit = await beginVisit(deps, request, {
    purpose: 'oauth',
    tenantId: tenantOf(grant).id,
    userId: personOf(grant),
    provider,
    host,
    owner,
    returnTo: readReturn(input.return_to),
    detail: {},
    isSession: grant.principal?.kind === 'user' && grant.principal.via === 'session',
  })
  const url = await deps.hosting.oauth.authorizationUrl({ provider, host, clientId, scopes }, visit)
  return { url, expires_at: visit.expiresAt }
}

/** What a page has words for; anything else is for the log. */
const shownCodes: readonly Code[] = [
  'account-authorization-expired',
  'account-authorization-refused',
  'account-token-refused',
  'permission-denied',
  'provider-failed',
  'provider-oauth-missing',
  'secret-key-missing',
  'git-app-missing',
  'git-app-exists',
  'git-app-installation-refused',
  'operator-required',
]

/** What a provider may bring back; whatever else it appends is left alone. */
export type CallbackQuery = VisitAnswer & { readonly installation_id?: string }

const leadOut = (location: string): Reply =>
  new Reply({ status: 302, headers: { location, 'referrer-policy': 'no-referrer' }, body: null })

const leadTo = (path: string, query: Readonly<Record<string, string>>): Reply => {
  const base = 'http://application.invalid'
  const url = new URL(path, base)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const location = url.href.slice(base.length)
  return leadOut(location)
}

function codeOf({ code }: SvcError): Code {
  if (shownCodes.includes(code)) return code
  const standing: readonly Code[] = [
    'tenant-access-denied',
    'membership-suspended',
    'second-factor-setup-required',
    'tenant-not-found',
  ]
  return standing.includes(code) ? 'permission-denied' : 'provider-failed'
}

/**
 * Takes the browser back from a provider and leads it on into the application: only codes travel in the address, so that no one
 * can put words of theirs on a page.
 */
export async function finishAuthorization(deps: Deps, answer: CallbackQuery, request: Request): Promise<Reply> {
  const ended = await endVisit(deps, request, answer.state)
  if (ended === 'sign-in') return leadTo('/app/sign-in', { error: 'account-authorization-expired' })
  if (ended === null) return leadTo('/app/', { error: 'account-authorization-expired' })
  try {
    const onward = await finish(deps, ended, answer, request)
    return 'to' in onward ? leadOut(onward.to) : leadTo(ended.returnTo, onward.query)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return leadTo(ended.returnTo, { error: codeOf(error) })
  }
}

async function finish(deps: Deps, ended: EndedVisit, answer: CallbackQuery, request: Request): Promise<Onward> {
  const { signal } = request
  if (ended.purpose === 'manifest') return { query: await finishManifest(deps, ended, answer.code, signal) }
  const standing = await standingOf(deps, ended)
  const { iss, error, code, state, installation_id: installation } = answer
  const known = Object.fromEntries(Object.entries({ iss, error, code, state }).filter(([, it]) => it !== undefined))
  if (ended.purpose === 'app') {
    const named = installation === undefined ? {} : { installation_id: installation }
    return finishInstallation(deps, ended, { ...known, ...named }, request)
  }
  const { provider, host, visit } = ended
  const client = await openClient(deps, provider, host)
  const tokens = await deps.hosting.oauth.redeem(client, known, visit)
  const found = await deps.hosting.api.identify({ provider, host, token: tokens.token, email: null }, signal)
  const { login } = found
  const scopes = found.scopes.length > 0 ? found.scopes : tokens.scopes
  const account = {
    ...standing,
    provider,
    host,
    kind: 'oauth' as const,
    login,
    scopes: [...scopes],
    installationId: null,
  }
  const row = await keepAccount(deps, { kind: 'user', userId: ended.userId, via: 'session' }, account, tokens)
  return { query: { linked_account: row.id } }
}

/** What the person may still do in the organization: roles change while someone is away. */
async function standingOf(
  deps: Deps,
  { tenantId, userId, owner }: EndedVisit,
): Promise<{ readonly tenantId: string; readonly owner: string }> {
  const [tenant] = await deps.db.read
    .select({ id: tenants.id, slug: tenants.slug })
    .from(tenants)
    .where(eq(tenants.id, tenantId ?? ''))
  if (!tenant) throw new SvcError('tenant-not-found', { tenant: tenantId ?? '' })
  const principal = { kind: 'user', userId, via: 'session' } as const
  assertMayChange(await authorize(deps.db, principal, linkedAccountsApi.create.access, wholeOf(tenant.slug)), owner)
  return { tenantId: tenant.id, owner }
}
