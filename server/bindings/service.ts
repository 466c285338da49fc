import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { newId } from '../../db/id.ts'
import { draftBindings } from '../../db/tables.gen.ts'
import type { Binding, BindingDetail } from '../../src/api/bindings.ts'
import { ValidationError } from '../../src/api/wire.ts'
import { refuseBind } from '../../src/bindings/state.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import { type Deps, type StablePage, readStablePage } from '../kit/door.ts'
import { findAccount } from '../linked-accounts/door.ts'
import { findProject, findVersion, type FoundVersion } from '../records/door.ts'
import { findRepository, readCloneUrl, refusalOf } from '../repositories/door.ts'
import { isOfFamily, isSame, readStart, type Start, startsAtOrigin } from './base.ts'
import { contentOf, keepDocument, prepareDocument, recordCandidate } from './candidates.ts'
import { releaseRow } from './release.ts'
import {
  activeBinding,
  candidatesOf,
  earlierBindings,
  toBindings,
  toCandidate,
  toDetail,
  type BindingRow,
} from './record.ts'
import { readSelectionPath } from './selected-files.ts'
import { mergeWith } from './summary.ts'

/** The names of a version in addresses. */
export interface VersionRefs {
  readonly project: string
  readonly version: string
}

/** @throws SvcError `project-not-found`, `version-not-found` */
export async function listBindings(
  deps: Deps,
  grant: Grant,
  projectRef: string,
  query: { readonly version?: string; readonly active?: boolean },
  page: StablePage,
) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const project = await findProject(read, tenantId, projectRef)
  const version =
    query.version === undefined ? null : (await findVersion(read, tenantId, project.id, query.version)).version
  const own = inTenant(
    draftBindings,
    tenantId,
    eq(draftBindings.projectId, project.id),
    version === null ? undefined : eq(draftBindings.versionId, version.id),
    query.active === undefined ? undefined : eq(draftBindings.isActive, query.active),
  )
  const { rows, page: counts } = await readStablePage(read, draftBindings, {
    where: own,
    order: [draftBindings.createdAt, draftBindings.id],
    page,
    added: draftBindings.createdAt,
    now: deps.clock.iso(),
  })
  const bindings = await toBindings(read, tenantId, rows)
  return { bindings, count: bindings.length, ...counts }
}

/** @throws SvcError `project-not-found`, `binding-not-found` */
export async function getBinding(deps: Deps, grant: Grant, projectRef: string, id: string): Promise<BindingDetail> {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const project = await findProject(read, tenantId, projectRef)
  const own = inTenant(draftBindings, tenantId, eq(draftBindings.id, id), eq(draftBindings.projectId, project.id))
  const [row] = await read.select().from(draftBindings).where(own)
  if (!row) throw new SvcError('binding-not-found', { binding: id })
  return toDetail(read, row)
}

/** @throws SvcError `project-not-found`, `version-not-found` */
export async function getStatus(deps: Deps, grant: Grant, refs: VersionRefs) {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const { version } = await findVersion(read, tenantId, refs.project, refs.version)
  const row = await activeBinding(read, tenantId, version.id)
  const published = version.status !== 'draft'
  const waiting = row === null ? [] : await candidatesOf(read, tenantId, [row.id])
  const [binding = null] = await toBindings(read, tenantId, row === null ? [] : [row])
  return {
    version_id: version.id,
    version_label: version.label,
    published,
    bindable: !published,
    reason: published ? 'published versions cannot be bound' : null,
    binding,
    pending: waiting
      .filter(({ status }) => status === 'pending')
      .toReversed()
      .map(toCandidate),
    previous: await toBindings(read, tenantId, await earlierBindings(read, tenantId, version.id)),
  }
}

/** The active binding of a version. @throws SvcError `project-not-found`, `version-not-found`, `binding-not-found` */
export async function findActive(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
): Promise<FoundVersion & { readonly row: BindingRow }> {
  const { id: tenantId } = tenantOf(grant)
  const found = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
  const row = await activeBinding(deps.db.read, tenantId, found.version.id)
  if (row === null) throw new SvcError('binding-not-found', { binding: `of the version ${found.version.label}` })
  return { ...found, row }
}

/** What a draft is bound to. */
export interface BindTarget {
  readonly repository_id?: string | null
  readonly repo_url?: string | null
  readonly ref?: string | null
  readonly path?: string
  readonly linked_account_id?: string | null
}
export interface BindInput extends BindTarget {
  readonly replace?: boolean
  readonly base?: 'origin' | 'file'
}

type Target = Pick<BindingRow, 'repositoryId' | 'provider' | 'repoFullName' | 'repoUrl' | 'linkedAccountId'>

