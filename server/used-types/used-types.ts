import { and, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { primitiveRevisions, versionTypes } from '../../db/tables.gen.ts'
import { builtinByKey } from '../../src/types/builtin/builtin.ts'
import type { UsedTypes } from '../../src/types/bundle-types.ts'
import { referenceDepth } from '../../src/types/limits.ts'
import { bareUri } from '../../src/document/references-in-document.ts'
import { isOutward, withoutFragment, type OutwardRefs } from '../../src/types/outward.ts'
import { readRef, refOf } from '../../src/kernel/type-ref.ts'
import { type AnalysisService, contentKey, type Subject, tenantIn, withTypes } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import type { VersionRow } from '../records/door.ts'
import { rowsByRef } from './rows.ts'
import { registryBases } from './bases.ts'
import { findTargets, inParts, readEdges, type StoredEdge } from './references.ts'

/** A type of the registry at the revision that a version uses. */
export interface Used {
  readonly ref: string
  readonly name: string
  readonly primitiveId: string | null
  readonly revision: number
  readonly schema: string
  /** Whether the document itself refers to it, not only other types. */
  readonly isDirect: boolean
}

/** The types that a version uses, and the references that name nothing. */
export interface TypeUse {
  readonly used: readonly Used[]
  /** References out of the document that the registry has no type for. */
  readonly missing: readonly string[]
  /** How many references of the document to itself or to files find nothing. */
  readonly broken: number
}

/** What finding types takes. */
export type TypeDeps = Pick<Deps, 'analysis' | 'publicUrls'>

const none: TypeUse = { used: [], missing: [], broken: 0 }
const remembered = new SizedCache<OutwardRefs>(5000, 'type_references')

/** The references out of a version to anything that a registry may know. */
export const refsOfVersion = async (analysis: AnalysisService, version: VersionRow): Promise<readonly string[]> =>
  (await refsOfDocuments(analysis, documentsOf(analysis, version))).refs

/** Whether the references of a version are known without reading it. */
export const areRefsKnown = (analysis: AnalysisService, version: VersionRow): boolean =>
  documentsOf(analysis, version).every((it) => remembered.get(contentKey(it)) !== undefined)

/** What stored documents refer to and do not have, from memory where they were read before. */
async function refsOfDocuments(analysis: AnalysisService, documents: readonly Subject[]): Promise<OutwardRefs> {
  const found = []
  for (const document of documents) {
    const key = contentKey(document)
    let refs = remembered.get(key)
    if (refs === undefined) {
      refs = await analysis.run(tenantIn(document), 'type-refs', {}, [document])
      remembered.set(key, refs, refs.refs.length + 1)
    }
    found.push(refs)
  }
  const refs = [...new Set(found.flatMap((it) => it.refs))]
  return { refs, broken: found.reduce((sum, it) => sum + it.broken, 0) }
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

/** What the registry knows a reference by: the name of a type, or an `$id`. */
export function readKey(
  ref: string,
  bases: readonly string[],
): { readonly key: string; readonly revision: number | null } {
  const parsed = readRef(ref, bases)
  return parsed === null ? { key: bareUri(ref), revision: null } : { key: refOf(parsed), revision: parsed.revision }
}

/** What the target of an edge is found by: the reference as it is written where that says it all; null where it names nothing. */
export const refOfEdge = ({ target, key }: Pick<StoredEdge, 'target' | 'key'>): string | null => {
  if (key === null) return null
  return isOutward(target) ? withoutFragment(target) : key
}

/** The types that references name now, with those that they refer to. */
export async function resolveNow(
  deps: TypeDeps,
  read: Reader,
  tenantId: string,
  start: readonly string[],
): Promise<Omit<TypeUse, 'broken'>> {
  const used = new Map<string, Used>()
  const missing = new Set<string>()
  const bases = await registryBases(deps, read, tenantId, start)
  let level: readonly string[] = start
  for (let depth = 0; depth < referenceDepth && level.length > 0; depth++) {
    const asked = level.map((ref) => ({ ref, ...readKey(ref, bases) }))
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
    const follow = (list: readonly Pick<StoredEdge, 'target' | 'key'>[]) => {
      for (const edge of list) {
        const ref = refOfEdge(edge)
        if (ref !== null) next.add(ref)
      }
    }
    for (const { ref, key, revision } of asked) {
      const target = targets.get(key)
      const row = target === undefined ? undefined : rows.get(target.ref)
      const builtin = target === undefined || row !== undefined ? undefined : builtinByKey(target.ref)
      if (row !== undefined) {
        const wanted = revision ?? row.revision
        const schema = wanted === row.revision ? row.schema : await schemaAt(read, tenantId, row.id, wanted)
        if (schema === null) missing.add(ref)
        else {
          used.set(ref, { ref, name: row.name, primitiveId: row.id, revision: wanted, schema, isDirect: depth === 0 })
          // Edges are kept of the newest revision only.
          if (wanted === row.revision) follow(edges.get(row.id) ?? [])
          else follow((await deps.analysis.run(tenantId, 'type', { text: schema, bases })).edges)
        }
      } else if (builtin !== undefined && (revision ?? 1) === 1) {
        const schema = JSON.stringify(builtin.schema)
        used.set(ref, { ref, name: builtin.name, primitiveId: null, revision: 1, schema, isDirect: depth === 0 })
        follow(builtin.keys)
      } else missing.add(ref)
    }
    level = [...next].filter((ref) => !used.has(ref) && !missing.has(ref))
  }
  for (const ref of level) missing.add(ref)
  return { used: [...used.values()], missing: [...missing] }
}

/** The types of a document as the registry is now: what a draft is rendered with, and what publishing keeps. */
export async function typesNow(deps: TypeDeps, read: Reader, documents: readonly Subject[]): Promise<TypeUse> {
  const [first] = documents
  const { refs, broken } = await refsOfDocuments(deps.analysis, documents)
  if (first === undefined || refs.length === 0) return broken === 0 ? none : { ...none, broken }
  return { ...(await resolveNow(deps, read, tenantIn(first), refs)), broken }
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

async function typesPinned(read: Reader, version: VersionRow, refs: readonly string[]): Promise<readonly Used[]> {
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
  const direct = new Set(refs)
  return rows.map(({ own, ...row }) => ({ ...row, schema: own ?? row.schema ?? 'true', isDirect: direct.has(row.ref) }))
}

/** The documents of a version: its own and those that joined it. */
const documentsOf = (analysis: AnalysisService, version: VersionRow): Subject[] => [
  analysis.subjectOf(version),
  ...(version.joined ?? []).map((it) => analysis.joinedSubjectOf(version.tenantId, it)),
]

/** The types that a version is rendered with: those of its publication, or of now for a draft. */
export async function typesOf(deps: TypeDeps, read: Reader, version: VersionRow): Promise<TypeUse> {
  const documents = documentsOf(deps.analysis, version)
  if (version.status === 'draft') return typesNow(deps, read, documents)
  const { refs, broken } = await refsOfDocuments(deps.analysis, documents)
  if (refs.length === 0) return broken === 0 ? none : { ...none, broken }
  const used = await typesPinned(read, version, refs)
  const known = new Set(used.map(({ ref }) => ref))
  return { used, missing: refs.filter((ref) => !known.has(ref)), broken }
}

/** The document of a version read with the types that it refers to: what is compared, and what consumers use. */
export async function typedSubject(deps: TypeDeps, read: Reader, version: VersionRow): Promise<Subject> {
  return withTypes(deps.analysis.subjectOf(version), (await typesOf(deps, read, version)).used)
}

/** The types as renderers take them. */
export const usedTypes = ({ used }: Pick<TypeUse, 'used'>): UsedTypes =>
  Object.fromEntries(
    used.map(({ ref, name, primitiveId, revision, schema }) => {
      const identity = `${primitiveId ?? ref} ${revision}`
      return [ref, { name, identity, schema }]
    }),
  )
