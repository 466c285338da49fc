/** Linking installations of the GitHub App: a person proves to GitHub who they are, and gives what they can read themselves. */
import { SvcError } from '../../src/errors.ts'
import { type Grant, personOf, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import type { AppKey, Installation, VisitAnswer } from '../hosting/door.ts'
import {
  beginVisit,
  type EndedVisit,
  findApp,
  openAppClient,
  openAppKey,
  type Purpose,
  readReturn,
} from '../providers/door.ts'
import { keepAccount } from './keep.ts'
import { assertMayChange, ofTenant } from './record.ts'

/** Installations that one visit links. */
const mostLinked = 20

/** Where a browser is sent next, or what the page that it returns to is to know. */
export type Onward = { readonly to: string } | { readonly query: Readonly<Record<string, string>> }

interface Going {
  readonly deps: Deps
  readonly request: Request
  readonly isSession: boolean
}

/** The address at which a person says who they are, with a visit of its own. */
async function toPerson({ deps, request, isSession }: Going, purpose: Purpose) {
  const { host } = purpose
  const { clientId } = await findApp(deps.db.read, host)
  const visit = await beginVisit(deps, request, { ...purpose, isSession })
  const url = await deps.hosting.oauth.authorizationUrl({ provider: 'github', host, clientId, scopes: null }, visit)
  const address = new URL(url)
  // What an App may do is not asked for by scopes.
  address.searchParams.delete('scope')
  return { url: address.href, expires_at: visit.expiresAt }
}

/** The address at which the App is installed, with a visit of its own. */
async function toInstall({ deps, request, isSession }: Going, purpose: Purpose) {
  const { htmlUrl } = await findApp(deps.db.read, purpose.host)
  const visit = await beginVisit(deps, request, { ...purpose, isSession })
  return { url: `${htmlUrl}/installations/new?state=${visit.state}`, expires_at: visit.expiresAt }
}

/**
 * Begins to link installations of the App of a host.
 * @param given.install the person wants to install it elsewhere too, and sees that page first
 * @throws SvcError `provider-unsupported`, `git-app-missing`, `return-to-invalid`, `public-address-missing`, `permission-denied`
 */
export async function beginInstallation(
  deps: Deps,
  grant: Grant,
  request: Request,
  given: { readonly host?: string | null; readonly return_to: string; readonly install?: boolean },
) {
  assertMayChange(grant, ofTenant)
  const host = deps.hosting.hosts.read('github', given.host ?? null)
  const isSession = grant.principal?.kind === 'user' && grant.principal.via === 'session'
  const going = { deps, request, isSession }
  const purpose: Purpose = {
    purpose: 'app',
    tenantId: tenantOf(grant).id,
    userId: personOf(grant),
    provider: 'github',
    host,
    owner: ofTenant,
    returnTo: readReturn(given.return_to),
    detail: {},
  }
  return given.install === true ? toInstall(going, purpose) : toPerson(going, purpose)
}

/** The installations that a person may give away, of those that they see. */
async function givenBy(
  deps: Deps,
  key: AppKey,
  seen: readonly Installation[],
  userToken: string,
  signal: AbortSignal,
): Promise<readonly Installation[]> {
  const given: Installation[] = []
  for (const one of seen.slice(0, mostLinked))
    if (
      !one.isSuspended &&
      (await deps.hosting.apps.readsAll(key, { installation: one.id, userToken }, deps.clock, signal))
    )
      given.push(one)
  return given
}

/**
 * Continues after GitHub sent the browser back: from the installation to the person, and from the person to what is linked. Which
 * installation it was is only a hint of the browser; what the person can read is asked of GitHub.
 * @throws SvcError `git-app-missing`, `git-app-installation-refused`, `account-authorization-refused`, `provider-failed`
 */
export async function finishInstallation(
  deps: Deps,
  ended: EndedVisit,
  answer: VisitAnswer & { readonly installation_id?: string },
  request: Request,
): Promise<Onward> {
  const { host, tenantId, userId, owner, returnTo, detail, visit, isSession } = ended
  const purpose: Purpose = { purpose: 'app', tenantId, userId, provider: 'github', host, owner, returnTo, detail }
  const going = { deps, request, isSession }
  const named = answer.installation_id
  if (answer.code === undefined && answer.error === undefined && named !== undefined && /^\d{1,16}$/.test(named))
    return { to: (await toPerson(going, { ...purpose, detail: { installation: named } })).url }
  const tokens = await deps.hosting.oauth.redeem(await openAppClient(deps, host), answer, visit)
  const key = await openAppKey(deps, host)
  const { signal } = request
  const all = await deps.hosting.apps.installationsOf(host, tokens.token, key.appId, signal)
  const wanted = detail.installation
  if (wanted === undefined && all.length === 0) return { to: (await toInstall(going, purpose)).url }
  const seen = wanted === undefined ? all : all.filter(({ id }) => id === wanted)
  const linked: string[] = []
  for (const { id: installationId, login, permissions } of await givenBy(deps, key, seen, tokens.token, signal)) {
    const found = { tenantId: tenantId ?? '', owner: ofTenant, provider: 'github', host, kind: 'app' } as const
    const account = { ...found, login, scopes: [...permissions], installationId }
    linked.push((await keepAccount(deps, { kind: 'user', userId, via: 'session' }, account, null)).id)
  }
  if (linked.length === 0) throw new SvcError('git-app-installation-refused', { host })
  return { query: { linked_account: linked.join(',') } }
}