/** The repository that a request names, in one of two ways. */
async function targetOf(deps: Deps, grant: Grant, input: BindTarget, signal: AbortSignal): Promise<Target> {
  const { repository_id: repositoryId = null, repo_url: url = null, linked_account_id: accountId = null } = input
  if ((repositoryId === null) === (url === null))
    throw new ValidationError([
      {
        loc: ['body', 'repository_id'],
        msg: 'Give a registered repository or an address, one of them',
        type: 'value_error',
      },
    ])
  const account = accountId === null ? null : await findAccount(deps.db.read, grant, accountId)
  const assertHost = (host: string): void => {
    if (account !== null && account.host !== host)
      throw new SvcError('source-refused', {
        source: url ?? repositoryId ?? '',
        reason: `it is not on ${account.host}, the host of the account`,
      })
  }
  if (repositoryId !== null) {
    const row = await findRepository(deps.db.read, tenantOf(grant).id, repositoryId)
    assertHost(row.host)
    return {
      repositoryId,
      provider: row.provider,
      repoFullName: row.fullName,
      repoUrl: row.cloneUrl,
      linkedAccountId: accountId,
    }
  }
  const place = readCloneUrl(url ?? '')
  assertHost(place.host)
  const { hosts, detect } = deps.hosting
  const provider = hosts.providerOf(place.host) ?? (await detect(place.origin, signal))
  if (provider === null)
    throw new SvcError('provider-unsupported', {
      host: place.host,
      reason: 'it answers like none of the supported providers',
    })
  return {
    repositoryId: null,
    provider,
    repoFullName: place.fullName,
    repoUrl: place.cloneUrl,
    linkedAccountId: accountId,
  }
}

/** Raises why a version cannot be bound now. */
function assertBindable({ version }: FoundVersion, bound: BindingRow | null, replace: boolean): void {
  const refusal = refuseBind({ isPublished: version.status !== 'draft', isBound: bound !== null, replace })
  if (refusal === 'binding-version-published') throw new SvcError(refusal, { version: version.label })
  if (refusal === 'binding-already-bound')
    throw new SvcError(refusal, { version: version.label, repository: bound?.repoFullName ?? '' })
}

/** A binding of a version as it is before anything was read. */
async function emptyBinding(
  deps: Deps,
  grant: Grant,
  { project, version }: FoundVersion,
  input: BindTarget,
  signal: AbortSignal,
): Promise<BindingRow> {
  const path = readSelectionPath(input.path ?? '')
  const target = await targetOf(deps, grant, input, signal)
  const at = deps.clock.iso()
  return {
    id: newId(),
    tenantId: tenantOf(grant).id,
    projectId: project.id,
    versionId: version.id,
    ...target,
    path,
    synchronizedAt: at,
    isActive: true,
    createdBy: actorOf(grant),
    createdAt: at,
    updatedAt: at,
    releasedAt: null,
    releasedBy: null,
    releaseReason: null,
    document: null,
    ref: input.ref ?? '',
    commitSha: '',
    sourceDigest: '',
  }
}

/**
 * Binds a draft after its ref and selection were read. Where the file changed since the commit that the draft comes from, the
 * binding begins at that commit and the change waits as a candidate, unless `base` says otherwise.
 * @throws SvcError `binding-version-published`, `binding-already-bound`, `binding-origin-unknown`, and what finding and reading refuse; `ValidationError`
 */
export async function createBinding(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  input: BindInput,
  signal: AbortSignal,
): Promise<BindingDetail> {
  const { id: tenantId } = tenantOf(grant)
  const found = await findVersion(deps.db.read, tenantId, refs.project, refs.version)
  const replace = input.replace ?? false
  assertBindable(found, await activeBinding(deps.db.read, tenantId, found.version.id), replace)
  const draft = await emptyBinding(deps, grant, found, input, signal)
  const start = await readFirst(deps, found, draft, signal)
  const { file, origin } = start
  if (input.base === 'origin' && origin === null)
    throw new SvcError('binding-origin-unknown', { version: found.version.label, path: draft.path })
  const isAtOrigin = input.base === undefined ? startsAtOrigin(start, found.version) : input.base === 'origin'
  // The same file at both commits is one state.
  const base = isAtOrigin && origin !== null && contentOf(origin) !== contentOf(file) ? origin : file
  const prepared = await prepareDocument(deps, tenantId, base.document)
  const row = await deps.db.inTransaction(async (tx) => {
    await tx.lock(`binding of ${found.version.id}`)
    const now = await findVersion(tx, tenantId, found.project.id, found.version.id)
    const bound = await activeBinding(tx, tenantId, found.version.id)
    assertBindable(now, bound, replace)
    if (bound !== null) await releaseRow(deps, tx, bound, 'replaced', actorOf(grant))
    const at = draft.createdAt
    const made: BindingRow = {
      ...draft,
      ref: file.ref.name,
      commitSha: base.commit,
      sourceDigest: base.digest,
      document: await keepDocument(tx, prepared, at),
    }
    try {
      await tx.savepoint((inner) => inner.insert(draftBindings).values(made))
    } catch (error) {
      if (isUniqueViolation(error))
        throw new SvcError('binding-already-bound', { version: now.version.label, repository: made.repoFullName })
      throw error
    }
    const { principal: actor } = grant
    const detail = { repository: made.repoFullName, ref: made.ref, path: made.path, commit: made.commitSha }
    await recordAudit(tx, { tenantId, actor, action: 'binding.created', targetId: made.id, detail, at })
    return made
  })
  if (base !== file) await recordCandidate(deps, row, file, 'check')
  return toDetail(deps.db.read, row)
}

