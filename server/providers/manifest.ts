/** Making a GitHub App by a manifest: the browser carries the manifest to GitHub and brings back a code for the App. */
import { createHash, randomBytes } from 'node:crypto'
import { SvcError } from '../../src/errors.ts'
import { escapeHtml } from '../web/door.ts'
import { assertOperator, type Grant, personOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { parseAddress } from '../egress/door.ts'
import { Reply } from '../http/door.ts'
import { beginVisit, peekVisit, readReturn, redirectUriOf, type EndedVisit } from './visits.ts'
import { findApp, keepApp } from './apps.ts'

export interface ManifestInput {
  readonly host?: string | null
  readonly organization?: string | null
  readonly name?: string | null
  readonly reports?: boolean
  readonly return_to: string
}

/** Whether a provider on the internet could reach an address; GitHub refuses to make an App that reports to another one. */
function isReachable(base: string, host: string): boolean {
  const url = URL.parse(base)
  if (url === null) return false
  if (host !== 'github.com') return true
  const address = parseAddress(url.hostname.replaceAll(/[[\]]/g, ''))
  return address === null ? url.hostname.includes('.') : address.range() === 'unicast'
}

/**
 * Begins to make an App: the page that posts its manifest.
 * @throws SvcError `provider-unsupported`, `git-app-exists`, `return-to-invalid`, `public-address-missing`
 */
export async function beginManifest(deps: Deps, grant: Grant, request: Request, input: ManifestInput) {
  const { read } = deps.db
  const host = deps.hosting.hosts.read('github', input.host ?? null)
  const exists = await findApp(read, host).then(
    () => true,
    () => false,
  )
  if (exists) throw new SvcError('git-app-exists', { host })
  const { organization, name } = input
  const visit = await beginVisit(deps, request, {
    purpose: 'manifest',
    tenantId: null,
    userId: personOf(grant),
    provider: 'github',
    host,
    owner: 'service',
    returnTo: readReturn(input.return_to),
    detail: {
      reports: input.reports === true,
      ...(isReachable(deps.publicUrl(), host) ? { hookToken: randomBytes(16).toString('base64url') } : {}),
      ...(organization === undefined || organization === null ? {} : { organization }),
      ...(name === undefined || name === null ? {} : { name }),
    },
    isSession: true,
  })
  return { url: `/_app/providers/github/manifest?state=${visit.state}`, expires_at: visit.expiresAt }
}

/** What an App may do and where it reports to, in the words of GitHub. */
function manifestOf(deps: Deps, { detail }: Pick<EndedVisit, 'detail'>): object {
  const callback = redirectUriOf(deps)
  const base = deps.publicUrl()
  const reports = detail.reports === true ? { statuses: 'write', pull_requests: 'write' } : {}
  return {
    name: detail.name ?? `svc ${new URL(base).hostname}`.slice(0, 34),
    url: base,
    redirect_url: callback,
    callback_urls: [callback],
    setup_url: callback,
    setup_on_update: true,
    public: false,
    default_permissions: { contents: 'read', metadata: 'read', ...reports },
    ...(detail.hookToken === undefined
      ? {}
      : {
          hook_attributes: { url: `${base}/v1/hooks/github/${detail.hookToken}`, active: true },
          default_events: ['push'],
        }),
  }
}

const script = 'document.forms[0].submit()'
const scriptHash = createHash('sha256').update(script).digest('base64')

/**
 * The page that posts the manifest: forms of the application itself reach no other origin.
 * @throws SvcError `account-authorization-expired`
 */
export async function manifestPage(deps: Deps, request: Request, state: string | undefined): Promise<Reply> {
  const visit = await peekVisit(deps, request, state)
  if (visit === null || visit.purpose !== 'manifest') throw new SvcError('account-authorization-expired')
  const origin = deps.hosting.hosts.originOf(visit.host)
  const { organization } = visit.detail
  const owner = organization === undefined ? '' : `/organizations/${encodeURIComponent(organization)}`
  const action = `${origin}${owner}/settings/apps/new?state=${state ?? ''}`
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Create a GitHub App</title></head>
<body>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifestOf(deps, visit)))}">
<p>GitHub shows the permissions of the App before it is created.</p>
<button>Continue to ${escapeHtml(visit.host)}</button>
</form>
<script>${script}</script>
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    `form-action ${origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return new Reply({
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body,
  })
}

/**
 * Stores the App that was made at GitHub.
 * @returns the query of the page that the browser returns to
 * @throws SvcError `operator-required`, `account-authorization-refused`, `git-app-exists`, `provider-failed`, `secret-key-missing`
 */
export async function finishManifest(
  deps: Deps,
  ended: EndedVisit,
  code: string | undefined,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { host, userId, detail } = ended
  const principal = { kind: 'user', userId, via: 'session' } as const
  // Who is the operator may have changed while the person was away.
  await assertOperator(deps.db.read, userId)
  if (code === undefined) throw new SvcError('account-authorization-refused', { host, reason: 'it gave no code' })
  const made = await deps.hosting.apps.convert(host, code, signal)
  if (URL.parse(made.htmlUrl)?.origin !== deps.hosting.hosts.originOf(host))
    throw new SvcError('account-authorization-refused', { host, reason: 'the App is of another host' })
  const row = await keepApp(deps, principal, host, made, detail.hookToken ?? null)
  return { git_app: row.slug }
}
