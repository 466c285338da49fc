import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { versions } from '../../db/tables.gen.ts'
import { writtenChanges } from '../../src/diff/written.ts'
import { SvcError } from '../../src/errors.ts'
import { typeScheme } from '../../src/kernel/type-ref.ts'
import { subjectOf, withTypes } from '../analysis/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { countChanges, countsOf, createVersion, sideOf } from '../versions/door.ts'
import { digestOf } from '../../db/content.ts'
import { findVersion, type VersionRow } from '../records/door.ts'
import { basesOf, findTargets, readKey, resolveNow, type Target, typesOf, type Used } from '../used-types/door.ts'

const mostChanges = 100

/** What a repin asks for. */
export interface RepinRequest {
  readonly primitives?: readonly string[]
  readonly to?: 'latest' | number
  readonly label?: string
}

/** The label behind one: the next patch version of a semantic version, else with a number. */
export function labelAfter(label: string, taken: ReadonlySet<string>): string {
  const [, head = '', patch = ''] = /^(v?\d+\.\d+\.)(\d+)/.exec(label) ?? []
  const nth = (n: number): string => (head === '' ? `${label}-${n + 1}` : `${head}${Number(patch) + n}`)
  for (let n = 1; ; n++) if (!taken.has(nth(n))) return nth(n)
}

async function freeLabel(deps: Deps, { tenantId, projectId, label }: VersionRow): Promise<string> {
  const rows = await deps.db.read
    .select({ label: versions.label, slug: versions.slug })
    .from(versions)
    .where(inTenant(versions, tenantId, eq(versions.projectId, projectId)))
  return labelAfter(label, new Set(rows.flatMap((row) => [row.label, row.slug])))
}

/** What is to be moved, and where to. */
interface Plan {
  readonly version: VersionRow
  readonly bases: readonly string[]
  readonly targets: ReadonlyMap<string, Target>
  /** The references of the types to move; null: all. */
  readonly chosen: ReadonlySet<string> | null
  readonly to: 'latest' | number
}

/** What a type is known by in the registry, whatever reference names it. */
const refIn = ({ targets, bases }: Pick<Plan, 'targets' | 'bases'>, ref: string): string => {
  const { key } = readKey(ref, bases)
  return targets.get(key)?.ref ?? key
}

/** @throws SvcError `primitive-not-found`, `usage` */
function chosenOf(
  plan: Omit<Plan, 'chosen'>,
  used: readonly Used[],
  asked: readonly string[] | undefined,
): Plan['chosen'] {
  if (asked === undefined) {
    if (plan.to === 'latest') return null
    throw new SvcError('usage', { reason: 'A revision is the revision of one type: name it in "primitives".' })
  }
  if (plan.to !== 'latest' && asked.length > 1)
    throw new SvcError('usage', { reason: 'A revision is the revision of one type: name one in "primitives".' })
  const known = new Set(used.map(({ ref }) => refIn(plan, ref)))
  return new Set(
    asked.map((text) => {
      const ref = refIn(plan, text)
      if (!known.has(ref)) throw new SvcError('primitive-not-found', { primitive: text })
      return ref
    }),
  )
}

/** The reference that the draft has in place of one of the version. @throws SvcError `primitive-revision-not-found` */
function movedRef(plan: Plan, { ref, primitiveId, revision }: Used): string {
  const { chosen, to, bases, targets, version } = plan
  const written = readKey(ref, bases)
  const target = targets.get(written.key)
  if (primitiveId === null || target === undefined) return ref
  const bare = written.revision === null ? ref : ref.replace(/@\d+$/, '')
  // An `$id` has no place for a revision.
  const pinned = (n: number): string =>
    (bare.startsWith(typeScheme) || bare.includes('/v1/types/') ? bare : target.ref) + `@${n}`
  if (chosen !== null && !chosen.has(target.ref)) {
    const floats = written.revision === null && version.status !== 'draft' && revision !== target.revision
    return floats ? pinned(revision) : ref
  }
  if (to !== 'latest' && to > target.revision)
    throw new SvcError('primitive-revision-not-found', { primitive: target.ref, revision: to })
  if (written.revision === null) return to === 'latest' ? ref : pinned(to)
  return pinned(to === 'latest' ? target.revision : to)
}

