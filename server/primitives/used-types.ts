import { and, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { primitiveRevisions, versionTypes } from '../../db/tables.gen.ts'
import { builtinByKey } from '../../src/types/builtin/builtin.ts'
import type { UsedTypes } from '../../src/types/bundle-types.ts'
import { referenceDepth } from '../../src/types/limits.ts'
import { readRef, refOf, writeRef } from '../../src/types/ref.ts'
import type { AnalysisService } from '../analysis/service.ts'
import { contentKey, tenantIn, type Subject } from '../analysis/subject.ts'
import { SizedCache } from '../sized-cache.ts'
import type { VersionRow } from '../versions/record.ts'
import { rowsByRef } from './rows.ts'
import { findTargets, inParts, readEdges } from './references.ts'

/** A type of the registry at the revision that a version uses. */
interface Used {
  readonly ref: string
  readonly name: string
  readonly primitiveId: string | null
  readonly revision: number
  readonly schema: string
}

/** The types that a version uses, and the references that name no type. */
export interface TypeUse {
  readonly used: readonly Used[]
  readonly missing: readonly string[]
}

const none: TypeUse = { used: [], missing: [] }
const remembered = new SizedCache<readonly string[]>(5000, 'type_references')

/** The references of a stored document to types, from memory where it was read before. */
async function refsOfDocument(analysis: AnalysisService, document: Subject): Promise<readonly string[]> {
  const key = contentKey(document)
  const known = remembered.get(key)
  if (known !== undefined) return known
  const refs = await analysis.run(tenantIn(document), 'type-refs', {}, [document])
  remembered.set(key, refs, refs.length + 1)
  return refs
}

async function schemaAt(read: Reader, tenantId: string, primitiveId: string, revision: number): Promise<string | null> {
  const [row] = await read
    .select({ schema: primitiveRevisions.schema })
    .from(primitiveRevisions)
    .where(
      inTenant(
        primitiveRevisions,
        tenantId,
        eq(primitiveRevisions.primitiveId, primitiveId),
        eq(primitiveRevisions.revision, revision),
      ),
    )
    .limit(1)
  return row?.schema ?? null
}

/** The types that references name now, with those that they refer to. */
async function resolveNow(
  analysis: AnalysisService,
  read: Reader,
  tenantId: string,
  start: readonly string[],
): Promise<TypeUse> {
  const used = new Map<string, Used>()
  const missing = new Set<string>()
  let level: readonly string[] = start
  for (let depth = 0; depth < referenceDepth && level.length > 0; depth++) {
    const asked = level.flatMap((ref) => {
      const parsed = readRef(ref)
      return parsed === null ? [] : [{ ref, key: refOf(parsed), revision: parsed.revision }]
    })
    const targets = await findTargets(
      read,
      tenantId,
      asked.map(({ key }) => key),
    )
    const rows = await rowsByRef(
      read,
      tenantId,
      [...targets.values()].map(({ ref }) => ref),
    )
    const edges = await readEdges(
      read,
      tenantId,
      [...rows.values()].map(({ id }) => id),
    )
    const next = new Set<string>()
    const follow = (list: readonly { readonly key: string | null; readonly revision?: number | null }[]) => {
      for (const { key, revision } of list) {
        const parsed = key === null ? null : readRef(key)
        if (parsed !== null) next.add(writeRef({ ...parsed, revision: revision ?? null }))
      }
    }
    for (const { ref, key, revision } of asked) {
      const row = rows.get(key)
      const builtin = row === undefined ? builtinByKey(key) : undefined
      if (row !== undefined) {
        const wanted = revision ?? row.revision
        const schema = wanted === row.revision ? row.schema : await schemaAt(read, tenantId, row.id, wanted)
        if (schema === null) missing.add(ref)
        else {
          used.set(ref, { ref, name: row.name, primitiveId: row.id, revision: wanted, schema })
          // Edges are kept of the newest revision only.
          if (wanted === row.revision) follow(edges.get(row.id) ?? [])
          else follow((await analysis.run(tenantId, 'type', { text: schema, bases: [] })).edges)
        }
      } else if (builtin !== undefined && (revision ?? 1) === 1) {
        const schema = JSON.stringify(builtin.schema)
        used.set(ref, { ref, name: builtin.name, primitiveId: null, revision: 1, schema })
        follow(builtin.keys)
      } else missing.add(ref)
    }
    level = [...next].filter((ref) => !used.has(ref) && !missing.has(ref))
  }
  for (const ref of level) missing.add(ref)
  return { used: [...used.values()], missing: [...missing] }
}

/** The types of a document as the registry is now: what a draft is rendered with, and what publishing keeps. */
export async function typesNow(analysis: AnalysisService, read: Reader, document: Subject): Promise<TypeUse> {
  const refs = await refsOfDocument(analysis, document)
  return refs.length === 0 ? none : resolveNow(analysis, read, tenantIn(document), refs)
}

/** Keeps the types of a version that is published in this transaction. */
export async function pinTypes(tx: Transaction, version: VersionRow, { used }: TypeUse): Promise<void> {
  const { tenantId, id: versionId } = version
  const rows = used.map(({ ref, name, primitiveId, revision, schema }) => ({
    tenantId,
    versionId,
    ref,
    name,
    primitiveId,
    revision,
    schema: primitiveId === null ? schema : null,
  }))
  for (const part of inParts(rows, 100)) await tx.insert(versionTypes).values([...part])
}

async function typesPinned(read: Reader, version: VersionRow): Promise<readonly Used[]> {
  const rows = await read
    .select({
      ref: versionTypes.ref,
      name: versionTypes.name,
      primitiveId: versionTypes.primitiveId,
      revision: versionTypes.revision,
      own: versionTypes.schema,
      schema: primitiveRevisions.schema,
    })
    .from(versionTypes)
    .leftJoin(
      primitiveRevisions,
      and(
        inTenant(primitiveRevisions, version.tenantId, eq(primitiveRevisions.primitiveId, versionTypes.primitiveId)),
        eq(primitiveRevisions.revision, versionTypes.revision),
      ),
    )
    .where(inTenant(versionTypes, version.tenantId, eq(versionTypes.versionId, version.id)))
    .orderBy(versionTypes.ref)
  return rows.map(({ own, ...row }) => ({ ...row, schema: own ?? row.schema ?? 'true' }))
}

/** The types that a version is rendered with: those of its publication, or of now for a draft. */
export async function typesOf(analysis: AnalysisService, read: Reader, version: VersionRow): Promise<TypeUse> {
  const document = analysis.subjectOf(version)
  if (version.status === 'draft') return typesNow(analysis, read, document)
  const refs = await refsOfDocument(analysis, document)
  if (refs.length === 0) return none
  const used = await typesPinned(read, version)
  const known = new Set(used.map(({ ref }) => ref))
  return { used, missing: refs.filter((ref) => !known.has(ref)) }
}

/** The types as renderers take them. */
export const usedTypes = ({ used }: TypeUse): UsedTypes =>
  Object.fromEntries(
    used.map(({ ref, name, primitiveId, revision, schema }) => {
      const identity = `${primitiveId ?? ref} ${revision}`
      return [ref, { name, identity, schema }]
    }),
  )
