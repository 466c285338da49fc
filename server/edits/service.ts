import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { contents } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import type { TextEdit } from '../../src/document/edit-text.ts'
import type { Position } from '../../src/document/position.ts'
import type { VisibleFix } from '../../src/lint/fix/fix.ts'
import type { ChosenSides } from '../../src/merge/merge.ts'
import { type Subject, withEdits, withTypes } from '../analysis/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { typedSubject, typesNow } from '../used-types/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { baseOf, countsOf, sideOf } from '../versions/door.ts'
import { findVersion, type FoundVersion } from '../records/door.ts'

type Refs = { readonly project: string; readonly version: string }

/** A document that is being edited: a stored one, and what was changed in it. */
export interface Edited {
  readonly digest: string
  readonly edits: readonly TextEdit[]
}

const mostConflicts = 50
/** Of the consumers that would break so many are named. */
const mostNamed = 20

interface Opened extends FoundVersion {
  /** The edited document. */
  readonly subject: Subject
  /** The stored one. */
  readonly stored: Subject
}

/**
 * What is edited.
 * @throws SvcError `project-not-found`, `version-not-found`, and `document-changed` where no such document is stored
 */
async function open(deps: Deps, grant: Grant, refs: Refs, { digest, edits }: Edited): Promise<Opened> {
  const { id: tenantId } = tenantOf(grant)
  const { read } = deps.db
  const found = await findVersion(read, tenantId, refs.project, refs.version)
  const { version } = found
  if (digest !== version.digest) {
    const [known] = await read
      .select({ digest: contents.digest })
      .from(contents)
      .where(inTenant(contents, tenantId, eq(contents.digest, digest)))
    if (known === undefined) throw new SvcError('document-changed', { expected: digest, actual: version.digest })
  }
  const stored = deps.analysis.subjectOf({ ...version, digest })
  return { ...found, stored, subject: withEdits(stored, edits) }
}

const withTypesNow = async (deps: Deps, subject: Subject): Promise<Subject> =>
  withTypes(subject, (await typesNow(deps, deps.db.read, [subject])).used)

/**
 * Lints an edited document.
 * @throws SvcError `project-not-found`, `version-not-found`, `document-changed`, `usage`, `analysis-stopped`
 */
export async function checkEdited(deps: Deps, grant: Grant, refs: Refs, edited: Edited) {
  const { project, version, subject } = await open(deps, grant, refs, edited)
  const { guide } = await effectiveGuide(deps.db.read, project.tenantId, project.id)
  const typed = await withTypesNow(deps, subject)
  const { grade, findings, total } = await deps.analysis.run(project.tenantId, 'check-edited', { guide }, [typed])
  return { current: version.digest, guide: guide.name, grade, findings, total }
}

/**
 * What an edited document changes against the version before it, or another one.
 * @throws SvcError `project-not-found`, `version-not-found`, `document-changed`, `usage`, `analysis-stopped`
 */
export async function changesOfEdited(
  deps: Deps,
  grant: Grant,
  refs: Refs,
  { base: named, ...edited }: Edited & { readonly base?: string },
) {
  const { read } = deps.db
  const opened = await open(deps, grant, refs, edited)
  const { base } = await baseOf(read, opened, named ?? null)
  if (base === null)
    return {
      base: null,
      counts: countsOf({ breaking: 0, nonBreaking: 0, docsOnly: 0, unknown: 0 }),
      changes: [],
      total: 0,
      consumers: null,
    }
  const sides = [await typedSubject(deps, read, base), await withTypesNow(deps, opened.subject)]
  const options = deps.analysis.optionsOf({})
  const live = grant.permissions.has('consumer_contracts:view')
    ? await deps.analysis.impacts.consumersOf(read, base.tenantId, base.projectId)
    : null
  const asked = { options, live }
  const { counts, broken, ...found } = await deps.analysis.run(base.tenantId, 'compare-edited', asked, sides)
  const consumers =
    broken === null || live === null
      ? null
      : { broken: broken.slice(0, mostNamed), broken_total: broken.length, total: live.length }
  return { base: sideOf(base), counts: countsOf(counts), ...found, consumers }
}

/**
 * The named parts of a document.
 * @throws SvcError `project-not-found`, `version-not-found`, `document-changed`, `usage`, `analysis-stopped`
 */
export async function outlineOfEdited(deps: Deps, grant: Grant, refs: Refs, edited: Edited) {
  const { project, subject } = await open(deps, grant, refs, edited)
  return deps.analysis.run(project.tenantId, 'outline', {}, [subject])
}

/**
 * What can be written at a position.
 * @throws SvcError `project-not-found`, `version-not-found`, `document-changed`, `usage`, `analysis-stopped`
 */
export async function completeEdited(
  deps: Deps,
  grant: Grant,
  refs: Refs,
  { position, ...edited }: Edited & { readonly position: Position },
) {
  const { project, subject } = await open(deps, grant, refs, edited)
  return deps.analysis.run(project.tenantId, 'complete', { position }, [subject])
}

/**
 * Fixes findings.
 * @throws SvcError `project-not-found`, `version-not-found`, `document-changed`, `usage`, `analysis-stopped`
 */
export async function fixEdited(
  deps: Deps,
  grant: Grant,
  refs: Refs,
  asked: Edited & { readonly fingerprint?: string; readonly visible?: readonly VisibleFix[] },
) {
  const { fingerprint: finding = null, visible = [], ...edited } = asked
  const { project, subject } = await open(deps, grant, refs, edited)
  const { guide } = await effectiveGuide(deps.db.read, project.tenantId, project.id)
  const typed = await withTypesNow(deps, subject)
  return deps.analysis.run(project.tenantId, 'fix', { guide, finding, visible }, [typed])
}

/**
 * The overlay that turns the stored document into the edited one.
 * @throws SvcError `project-not-found`, `version-not-found`, `document-changed`, `usage`, `analysis-stopped`
 */
export async function overlayOfEdited(deps: Deps, grant: Grant, refs: Refs, edited: Edited) {
  const { project, version, stored, subject } = await open(deps, grant, refs, edited)
  const title = `Edits of ${project.slug} ${version.label}`
  const made = await deps.analysis.run(project.tenantId, 'overlay-between', { title, patch: null }, [stored, subject])
  if ('reason' in made) throw new SvcError('usage', { reason: made.reason })
  return made
}

/**
 * Merges an edited document with the one that is stored now.
 * @throws SvcError `project-not-found`, `version-not-found`, `document-changed`, `usage`, `analysis-stopped`
 */
export async function mergeEdited(deps: Deps, grant: Grant, refs: Refs, asked: Edited & ChosenSides) {
  const { digest, edits, ...chosen } = asked
  const { version, stored, subject } = await open(deps, grant, refs, { digest, edits })
  const { tenantId } = version
  const theirs = deps.analysis.subjectOf(version)
  const merged = await deps.analysis.run(tenantId, 'merge-edited', chosen, [stored, subject, theirs])
  const { state, conflicts } = merged
  return {
    current: version.digest,
    state,
    conflicts: conflicts.slice(0, mostConflicts),
    conflicts_total: conflicts.length,
    edits: merged.edits,
  }
}
