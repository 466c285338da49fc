import { eq } from 'drizzle-orm'
import { inTenant, isTenant } from '../../db/conditions.ts'
import { projects, pullRequestReports, repositories, tenants, versions } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { activeBindingsOf, type BindingRow } from '../bindings/door.ts'
import type { Deps } from '../kit/door.ts'
import {
  type Ask,
  type Credential,
  isOk,
  type ProviderAnswer,
  type PullRequest,
  type PullRequestCalls,
  pullRequestCallsOf,
  type Refs,
  resolveRef,
} from '../hosting/door.ts'
import { credentialOf } from '../linked-accounts/door.ts'
import { keyOf, remoteOf, type RepositoryRow, unreadableOf } from '../repositories/door.ts'
import { type Compared, readSides, reportOf, type PullRequestReport } from './compare.ts'
import { Pushed } from './pushed.ts'

/** Pull requests and documents that one look reports on. */
const mostPulls = 20
const mostPaths = 10
/** Where no branch moved, new pull requests are looked for this often. */
const lookAgainMs = 30 * 60_000
/** Where more branches were pushed than one look reports on. */
const nextLookMs = 60_000

/** The provider took no report; what is missing is said in the health of the repository. */
class Refused extends Error {}

interface Place {
  readonly row: RepositoryRow
  readonly credential: Credential
  readonly ask: Ask
  readonly calls: PullRequestCalls
}

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
    .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
    .innerJoin(tenants, isTenant(versions.tenantId))
    .where(inTenant(versions, tenantId, eq(versions.id, versionId)))
  const place = found ? `t/${found.tenant}/${found.project}/${encodeURIComponent(found.version)}` : ''
  return `${deps.publicUrl()}/app/${place}`
}

