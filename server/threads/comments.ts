import { eq, isNull } from 'drizzle-orm'
import type { Comment } from '../../src/api/threads.ts'
import { SvcError } from '../../src/errors.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import type { StoredSuggestion } from '../../db/tables/threads.ts'
import { comments } from '../../db/tables.gen.ts'
import { actorOf, describeActors, type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { assertMatch, recordEditor, replaceDocument } from '../versions/door.ts'
import { etagOf } from '../http/door.ts'
import { mentionedMembers } from './mentions.ts'
import { actorsInComment, toComment, type CommentRow } from './record.ts'
import { findComment, findThread, recordMentions, settleThread, type VersionRefs } from './store.ts'

async function change(
  tx: Transaction,
  { id, tenantId }: CommentRow,
  set: Partial<Pick<CommentRow, 'body' | 'mentions' | 'suggestion' | 'editedAt' | 'deletedAt'>>,
): Promise<CommentRow> {
  const [row] = await tx
    .update(comments)
    .set(set)
    .where(inTenant(comments, tenantId, eq(comments.id, id), isNull(comments.deletedAt)))
    .returning()
  if (row === undefined) throw new SvcError('comment-not-found', { comment: id })
  return row
}

/**
 * Changes the text of the caller's own comment. Members that it did not mention before are notified.
 * @throws SvcError `project-not-found`, `version-not-found`, `comment-not-found`, `comment-not-yours`
 */
export async function editComment(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  commentId: string,
  body: string,
): Promise<Comment> {
  const { id: tenantId } = tenantOf(grant)
  const author = actorOf(grant)
  const at = deps.clock.iso()
  return deps.db.inTransaction(async (tx) => {
    const found = await findComment(tx, tenantId, refs, commentId)
    if (found.comment.author !== author) throw new SvcError('comment-not-yours', { comment: commentId })
    const mentions = await mentionedMembers(tx, tenantId, body)
    const row = await change(tx, found.comment, { body, mentions, editedAt: at })
    await recordMentions(deps, tx, found, row, { author, at, before: found.comment.mentions })
    return toComment(row, await describeActors(tx, tenantId, actorsInComment(row)))
  })
}

/**
 * Deletes the caller's own comment; an Owner or Admin deletes any. Its place stays, without text.
 * @throws SvcError `project-not-found`, `version-not-found`, `comment-not-found`, `comment-not-yours`
 */
export async function deleteComment(deps: Deps, grant: Grant, refs: VersionRefs, commentId: string): Promise<void> {
  const { id: tenantId } = tenantOf(grant)
  await deps.db.inTransaction(async (tx) => {
    const { comment } = await findComment(tx, tenantId, refs, commentId)
    const mayDeleteAny = grant.role === 'owner' || grant.role === 'admin'
    if (comment.author !== actorOf(grant) && !mayDeleteAny)
      throw new SvcError('comment-not-yours', { comment: commentId })
    await change(tx, comment, { body: '', mentions: [], suggestion: null, deletedAt: deps.clock.iso() })
  })
}

/**
 * Applies the suggestion of a comment to the draft, in the format that the draft has, and resolves its thread. A suggestion for an earlier document
 * is applied where nothing that it touches has changed since, and the document is as whole afterwards as it was.
 * @throws SvcError `project-not-found`, `version-not-found`, `comment-not-found`, `suggestion-stale`, `suggestion-breaks`, and
 *   what `replaceDocument` raises
 */
export async function applySuggestion(
  deps: Deps,
  grant: Grant,
  refs: VersionRefs,
  commentId: string,
  ifMatch: string | null,
): Promise<{ comment: Comment; etag: string }> {
  const { id: tenantId } = tenantOf(grant)
  const { version, comment } = await findComment(deps.db.read, tenantId, refs, commentId)
  const { suggestion } = comment
  assertApplicable(suggestion)
  if (version.status !== 'draft') throw new SvcError('version-published', { version: version.label })
  if (ifMatch === null) throw new SvcError('precondition-required', { header: 'If-Match' })
  assertMatch(ifMatch, version.digest)
  const base = deps.analysis.textOf(tenantId, suggestion.digest, version.provenance.source)
  const head = deps.analysis.subjectOf(version)
  const sides = suggestion.digest === version.digest ? [head, head] : [base, head]
  const made = await deps.analysis.run(tenantId, 'suggest', { patch: suggestion.patch }, sides)
  if ('reason' in made) throw new SvcError('suggestion-stale', { reason: made.reason })
  if ('breaks' in made) throw new SvcError('suggestion-breaks', { reason: made.breaks })
  const name = version.provenance.source
  const bytes = new TextEncoder().encode(made.text)
  const appliedBy = actorOf(grant)
  const marked: CommentRow[] = []
  // Only in place of the document that was just read, whatever the caller accepts: the text was made of that one.
  const { etag } = await replaceDocument(deps, grant, refs, { bytes, name }, etagOf(version.digest), async (tx) => {
    const { comment: now } = await findComment(tx, tenantId, refs, commentId)
    assertApplicable(now.suggestion)
    const at = deps.clock.iso()
    const applied = { ...suggestion, appliedAt: at, appliedBy }
    // What they suggested is theirs, also where another member applies it.
    await recordEditor(tx, version, now.author, at)
    marked.push(await change(tx, now, { suggestion: applied }))
    await tx.lock(`thread ${now.threadId}`)
    const found = await findThread(tx, tenantId, refs, now.threadId)
    if (found.thread.status === 'open') await settleThread(deps, tx, found, { actor: appliedBy, at })
  })
  const row = marked.at(-1) ?? comment
  return { comment: toComment(row, await describeActors(deps.db.read, tenantId, actorsInComment(row))), etag }
}

/**
 * The suggestion of a comment as an overlay for the document that the version has now; one that was applied, for the document
 * that it was made for.
 * @throws SvcError `project-not-found`, `version-not-found`, `comment-not-found`, `suggestion-stale`, `analysis-stopped`
 */
export async function overlayOfSuggestion(deps: Deps, grant: Grant, refs: VersionRefs, commentId: string) {
  const { id: tenantId } = tenantOf(grant)
  const { version, comment } = await findComment(deps.db.read, tenantId, refs, commentId)
  const { suggestion } = comment
  if (suggestion === null) throw new SvcError('suggestion-stale', { reason: 'the comment has no suggestion' })
  const base = deps.analysis.textOf(tenantId, suggestion.digest, version.provenance.source)
  const isSame = suggestion.appliedAt !== null || suggestion.digest === version.digest
  const head = isSame ? base : deps.analysis.subjectOf(version)
  const title = `Suggestion for ${refs.project} ${version.label}`
  const made = await deps.analysis.run(tenantId, 'overlay-between', { title, patch: suggestion.patch }, [base, head])
  if ('reason' in made) throw new SvcError('suggestion-stale', { reason: made.reason })
  return made
}

/** @throws SvcError `suggestion-stale` */
function assertApplicable(suggestion: StoredSuggestion | null): asserts suggestion is StoredSuggestion {
  if (suggestion === null) throw new SvcError('suggestion-stale', { reason: 'the comment has no suggestion' })
  if (suggestion.appliedAt !== null) throw new SvcError('suggestion-stale', { reason: 'it was applied already' })
}
