import type { Reader } from '../../db/database.ts'
import type { ImpactedVersion, PrimitiveImpact } from '../../src/api/primitive-impact-shapes.ts'
import type { Change } from '../../src/diff/change.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { TypeChange } from '../../src/types/compare.ts'
import type { Edge } from '../../src/types/edges.ts'
import { referenceDepth } from '../../src/types/limits.ts'
import { type LiveConsumer, unpackResult, withTypes } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import { countChanges, countsOf } from '../versions/door.ts'
import type { VersionRow } from '../records/door.ts'
import {
  basesOfTenant,
  findUsers,
  readEdges,
  readKey,
  refOfEdge,
  refsOfVersion,
  resolveNow,
  rowsByRef,
  typesOf,
  type Used,
} from '../used-types/door.ts'
import { closureOf } from './classify.ts'
import { draftsOf, draftsUsing, publishedUsing, type UsingVersion } from './using-versions.ts'

/** The type that would change, as it is now and as it would be. */
export interface NewSchema {
  readonly tenantId: string
  readonly id: string
  readonly ref: string
  readonly schemaId: string | null
  readonly revision: number
  /** JSON text. */
  readonly before: string
  readonly after: string
  readonly edges: readonly Edge[]
}

/** How an impact is calculated. */
export interface ImpactWork {
  readonly signal: AbortSignal
  progress(done: number, total: number): Promise<void>
}

const mostTypes = 200
const mostVersions = 1000
const mostChanges = 20
// Of the versions behind these, fewer changes are listed.
const versionsInFull = 100
const fewChanges = 3
const mostOperations = 50
const atOnce = 4
const progressEach = 50

const severities = ['breaking', 'non-breaking', 'docs-only'] as const
const verdicts = ['breaking', 'unknown', 'safe'] as const

interface UserType {
  readonly id: string
  readonly ref: string
  readonly schemaId: string | null
  readonly depth: number
}

/** The types that use a type, nearest first; those farther than references are followed do not have it in any document. */
async function usersOf(read: Reader, tenantId: string, start: Pick<NewSchema, 'id' | 'ref' | 'schemaId'>) {
  const seen = new Set([start.id])
  const found: UserType[] = []
  let keys = keysOf(start)
  for (let depth = 1; keys.length > 0 && depth <= referenceDepth; depth++) {
    const level = (await findUsers(read, tenantId, keys)).filter(({ id }) => !seen.has(id))
    for (const { id, ref, schemaId } of level) {
      seen.add(id)
      found.push({ id, ref, schemaId, depth })
    }
    keys = level.flatMap(keysOf)
  }
  return { found, isDeeper: keys.length > 0 }
}

const keysOf = ({ ref, schemaId }: Pick<NewSchema, 'ref' | 'schemaId'>): string[] =>
  schemaId === null ? [ref] : [ref, schemaId]

/** What a type and those that use it change, each by its reference. */
async function typeChanges(
  deps: Deps,
  newSchema: NewSchema,
  users: readonly UserType[],
): Promise<Map<string, TypeChange | null>> {
  const { read } = deps.db
  const rows = await rowsByRef(
    read,
    newSchema.tenantId,
    users.map(({ ref }) => ref),
  )
  const edges = await readEdges(read, newSchema.tenantId, [newSchema.id, ...users.map(({ id }) => id)])
  const start = [...newSchema.edges, ...[...edges.values()].flat()].flatMap(({ key }) => key ?? [])
  const before = { ...(await closureOf(read, newSchema.tenantId, start)), [newSchema.ref]: newSchema.before }
  const after = { ...before, [newSchema.ref]: newSchema.after }
  if (newSchema.schemaId !== null) {
    before[newSchema.schemaId] = newSchema.before
    after[newSchema.schemaId] = newSchema.after
  }
  const pairs = [
    { key: newSchema.ref, before: newSchema.before, after: newSchema.after },
    ...users.flatMap(({ ref }) => {
      const schema = rows.get(ref)?.schema
      return schema === undefined ? [] : [{ key: ref, before: schema, after: schema }]
    }),
  ]
  const bases = await basesOfTenant(deps, read, newSchema.tenantId)
  const answers = await deps.analysis.run(newSchema.tenantId, 'type-changes', { pairs, before, after, bases })
  return new Map(answers.map(({ key, change }) => [key, change]))
}

const shownChange = (change: Change) => ({
  ...change,
  operations: change.operations.slice(0, mostOperations),
  consumers: [...change.consumers],
})