/** Compares, and sets the status of the commit of the head; null where one side has no such document. */
async function setStatus(
  deps: Deps,
  place: Place,
  binding: BindingRow,
  compared: Compared,
  signal: AbortSignal,
): Promise<PullRequestReport | null> {
  const { row } = place
  const { path } = binding
  const sides = await readSides(deps, row, { remote: await remoteOf(deps, row), path, compared }, signal)
  if (sides === null) return null
  const report = await reportOf(deps, binding, compared.base.label, sides)
  const status = {
    commit: sides.head.commit,
    isGood: report.isGood,
    context: `svc: ${path === '' ? 'specification' : path}`,
    description: report.headline,
    url: await addressOf(deps, binding),
  }
  assertTaken(place, await place.calls.setStatus(place.ask, row.fullName, status), 'setting a commit status')
  return report
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
  const base = { ref: `refs/heads/${pull.target}`, label: pull.target }
  const report = await setStatus(deps, place, binding, { base, head: pull.branch }, signal)
  if (report === null) return
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

/** What a branch without a pull request is compared with: the bound ref; a bound branch itself with the commit that the draft is bound at. */
function comparedWith(binding: BindingRow, refs: Refs, [head, commit]: readonly [string, string]): Compared | null {
  try {
    const bound = resolveRef(refs, binding.ref === '' ? null : binding.ref, binding.repoFullName)
    const isItself = bound.full === `refs/heads/${head}`
    const base = isItself ? binding.commitSha : bound.commit
    if (base === commit) return null
    const label = isItself ? base.slice(0, 7) : bound.name
    return { base: { ref: bound.full, label, ...(isItself ? { commit: base } : {}) }, head }
  } catch (error) {
    if (error instanceof SvcError && error.code === 'ref-not-found') return null
    throw error
  }
}

/** Sets the statuses of branches that were pushed and have no pull request; each commit gets one for each path. */
async function reportPushed(
  deps: Deps,
  place: Place,
  given: {
    readonly bindings: readonly BindingRow[]
    readonly refs: Refs
    readonly pushed: Pushed
    readonly pulls: readonly PullRequest[]
  },
  signal: AbortSignal,
): Promise<void> {
  const { bindings, refs, pushed, pulls } = given
  // A branch at the commit of a pull request has its status: that of the pull request.
  const seen = new Set(pulls.map(({ branch }) => refs.branches.get(branch)))
  for (const branch of pushed.branches) {
    const isNew = !seen.has(branch[1])
    seen.add(branch[1])
    for (const binding of isNew ? bindings : []) {
      signal.throwIfAborted()
      const compared = comparedWith(binding, refs, branch)
      if (compared !== null) await setStatus(deps, place, binding, compared, signal)
    }
    pushed.done(branch)
  }
}

/** @throws Refused; SvcError `provider-failed` and what reading raises */
async function reportAll(deps: Deps, place: Place, refs: Refs, pushed: Pushed, signal: AbortSignal): Promise<void> {
  const { row, ask, calls } = place
  const bindings = byPath(await activeBindingsOf(deps.db.read, row))
  if (bindings.length === 0) return
  const answer = assertTaken(place, await calls.open(ask, row.fullName), 'listing pull requests')
  const pulls = calls.read(answer, row.fullName)
  for (const pull of pulls.slice(0, mostPulls))
    for (const binding of bindings) {
      signal.throwIfAborted()
      await reportOne(deps, place, binding, { pull, refs }, signal)
    }
  await reportPushed(deps, place, { bindings, refs, pushed, pulls }, signal)
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
 * each; and sets a commit status where a branch without a pull request was pushed. A missing permission is a reason of its health; what else fails is tried again later.
 * @returns when to look again by itself; null: with the next poll or push
 * @throws SvcError `provider-failed`, `egress-denied`, `fetch-failed`
 */
export async function reportOnPullRequests(
  deps: Deps,
  tenantId: string,
  id: string,
  signal: AbortSignal,
): Promise<number | null> {
  const own = inTenant(repositories, tenantId, eq(repositories.id, id))
  const [row] = await deps.db.read.select().from(repositories).where(own)
  if (row?.pullRequestReports !== true) return null
  const refuse = (message: string) => {
    const since = row.reportsRefused?.message === message ? row.reportsRefused.since : deps.clock.iso()
    return { reportsRefused: { code: 'reports-refused', message, since } }
  }
  if (row.linkedAccountId === null) {
    await write(deps, row, refuse('pull requests get reports only where the repository has a linked account'))
    return null
  }
  const credential = await credentialOf(deps, tenantId, row.linkedAccountId)
  // That the account does not serve is in the health already.
  if (typeof credential === 'string') return null
  const now = deps.clock.now()
  let pushed: Pushed | null = null
  try {
    const refs = await deps.hosting.mirrors.refs(await remoteOf(deps, row), signal)
    pushed = new Pushed(refs, row.reportedRefs)
    const isRecent = row.reportedAt !== null && now - Date.parse(row.reportedAt) < lookAgainMs
    if (pushed.complete === row.reportedRefs && isRecent) return null
    const ask = deps.hosting.api.asker(credential, signal)
    await reportAll(deps, { row, credential, ask, calls: pullRequestCallsOf(credential) }, refs, pushed, signal)
    const reportedRefs = pushed.hasMore ? pushed.kept : pushed.complete
    await write(deps, row, { reportsRefused: null, reportedRefs, reportedAt: deps.clock.iso() })
    return pushed.hasMore ? now + nextLookMs : null
  } catch (error) {
    if (error instanceof Refused) {
      const reportedRefs = pushed?.complete ?? null
      await write(deps, row, { ...refuse(error.message), reportedRefs, reportedAt: deps.clock.iso() })
      return null
    }
    // What was reported is not reported again when this is tried again.
    if (pushed !== null && row.reportedRefs !== null) await write(deps, row, { reportedRefs: pushed.kept })
    if (error instanceof SvcError && error.code === 'provider-failed') throw error
    // A repository that cannot be read says so by its polls.
    unreadableOf(error)
    return null
  }
}