/** The revisions of types by their references in the registry; of several the one that the document names itself. */
function revisionsOf(plan: Pick<Plan, 'targets' | 'bases'>, used: readonly Used[]) {
  const found = new Map<string, { readonly revision: number; readonly direct: boolean }>()
  for (const it of used) {
    const ref = refIn(plan, it.ref)
    if (it.primitiveId !== null && (it.isDirect || !found.has(ref)))
      found.set(ref, { revision: it.revision, direct: it.isDirect })
  }
  return found
}

/**
 * Creates a draft of a version with other revisions of its types, and compares the two. The document of the draft differs in
 * references only, and in the label.
 * @throws SvcError `project-not-found`, `version-not-found`, `primitive-not-found`, `primitive-revision-not-found`, `repin-nothing`,
 *   `usage`, and what creating a draft refuses
 */
export async function repin(
  deps: Deps,
  grant: Grant,
  place: { readonly project: string; readonly version: string },
  request: RepinRequest = {},
) {
  const tenantId = tenantOf(grant).id
  const { read } = deps.db
  const { project, version } = await findVersion(read, tenantId, place.project, place.version)
  const { used } = await typesOf(deps, read, version)
  const bases = basesOf(deps, grant)
  const asked = request.primitives?.map((text) => (/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `${typeScheme}${text}`))
  const keys = [...used.map(({ ref }) => ref), ...(asked ?? [])].map((ref) => readKey(ref, bases).key)
  const targets = await findTargets(read, tenantId, keys)
  const begun = { version, bases, targets, to: request.to ?? 'latest' }
  const plan = { ...begun, chosen: chosenOf(begun, used, asked) }
  const direct = used.filter(({ isDirect }) => isDirect)
  const refs = direct.map((it) => [it.ref, movedRef(plan, it)] as const)
  const now = await resolveNow(
    deps,
    read,
    tenantId,
    refs.map(([, ref]) => ref),
  )
  const earlier = revisionsOf(plan, used)
  const moved = [...revisionsOf(plan, now.used)].flatMap(([ref, { revision, direct: isDirect }]) => {
    const from = earlier.get(ref)?.revision ?? null
    return from === revision ? [] : [{ ref, from, to: revision, direct: isDirect }]
  })
  if (!moved.some(({ from }) => from !== null))
    throw new SvcError('repin-nothing', { version: `${project.slug}@${version.label}` })
  const label = request.label ?? (await freeLabel(deps, version))
  const moves = Object.fromEntries(refs.filter(([from, to]) => from !== to))
  const subject = deps.analysis.subjectOf(version)
  const text = await deps.analysis.run(tenantId, 'retarget', { moves, label: { from: version.label, to: label } }, [
    subject,
  ])
  const bytes = new TextEncoder().encode(text)
  const { source } = version.provenance
  const record = await createVersion(deps, grant, project.id, {
    label,
    visibility: version.visibility,
    content: { bytes, name: source },
    joinedFrom: version.id,
  })
  const digest = digestOf(bytes)
  const draft = subjectOf({ tenantId, digest, bytes, source, format: version.format.kind, syntax: version.syntax })
  const { changes, maxSeverity } = await deps.analysis.compare(withTypes(subject, used), withTypes(draft, now.used))
  return {
    version: record,
    moved,
    comparison: {
      base: sideOf(version),
      head: { version_id: record.id, label: record.label, digest: record.digest },
      max_severity: maxSeverity,
      counts: countsOf(countChanges(changes)),
      changes: writtenChanges(changes.slice(0, mostChanges)),
      total: changes.length,
    },
  }
}