const verdictOf = (changes: readonly Change[]): (typeof verdicts)[number] =>
  verdicts.find((verdict) => changes.some((it) => it.classification === verdict)) ?? 'safe'

/** What every comparison of an impact needs. */
interface Question {
  readonly deps: Deps
  readonly type: NewSchema
  /** The types that the new schema refers to. */
  readonly more: readonly Used[]
  /** Addresses below which references find types of the tenant. */
  readonly bases: readonly string[]
  /** The types of drafts by their references: drafts of one API refer to the same ones. */
  readonly resolved: Map<string, Promise<readonly Used[]>>
  /** Consumers by the id of their project. */
  readonly consumers: Map<string, Promise<readonly LiveConsumer[]>>
}

async function usedBy({ deps, type, resolved }: Question, version: VersionRow): Promise<readonly Used[]> {
  const { read } = deps.db
  if (version.status !== 'draft') return (await typesOf(deps, read, version)).used
  const refs = await refsOfVersion(deps.analysis, version)
  const key = refs.join(' ')
  const known = resolved.get(key)
  if (known !== undefined) return known
  const found = resolveNow(deps, read, type.tenantId, refs).then(({ used }) => used)
  resolved.set(key, found)
  return found
}

function consumersOf({ deps, consumers }: Question, { tenantId, projectId }: VersionRow) {
  const known = consumers.get(projectId) ?? deps.analysis.impacts.consumersOf(deps.db.read, tenantId, projectId)
  consumers.set(projectId, known)
  return known
}

const isMeant = ({ type, bases }: Question, { primitiveId, ref }: Used): boolean =>
  (primitiveId ?? readKey(ref, bases).key) === type.id

/** The types of a version with the new schema in place of the present one, wherever it may move. */
function movedTypes(question: Question, used: readonly Used[]): readonly Used[] {
  const known = new Set(used.map(({ ref }) => ref))
  const moved = used.map((it) =>
    isMeant(question, it) && readKey(it.ref, question.bases).revision === null
      ? { ...it, schema: question.type.after }
      : it,
  )
  return [...moved, ...question.more.filter(({ ref }) => !known.has(ref))]
}

/** What the new schema means for a version; null where the version does not use the type. */
async function impactOn(question: Question, { version, project }: UsingVersion): Promise<ImpactedVersion | null> {
  const { deps } = question
  const used = await usedBy(question, version)
  const own = used.filter((it) => isMeant(question, it))
  if (own.length === 0) return null
  const subject = deps.analysis.subjectOf(version)
  const base = withTypes(subject, used)
  const head = withTypes(subject, movedTypes(question, used))
  const options = deps.analysis.optionsOf({})
  const result = unpackResult(await deps.analysis.run(version.tenantId, 'type-impact', options, [base, head]))
  const live = result.changes.length === 0 ? [] : await consumersOf(question, version)
  const impact = live.length === 0 ? null : await deps.analysis.impactOf(base, head, result, live)
  const changes = impact?.changes ?? result.changes
  return {
    project_id: version.projectId,
    project,
    version_id: version.id,
    version: version.label,
    status: version.status,
    revision: Math.max(...own.map(({ revision }) => revision)),
    direct: own.some(({ isDirect }) => isDirect),
    directions: (['request', 'response'] as const).filter((one) => changes.some(({ direction }) => direction === one)),
    severity: result.maxSeverity,
    verdict: verdictOf(changes),
    counts: countsOf(countChanges(changes)),
    changes: changes.slice(0, mostChanges).map(shownChange),
    witness: changes.find((one) => one.severity === 'breaking' && one.witness !== null)?.witness ?? null,
    operations: [...new Set(changes.flatMap(({ operations }) => operations))].slice(0, mostOperations),
    consumers: (impact?.consumers ?? []).filter(({ status }) => status === 'broken').map(({ handle }) => handle),
  }
}

const byLabel = new Intl.Collator('en', { numeric: true }).compare

const rank = (it: ImpactedVersion): number =>
  verdicts.indexOf(it.verdict) * 4 + (it.severity === null ? 3 : severities.indexOf(it.severity))

/** The versions that use a type, with the types that each of them uses. */
async function versionsUsing(deps: Deps, schema: NewSchema, users: readonly UserType[]) {
  const { read } = deps.db
  const found = await draftsOf(read, schema.tenantId)
  const keys = new Set([schema, ...users].flatMap(keysOf))
  const published = await publishedUsing(read, schema.tenantId, schema.id)
  const drafts = await draftsUsing(deps, read, schema.tenantId, keys, found)
  return { versions: [...drafts, ...published], isCut: found.isCut }
}

