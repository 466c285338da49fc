import { and, desc, eq, isNotNull, lt } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { isoOf } from '../../db/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { newId } from '../../db/id.ts'
import { primitiveImports } from '../../db/tables.gen.ts'
import type { PrimitiveImportCounts } from '../../db/tables/primitive-imports.ts'
import type { ImportedTypeRecord, PrimitiveImportBody } from '../../src/api/primitive-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { refOf } from '../../src/kernel/type-ref.ts'
import type { ReadType } from '../analysis/door.ts'
import { followTypes } from '../embeddings/door.ts'
import { actorOf, type Grant, recordAudit, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { digestOf } from '../../db/content.ts'
import { classify, unresolvedOf, type Classified } from './classify.ts'
import { type PrimitiveRow, rowsByRef } from '../used-types/door.ts'
import { readRequested, type Source } from './review.ts'
import { assertName } from './service.ts'
import { noCounts } from './stage.ts'
import { changePrimitive, insertPrimitives, lockRegistry, type Written, type WrittenBy } from './write.ts'

type Outcome = ImportedTypeRecord['outcome']

/** What becomes of each type of an import. */
interface Planned extends Classified {
  readonly outcome: Outcome
}

/** How often an import is planned again, because types changed while it was compared. */
const attempts = 3

/** The names that resolutions give. @throws SvcError `resolution-invalid`, `primitive-name-invalid` */
function namesOf(body: PrimitiveImportBody): Record<string, string> {
  const names: Record<string, string> = {}
  for (const [key, { action, name }] of Object.entries(body.resolutions ?? {})) {
    if (action !== 'rename') continue
    if (name === undefined || name === null)
      throw new SvcError('resolution-invalid', { key, reason: 'rename requires "name"' })
    assertName(name)
    names[key] = name
  }
  return names
}

function plan(classified: readonly Classified[], body: PrimitiveImportBody): Planned[] {
  const resolutions = new Map(Object.entries(body.resolutions ?? {}))
  const refs = new Set<string>()
  for (const { type } of classified) {
    const ref = refOf(type)
    if (refs.has(ref)) throw new SvcError('resolution-invalid', { key: type.key, reason: `two types would be ${ref}` })
    refs.add(ref)
  }
  return classified.map((entry) => {
    const { type, classification } = entry
    if (type.errors.length > 0) return { ...entry, outcome: 'invalid' }
    if (classification === 'New') return { ...entry, outcome: 'created' }
    if (classification === 'Identical') return { ...entry, outcome: 'identical' }
    const action = resolutions.get(type.key)?.action ?? body.on_conflict ?? 'keep'
    if (action === 'rename')
      throw new SvcError('resolution-invalid', { key: type.key, reason: `there is already a type ${refOf(type)}` })
    return { ...entry, outcome: action === 'overwrite' ? 'updated' : 'kept' }
  })
}

const writtenOf = (
  readType: ReadType,
  before: PrimitiveRow | null,
  visibility: Written['visibility'] | undefined,
): Written => ({
  visibility: visibility ?? before?.visibility ?? 'private',
  namespace: readType.namespace,
  name: readType.name,
  category: readType.category ?? before?.category ?? null,
  description: readType.description ?? before?.description ?? '',
  tags: readType.tags.length > 0 ? readType.tags : (before?.tags ?? []),
  schemaId: readType.schemaId,
  draft: readType.draft,
  schema: readType.schema,
  digest: readType.digest,
  edges: readType.edges,
})

/** Whether what an import was compared with is still there, unchanged. */
async function isCurrent(tx: Transaction, tenantId: string, planned: readonly Planned[]): Promise<boolean> {
  const rows = await rowsByRef(
    tx,
    tenantId,
    planned.map(({ type }) => refOf(type)),
  )
  return planned.every(({ type, existing }) => {
    const row = rows.get(refOf(type))
    return row?.id === existing?.id && row?.revision === existing?.revision
  })
}

async function writeAll(
  tx: Transaction,
  planned: readonly Planned[],
  by: WrittenBy,
  visibility: Written['visibility'] | undefined,
): Promise<Map<string, PrimitiveRow>> {
  const rows = new Map<string, PrimitiveRow>()
  const created = planned.filter(({ outcome }) => outcome === 'created')
  const inserted = await insertPrimitives(
    tx,
    created.map(({ type }) => writtenOf(type, null, visibility)),
    by,
  )
  for (const [index, { type }] of created.entries()) {
    const row = inserted[index]
    if (row !== undefined) rows.set(type.key, row)
  }
  for (const { type, existing, outcome } of planned) {
    if (outcome === 'updated' && existing !== null)
      rows.set(type.key, await changePrimitive(tx, existing, writtenOf(type, existing, visibility), by))
    else if (existing !== null) rows.set(type.key, existing)
  }
  return rows
}

function countsOf(planned: readonly Planned[], unresolved: number): PrimitiveImportCounts {
  const counts = { ...noCounts, total: planned.length, unresolved_refs: unresolved }
  for (const { outcome } of planned) counts[outcome]++
  return counts
}

/** Why types were left out because of their schemas, each with its first error. */
const invalidIn = (planned: readonly Planned[]) =>
  planned.flatMap(({ type, outcome }) => {
    const [first] = type.errors
    if (outcome !== 'invalid' || first === undefined) return []
    const where = first.pointer === '' ? '' : `${first.pointer}: `
    const message = `"${type.key}" was left out: ${where}${first.message}`
    return [{ code: 'schema-invalid', message, pointer: type.pointer + first.pointer }]
  })

const importedOf = ({ type, outcome }: Planned, row: PrimitiveRow | undefined): ImportedTypeRecord => ({
  key: type.key,
  outcome,
  id: row?.id ?? null,
  namespace: type.namespace,
  name: type.name,
  ref: refOf(type),
  revision: row?.revision ?? null,
})

/** Ends a staged import, or writes the row of one that was not staged. */
async function recordImport(
  tx: Transaction,
  source: Source,
  row: { readonly id: string; readonly counts: PrimitiveImportCounts; readonly report: Record<string, unknown> },
  by: WrittenBy,
): Promise<void> {
  const { id, counts, report } = row
  const done = { status: 'imported' as const, counts, report, source: null, expiresAt: null }
  if (source.importId !== null) {
    const isStaged = eq(primitiveImports.status, 'staged')
    const where = inTenant(primitiveImports, by.tenantId, eq(primitiveImports.id, id), isStaged)
    const [ended] = await tx.update(primitiveImports).set(done).where(where).returning({ id: primitiveImports.id })
    if (!ended) throw new SvcError('stage-expired', { import: id, status: 'imported' })
    return
  }
  await tx.insert(primitiveImports).values({
    ...done,
    id,
    tenantId: by.tenantId,
    sourceKind: source.kind,
    method: 'paste',
    locator: null,
    digest: digestOf(new TextEncoder().encode(source.text)),
    createdBy: by.actor,
    createdAt: by.at,
  })
}

/**
 * Imports the types of a document, all or none; each conflict is kept, overwritten or renamed.
 * @throws SvcError `bundle-malformed`, `types-unreadable`, `resolution-invalid`, `stage-expired`, `primitive-changed` …
 */
export async function importTypes(deps: Deps, grant: Grant, body: PrimitiveImportBody) {
  const tenantId = tenantOf(grant).id
  const source = await readRequested(deps, grant, body, namesOf(body))
  for (const key of Object.keys(body.resolutions ?? {}))
    if (!source.types.some((it) => it.key === key))
      throw new SvcError('resolution-invalid', { key, reason: 'the document has no type of this key' })
  const id = source.importId ?? newId()
  for (let attempt = 1; ; attempt++) {
    const planned = plan(await classify(deps, grant, source.types), body)
    const unresolved = await unresolvedOf(deps, grant, source.types)
    const written = planned.filter(({ outcome }) => outcome === 'created' || outcome === 'updated')
    const missing = written.reduce((sum, { type }) => sum + (unresolved.get(type.key)?.length ?? 0), 0)
    const counts = countsOf(planned, missing)
    const answer = await deps.db.inTransaction(async (tx) => {
      const by: WrittenBy = { tenantId, actor: actorOf(grant), at: deps.clock.iso(), importId: id }
      await lockRegistry(tx, tenantId)
      if (!(await isCurrent(tx, tenantId, planned))) return null
      const rows = await writeAll(tx, planned, by, body.visibility)
      if (written.length > 0) await followTypes(deps, tx, tenantId)
      const types = planned.map((it) => importedOf(it, rows.get(it.type.key)))
      const problems = [...source.problems, ...invalidIn(planned)]
      await recordImport(tx, source, { id, counts, report: { types, problems } }, by)
      const detail = { ...counts }
      await recordAudit(tx, {
        tenantId,
        actor: grant.principal,
        action: 'primitives.imported',
        targetId: id,
        detail,
        at: by.at,
      })
      return { import_id: id, status: 'imported' as const, summary: counts, primitives: types, problems }
    })
    if (answer !== null) return answer
    const [first] = planned
    if (attempt === attempts)
      throw new SvcError('primitive-changed', {
        primitive: first === undefined ? '' : refOf(first.type),
        revision: first?.existing?.revision ?? 0,
      })
  }
}

const head = {
  id: primitiveImports.id,
  source_kind: primitiveImports.sourceKind,
  method: primitiveImports.method,
  locator: primitiveImports.locator,
  status: primitiveImports.status,
  counts: primitiveImports.counts,
  digest: primitiveImports.digest,
  created_by: primitiveImports.createdBy,
  created_at: primitiveImports.createdAt,
  expires_at: primitiveImports.expiresAt,
}

type Head = Pick<typeof primitiveImports.$inferSelect, 'status' | 'counts'> & { readonly expires_at: string | null }

const shown = <T extends Head>(row: T, now: string) => ({
  ...row,
  counts: { ...row.counts },
  status:
    row.status === 'staged' && row.expires_at !== null && row.expires_at <= now ? ('expired' as const) : row.status,
})

/** The imports of a tenant, newest first. */
export async function listImports(deps: Deps, grant: Grant, limit: number) {
  const rows = await deps.db.read
    .select(head)
    .from(primitiveImports)
    .where(inTenant(primitiveImports, tenantOf(grant).id))
    .orderBy(desc(primitiveImports.createdAt), desc(primitiveImports.id))
    .limit(limit)
  return rows.map((row) => shown(row, deps.clock.iso()))
}

/**
 * One import with its report.
 * @throws SvcError `stage-not-found`
 */
export async function getImport(deps: Deps, grant: Grant, id: string) {
  const [row] = await deps.db.read
    .select({ ...head, report: primitiveImports.report })
    .from(primitiveImports)
    .where(inTenant(primitiveImports, tenantOf(grant).id, eq(primitiveImports.id, id)))
    .limit(1)
  if (!row) throw new SvcError('stage-not-found', { import: id })
  return shown(row, deps.clock.iso())
}

/**
 * Removes the sources that were staged and not imported in time; their rows stay.
 * @param now milliseconds since the epoch
 */
export async function sweepStages(tx: Transaction, now: number): Promise<void> {
  const isOld = and(
    eq(primitiveImports.status, 'staged'),
    isNotNull(primitiveImports.source),
    lt(primitiveImports.expiresAt, isoOf(now)),
  )
  await tx.update(primitiveImports).set({ status: 'expired', source: null }).where(isOld)
}
