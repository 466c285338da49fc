import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { projects, pullRequestReports, repositories, tenants, versions } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { activeBindingsOf, type BindingRow } from '../bindings/record.ts'
import type { Deps } from '../deps.ts'
import { isOk } from '../hosting/answers.ts'
import type { Ask, Credential, ProviderAnswer } from '../hosting/calls.ts'
import { pullRequestCallsOf, type PullRequest, type PullRequestCalls } from '../hosting/pull-requests.ts'
import type { Refs } from '../hosting/refs.ts'
import { credentialOf } from '../linked-accounts/credential.ts'
import { remoteOf, unreadableOf } from '../repositories/access.ts'
import { keyOf, type RepositoryRow } from '../repositories/record.ts'
import { readSides, reportOf, type PullRequestReport } from './compare.ts'

/** Pull requests and documents that one look reports on. */
const mostPulls = 20
const mostPaths = 10
/** Where no branch moved, new pull requests are looked for this often. */
const lookAgainMs = 30 * 60_000

/** The provider took no report; what is missing is said in the health of the repository. */
class Refused extends Error {}

interface Place {
  readonly row: RepositoryRow
  readonly credential: Credential
  readonly ask: Ask
  readonly calls: PullRequestCalls
}

const fingerprintOf = ({ branches }: Refs): string =>
  createHash('sha256')
    .update(JSON.stringify([...branches].toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')

/** @throws Refused for what a permission is missing for; SvcError `provider-failed`, which is tried again */
function assertTaken({ calls, credential }: Place, answer: ProviderAnswer, what: string): ProviderAnswer {
  if (isOk(answer)) return answer
  const { status } = answer
  if (status === 401 || status === 403 || status === 404)
    throw new Refused(`the provider answered ${status} to ${what}: the linked account needs ${calls.permission}`)
  throw new SvcError('provider-failed', { host: credential.host, reason: `it answered ${status} to ${what}` })
}

/** Bitbucket shows HTML as text. */
const withoutHtml = (text: string): string =>
  text
    .replace(/^<!-- [^\n]* -->\n/, '')
    .replaceAll(/<details><summary>([^<]*)<\/summary>/g, '**$1**')
    .replaceAll('</details>', '')

/** Updates the comment of a report, or writes it where there is none; never a second one. */
async function writeComment(
  place: Place,
  pull: PullRequest,
  { text, isNews }: PullRequestReport,
  known: string | null,
): Promise<string | null> {
  const { row, ask, calls } = place
  const body = calls.takesHtml ? text : withoutHtml(text)
  const { number } = pull
  const [marker = ''] = text.split('\n', 1)
  let id = known
  if (id === null && calls.takesHtml) {
    const all = assertTaken(place, await calls.comments(ask, row.fullName, number), 'reading comments')
    id = calls.readComments(all).find((one) => one.text.startsWith(marker))?.id ?? null
  }
  if (id !== null) {
    const updated = await calls.update(ask, row.fullName, { number, id }, body)
    if (isOk(updated)) return id
    // Someone deleted it, or it is of someone else.
    if (updated.status !== 404 && updated.status !== 403) assertTaken(place, updated, 'updating a comment')
  }
  if (!isNews && known === null) return null
  const made = assertTaken(place, await calls.create(ask, row.fullName, number, body), 'writing a comment')
  const madeId = (made.body as { id?: unknown } | null)?.id
  return typeof madeId === 'number' || typeof madeId === 'string' ? String(madeId) : null
}

/** Where people read about the draft. */
async function addressOf(deps: Deps, { tenantId, versionId }: BindingRow): Promise<string> {
  const [found] = await deps.db.read
    .select({ tenant: tenants.slug, project: projects.slug, version: versions.slug })
    .from(versions)
    .innerJoin(projects, and(eq(projects.id, versions.projectId), eq(projects.tenantId, versions.tenantId)))
    .innerJoin(tenants, eq(tenants.id, versions.tenantId))
    .where(inTenant(versions, tenantId, eq(versions.id, versionId)))
  const place = found ? `t/${found.tenant}/${found.project}/${encodeURIComponent(found.version)}` : ''
  return `${deps.publicUrl()}/app/${place}`
}

/** Reports on one pull request about the document of one binding, unless that was done for these commits. */
async function reportOne(
  deps: Deps,
  place: Place,
  binding: BindingRow,
  given: { readonly pull: PullRequest; readonly refs: Refs },
  signal: AbortSignal,
): Promise<void> {
  const { row } = place
  const { pull, refs } = given
  const [baseCommit, headCommit] = [refs.branches.get(pull.target), refs.branches.get(pull.branch)]
  if (baseCommit === undefined || headCommit === undefined) return
  const { tenantId, path } = binding
  const id = keyOf(row.id, String(pull.number), path)
  const own = inTenant(pullRequestReports, tenantId, eq(pullRequestReports.id, id))
  const [before] = await deps.db.read.select().from(pullRequestReports).where(own)
  if (before?.baseCommit === baseCommit && before.headCommit === headCommit) return
  const sides = await readSides(deps, row, { remote: await remoteOf(deps, row), path, pull }, signal)
  if (sides === null) return
  const report = await reportOf(deps, binding, pull, sides)
  const status = {
    commit: sides.head.commit,
    isGood: report.isGood,
    context: `svc: ${path === '' ? 'specification' : path}`,
    description: report.headline,
    url: await addressOf(deps, binding),
  }
  assertTaken(place, await place.calls.setStatus(place.ask, row.fullName, status), 'setting a commit status')
  const commentId = await writeComment(place, pull, report, before?.commentId ?? null)
  const set = { baseCommit, headCommit, commentId, updatedAt: deps.clock.iso() }
  const values = { id, repositoryId: row.id, tenantId, number: pull.number, ...set }
  await deps.db.inTransaction((tx) =>
    tx.insert(pullRequestReports).values(values).onConflictDoUpdate({ target: pullRequestReports.id, set }),
  )
}

/** One binding for each path: several drafts may be bound to one document. */
const byPath = (rows: readonly BindingRow[]): readonly BindingRow[] =>
  [...new Map(rows.map((row) => [row.path, row])).values()].slice(0, mostPaths)

/** @throws Refused; SvcError `provider-failed` and what reading raises */
async function reportAll(deps: Deps, place: Place, refs: Refs, signal: AbortSignal): Promise<void> {
  const { row, ask, calls } = place
  const bindings = byPath(await activeBindingsOf(deps.db.read, row))
  if (bindings.length === 0) return
  const answer = assertTaken(place, await calls.open(ask, row.fullName), 'listing pull requests')
  for (const pull of calls.read(answer, row.fullName).slice(0, mostPulls))
    for (const binding of bindings) {
      signal.throwIfAborted()
      await reportOne(deps, place, binding, { pull, refs }, signal)
    }
}

async function write(deps: Deps, row: RepositoryRow, set: Partial<RepositoryRow>): Promise<void> {
  await deps.db.inTransaction((tx) =>
    tx
      .update(repositories)
      .set(set)
      .where(inTenant(repositories, row.tenantId, eq(repositories.id, row.id))),
  )
}

/**
 * Reports on the open pull requests of a repository about the documents that drafts are bound to: a commit status and one comment for
 * each. A missing permission is a reason of its health; what else fails is tried again later.
 * @throws SvcError `provider-failed`, `egress-denied`, `fetch-failed`
 */
export async function reportOnPullRequests(
  deps: Deps,
  tenantId: string,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const own = inTenant(repositories, tenantId, eq(repositories.id, id))
  const [row] = await deps.db.read.select().from(repositories).where(own)
  if (row?.pullRequestReports !== true) return
  const refuse = (message: string) => {
    const since = row.reportsRefused?.message === message ? row.reportsRefused.since : deps.clock.iso()
    return { reportsRefused: { code: 'reports-refused', message, since } }
  }
  if (row.linkedAccountId === null)
    return write(deps, row, refuse('pull requests get reports only where the repository has a linked account'))
  const credential = await credentialOf(deps, tenantId, row.linkedAccountId)
  // That the account does not serve is in the health already.
  if (typeof credential === 'string') return
  const now = deps.clock.now()
  let reportedRefs: string | null = null
  try {
    const refs = await deps.hosting.mirrors.refs(await remoteOf(deps, row), signal)
    reportedRefs = fingerprintOf(refs)
    const isRecent = row.reportedAt !== null && now - Date.parse(row.reportedAt) < lookAgainMs
    if (reportedRefs === row.reportedRefs && isRecent) return
    const ask = deps.hosting.api.asker(credential, signal)
    await reportAll(deps, { row, credential, ask, calls: pullRequestCallsOf(credential) }, refs, signal)
    await write(deps, row, { reportsRefused: null, reportedRefs, reportedAt: deps.clock.iso() })
  } catch (error) {
    if (error instanceof Refused)
      return write(deps, row, { ...refuse(error.message), reportedRefs, reportedAt: deps.clock.iso() })
    if (error instanceof SvcError && error.code === 'provider-failed') throw error
    // A repository that cannot be read says so by its polls.
    unreadableOf(error)
  }
}