/**
 * Compares a draft with the file that it may be bound to, and with the commit that it comes from. Nothing is written.
 * @throws SvcError `binding-version-published`, and what finding and reading refuse; `ValidationError`
 */
export async function compareBinding(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  input: BindTarget,
  signal: AbortSignal,
) {
  const found = await findVersion(deps.db.read, tenantOf(grant).id, refs.project, refs.version)
  const { version } = found
  assertBindable(found, null, false)
  const start = await readFirst(deps, found, await emptyBinding(deps, grant, found, input, signal), signal)
  const { file, origin } = start
  const theirs = isOfFamily(file, version) ? (file.document?.analysis.subject ?? null) : null
  const now = await mergeWith(deps, version, { base: theirs, theirs }, 'places')
  const comesFrom = origin?.document?.analysis.subject ?? null
  const since = await mergeWith(deps, version, { base: comesFrom, theirs }, 'places')
  return {
    ref: file.ref.name,
    commit: file.commit,
    document: theirs === null || file.document === null ? null : new TextDecoder().decode(file.document.bytes),
    differs: !isSame(file, version) && now?.places?.mine !== 0,
    places: now?.places?.mine ?? null,
    origin:
      origin === null || since?.places == null
        ? null
        : {
            commit: origin.commit,
            draft_places: since.places.mine,
            file_places: since.places.theirs,
            merge: since.state,
          },
    base: startsAtOrigin(start, version) ? ('origin' as const) : ('file' as const),
  }
}

/** Reads a selection for the first time; "" is the default branch. */
async function readFirst(deps: Deps, { version }: FoundVersion, row: BindingRow, signal: AbortSignal): Promise<Start> {
  try {
    const read = await readStart(deps, version, row, signal)
    if (read === null)
      throw new SvcError('ref-not-found', { ref: row.ref === '' ? 'HEAD' : row.ref, repository: row.repoFullName })
    return read
  } catch (error) {
    throw asRefusal(error, row.repoFullName)
  }
}

/** What reading refuses stays as it is; why a repository cannot be read at all is one refusal. */
export const asRefusal = (error: unknown, shown: string): unknown =>
  error instanceof SvcError &&
  error.code !== 'git-failed' &&
  error.code !== 'fetch-failed' &&
  error.code !== 'source-too-large'
    ? error
    : refusalOf(error, shown)

/**
 * Releases the binding of a version.
 * @throws SvcError `project-not-found`, `version-not-found`, `binding-not-found`
 */
export async function releaseBinding(deps: Deps, grant: Grant, refs: VersionRefs): Promise<Binding> {
  const { row } = await findActive(deps, grant, refs)
  const { id: tenantId } = tenantOf(grant)
  return deps.db.inTransaction(async (tx) => {
    await tx.lock(`binding of ${row.versionId}`)
    const current = await activeBinding(tx, tenantId, row.versionId)
    if (current === null || current.id !== row.id) throw new SvcError('binding-not-found', { binding: row.id })
    await releaseRow(deps, tx, current, 'unbound', actorOf(grant))
    const [after] = await tx
      .select()
      .from(draftBindings)
      .where(inTenant(draftBindings, tenantId, eq(draftBindings.id, row.id)))
    const [binding] = await toBindings(tx, tenantId, after === undefined ? [] : [after])
    if (binding === undefined) throw new SvcError('binding-not-found', { binding: row.id })
    const { principal: actor } = grant
    const detail = { repository: row.repoFullName, reason: 'unbound' }
    await recordAudit(tx, {
      tenantId,
      actor,
      action: 'binding.released',
      targetId: row.id,
      detail,
      at: deps.clock.iso(),
    })
    return binding
  })
}