/**
 * What a new schema of a type would break: the type itself, the types that use it, and the versions that use one of them, each
 * compared with the new schema in place of the one that it uses now.
 * @throws SvcError `analysis-stopped`
 */
export async function findImpact(deps: Deps, schema: NewSchema, work: ImpactWork): Promise<PrimitiveImpact> {
  const { read } = deps.db
  const { found: users, isDeeper } = await usersOf(read, schema.tenantId, schema)
  const looked = users.slice(0, mostTypes)
  const changes = await typeChanges(deps, schema, looked)
  const { versions, isCut } = await versionsUsing(deps, schema, users)
  const more = (
    await resolveNow(
      deps,
      read,
      schema.tenantId,
      schema.edges.flatMap((edge) => refOfEdge(edge) ?? []),
    )
  ).used
  const notConsidered: { name: string; reason: string }[] = []
  if (users.length > mostTypes)
    notConsidered.push({
      name: plural(users.length - mostTypes, 'type'),
      reason: `${users.length} types use it; the nearest ${mostTypes} were compared`,
    })
  if (isDeeper)
    notConsidered.push({
      name: 'types',
      reason: `more than ${referenceDepth} references away, which no document follows`,
    })
  if (isCut) notConsidered.push({ name: 'drafts', reason: 'there are too many; the last changed ones were compared' })
  const question = {
    deps,
    type: schema,
    more,
    bases: await basesOfTenant(deps, read, schema.tenantId),
    resolved: new Map(),
    consumers: new Map(),
  }
  const impacted: ImpactedVersion[] = []
  let done = 0
  const one = async (using: UsingVersion): Promise<void> => {
    work.signal.throwIfAborted()
    try {
      const impact = await impactOn(question, using)
      if (impact !== null) impacted.push(impact)
    } catch (error) {
      // What cannot be compared is named, and keeps no other from it.
      if (!(error instanceof SvcError)) throw error
      notConsidered.push({ name: `${using.project}@${using.version.label}`, reason: error.message })
    }
    done += 1
    if (done % progressEach === 0) await work.progress(done, versions.length)
  }
  const waiting = [...versions]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await one(next)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  // Comparisons end in any order.
  impacted.sort((a, b) => rank(a) - rank(b) || byLabel(a.project, b.project) || byLabel(a.version, b.version))
  return reportOf(schema, { users, looked, changes, impacted, notConsidered })
}

interface Findings {
  readonly users: readonly UserType[]
  /** Those that were compared. */
  readonly looked: readonly UserType[]
  readonly changes: ReadonlyMap<string, TypeChange | null>
  readonly impacted: readonly ImpactedVersion[]
  readonly notConsidered: readonly { readonly name: string; readonly reason: string }[]
}

function reportOf(schema: NewSchema, { users, looked, changes, impacted, notConsidered }: Findings): PrimitiveImpact {
  const change = changes.get(schema.ref) ?? null
  const counted = (verdict: (typeof verdicts)[number]) => impacted.filter((at) => at.verdict === verdict).length
  const worst = verdicts.find((verdict) => counted(verdict) > 0)
  return {
    primitive: schema.ref,
    revision: schema.revision,
    verdict: worst ?? change?.verdict ?? 'safe',
    change: change === null ? null : { ...change, counts: { ...change.counts } },
    direct: {
      primitives: users.filter(({ depth }) => depth === 1).length,
      versions: impacted.filter(({ direct }) => direct).length,
    },
    transitive: {
      primitives: users.filter(({ depth }) => depth > 1).length,
      versions: impacted.filter(({ direct }) => !direct).length,
    },
    counts: {
      versions: impacted.length,
      breaking: counted('breaking'),
      unknown: counted('unknown'),
      safe: counted('safe'),
    },
    versions: impacted
      .slice(0, mostVersions)
      .map((at, index) => (index < versionsInFull ? at : { ...at, changes: at.changes.slice(0, fewChanges) })),
    primitives: looked.flatMap(({ id, ref, depth }) => {
      const found = changes.get(ref) ?? null
      const { severity, verdict, witness } = found ?? { severity: null, verdict: 'safe' as const, witness: null }
      return found === null ? [] : [{ id, ref, depth, severity, verdict, witness }]
    }),
    not_considered: notConsidered.slice(0, mostVersions).map((one) => ({ ...one })),
  }
}
