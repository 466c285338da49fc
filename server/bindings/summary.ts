import type { BoundDocument, CandidateSummary } from '../../db/tables/bindings.ts'
import { tallyOf } from '../../src/diff/tally.ts'
import { SvcError } from '../../src/errors.ts'
import { type Subject, subjectOf } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import { lintWithTypes } from '../used-types/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { readContent } from '../../db/content.ts'
import type { VersionRow } from '../records/door.ts'
import type { Selection } from './selection.ts'

/** A document that was stored with a binding or a candidate. */
export function storedSubject(deps: Deps, tenantId: string, { digest, path, syntax }: BoundDocument): Subject {
  const bytes = () => readContent(deps.db, tenantId, digest)
  return subjectOf({ tenantId, digest, bytes, source: path, format: 'auto', ...(syntax === null ? {} : { syntax }) })
}

/**
 * How the draft merges with a document of the repository.
 * @param base what both come from
 * @returns null where one of the three cannot be read
 */
export async function mergeWith(
  deps: Deps,
  version: VersionRow,
  { base, theirs }: { readonly base: Subject | null; readonly theirs: Subject | null },
  wants: 'state' | 'places',
) {
  if (base === null || theirs === null) return null
  const mine = deps.analysis.subjectOf(version)
  try {
    return await deps.analysis.run(version.tenantId, 'merge', { wants }, [base, mine, theirs])
  } catch (error) {
    if (error instanceof SvcError && error.status < 500) return null
    throw error
  }
}

async function consumersOf(
  deps: Deps,
  version: VersionRow,
  base: Subject,
  head: Subject,
  changes: Parameters<Deps['analysis']['impactOf']>[2]['changes'],
): Promise<readonly string[]> {
  const live = await deps.analysis.impacts.consumersOf(deps.db.read, version.tenantId, version.projectId)
  if (live.length === 0 || changes.length === 0) return []
  const { consumers } = await deps.analysis.impactOf(base, head, { changes }, live)
  return consumers.filter(({ status }) => status === 'broken').map(({ handle }) => handle)
}

/** What changed in the repository, for a person to decide; null where the selection is not one document. */
export async function summaryOf(
  deps: Deps,
  version: VersionRow,
  base: BoundDocument | null,
  head: Selection['document'],
): Promise<CandidateSummary | null> {
  if (base === null || head === null) return null
  const { tenantId } = version
  const { guide } = await effectiveGuide(deps.db.read, tenantId, version.projectId)
  const before = storedSubject(deps, tenantId, base)
  const { read } = deps.db
  const known = await lintWithTypes(deps, read, await deps.analysis.look(before, guide), guide)
  const after = await lintWithTypes(deps, read, head.analysis, guide)
  const lint = { before: known.grade.grade, after: after.grade.grade }
  const valid = after.invalid.length === 0
  const none = { severity: null, counts: { breaking: 0, 'non-breaking': 0, 'docs-only': 0 }, verdict: 'safe' as const }
  if (!valid || known.invalid.length > 0) return { ...none, verdict: 'unknown', lint, valid, consumers: [] }
  const { changes } = await deps.analysis.compare(before, after.subject)
  const { counts, maxSeverity, verdict } = tallyOf(changes)
  const consumers = await consumersOf(deps, version, before, after.subject, changes)
  return { severity: maxSeverity, counts, verdict, lint, valid, consumers }
}
