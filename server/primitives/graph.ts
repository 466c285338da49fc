import { and, eq, isNull, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { inTenant } from '../../db/conditions.ts'
import { primitiveEdges, primitives, versionTypes } from '../../db/tables.gen.ts'
import { SvcError } from '../../src/errors.ts'
import { builtinByKey, builtinTypes } from '../../src/types/builtin/builtin.ts'
import { bareUri } from '../../src/document/references-in-document.ts'
import { withoutFragment } from '../../src/types/outward.ts'
import { readRef, refOf, typeScheme } from '../../src/kernel/type-ref.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { etagOf, isKnown, Reply } from '../http/door.ts'
import { digestOf } from '../../db/content.ts'
import { basesOf, findUsers, inParts, publishedUsers } from '../used-types/door.ts'
import { findByKey, showRevision, usageKeys } from './service.ts'

/** How many types an answer about usage names. */
const mostUsers = 1000
/** How many suggestions an unresolved reference gets. */
const mostSuggestions = 5

// What publishing kept for a reference that names no revision itself.
async function keptFor({ db }: Deps, tenantId: string, versionId: string, ref: string) {
  const isIt = and(eq(versionTypes.versionId, versionId), eq(versionTypes.ref, withoutFragment(ref)))
  const [kept] = await db.read
    .select({ revision: versionTypes.revision, schema: versionTypes.schema })
    .from(versionTypes)
    .where(inTenant(versionTypes, tenantId, isIt))
  return kept ?? null
}

/**
 * The type that a reference names: `svc:…`, the address of a type, or an `$id`.
 * @param versionId of a published version: its references mean the revisions of its publication
 * @throws SvcError `primitive-not-found`, `primitive-revision-not-found`
 */
export async function resolveReference(deps: Deps, grant: Grant, text: string, versionId: string | null = null) {
  const ref = readRef(text, basesOf(deps, grant))
  const kept = versionId === null ? null : await keptFor(deps, tenantOf(grant).id, versionId, text)
  const key = ref === null ? bareUri(text) : refOf(ref)
  const found = await findByKey(deps.db.read, tenantOf(grant).id, key)
  if (found === undefined) throw new SvcError('primitive-not-found', { primitive: text })
  const fragment = ref?.fragment ?? /#(.*)$/s.exec(text)?.[1] ?? ''
  const revision = ref?.revision ?? kept?.revision ?? null
  // Of a type that comes with svc the version has the schema itself: another program may have another one.
  if (kept !== null && kept.schema !== null && revision !== null) {
    const shown = await showRevision(deps, grant, found, null)
    return { ...shown, revision, schema: JSON.parse(kept.schema) as unknown, fragment }
  }
  return { ...(await showRevision(deps, grant, found, revision)), fragment }
}

/**
 * The schema of a type at its address. Without access to the organization only public types are there.
 * @param path `namespace/name`, with `@revision` to pin it
 * @throws SvcError `primitive-not-found`, `primitive-revision-not-found`
 */
export async function showType(deps: Deps, grant: Grant, path: string, ifNoneMatch: string | null): Promise<Reply> {
  const ref = readRef(`${typeScheme}${path}`)
  const missing = new SvcError('primitive-not-found', { primitive: path })
  if (ref === null || grant.tenant === null) throw missing
  const found = await findByKey(deps.db.read, grant.tenant.id, refOf(ref))
  if (found === undefined) throw missing
  const isOpen = !('visibility' in found) || found.visibility === 'public'
  if (!isOpen && !grant.permissions.has('primitives:view')) throw missing
  const { schema, revision } = await showRevision(deps, grant, found, ref.revision)
  const body = JSON.stringify(schema)
  const etag = etagOf(digestOf(new TextEncoder().encode(body)))
  const headers = {
    'content-type': 'application/schema+json',
    etag,
    'cache-control': `${isOpen ? 'public' : 'private'}, ${ref.revision === null || !('tenantId' in found) ? 'no-cache' : 'max-age=31536000, immutable'}`,
    link: `<${deps.publicUrl()}/v1/types/${grant.tenant.slug}/${path.replace(/@\d+$/, '')}@${revision}>; rel="canonical"`,
  }
  return new Reply({
    headers,
    body: isKnown(ifNoneMatch, etag) ? null : body,
    ...(isKnown(ifNoneMatch, etag) ? { status: 304 } : {}),
  })
}

/**
 * The types that refer to a type, nearest first.
 * @param depth 1: those that refer to it themselves; more: through so many others
 * @throws SvcError `primitive-not-found`
 */
export async function usageOf(deps: Deps, grant: Grant, id: string, depth: number) {
  const tenantId = tenantOf(grant).id
  const start = await usageKeys(deps, grant, id)
  const seen = new Set([start.id])
  const found: { id: string; ref: string; depth: number; pointers: string[]; uses: string[] }[] = []
  /** The types of the step before, by what references name. */
  let nearer = new Map(start.keys.map((key) => [key, start.id]))
  for (let level = 1; level <= depth && nearer.size > 0 && found.length <= mostUsers; level++) {
    const users = (await findUsers(deps.db.read, tenantId, [...nearer.keys()])).filter((it) => !seen.has(it.id))
    for (const user of users) {
      seen.add(user.id)
      const uses = [...new Set([...user.keys].flatMap((key) => nearer.get(key) ?? []))]
      found.push({ id: user.id, ref: user.ref, depth: level, pointers: user.pointers, uses })
    }
    nearer = new Map(
      users.flatMap(({ id: own, ref, schemaId }) =>
        [ref, schemaId].flatMap((key) => (key === null ? [] : [[key, own]])),
      ),
    )
  }
  const published = start.id.startsWith('svc:') ? [] : await publishedUsers(deps.db.read, tenantId, start.id)
  const versions = published.map(({ project, version, revision }) => ({ project, version, revision }))
  return {
    primitives: found.slice(0, mostUsers),
    versions: versions.slice(0, mostUsers),
    count: found.length,
    truncated: found.length > mostUsers,
  }
}

const lastSegment = (target: string): string => {
  const path = target.replace(/[?#].*$/s, '') || target.replace(/^#/, '')
  const name = path.split('/').findLast((it) => it !== '') ?? ''
  return name.replace(/@\d+$/, '').replace(/(?:\.schema)?\.(?:json|ya?ml)$/i, '')
}

/** Types of the name that a reference ends with, whatever the case of its letters. */
export async function suggestFor(
  deps: Deps,
  tenantId: string,
  targets: readonly string[],
): Promise<Map<string, string[]>> {
  const names = new Map(targets.map((target) => [target, lastSegment(target).toLowerCase()]))
  const byName = new Map<string, string[]>()
  for (const { name, ref } of builtinTypes())
    byName.set(name.toLowerCase(), [...(byName.get(name.toLowerCase()) ?? []), ref])
  for (const part of inParts([...new Set(names.values())].filter((it) => it !== ''))) {
    const list = sql.join(
      part.map((it) => sql`${it}`),
      sql`, `,
    )
    const rows = await deps.db.read
      .select({ name: primitives.name, ref: primitives.ref })
      .from(primitives)
      .where(inTenant(primitives, tenantId, sql`lower(${primitives.name}) in (${list})`))
      .orderBy(primitives.ref)
      .limit(part.length * mostSuggestions)
    for (const { name, ref } of rows) byName.set(name.toLowerCase(), [ref, ...(byName.get(name.toLowerCase()) ?? [])])
  }
  return new Map(
    [...names].map(([target, name]) => [target, [...new Set(byName.get(name) ?? [])].slice(0, mostSuggestions)]),
  )
}

/** The references of all types that find nothing. */
export async function unresolvedRefs(deps: Deps, grant: Grant) {
  const tenantId = tenantOf(grant).id
  const target = alias(primitives, 'target')
  // One condition for each index: "or" would read every type of the tenant for every reference.
  const namedBy = (column: typeof target.ref | typeof target.schemaId) =>
    deps.db.read
      .select({ one: sql`1` })
      .from(target)
      .where(
        and(
          eq(target.tenantId, tenantId),
          eq(column, primitiveEdges.key),
          or(isNull(primitiveEdges.revision), sql`${primitiveEdges.revision} <= ${target.revision}`),
        ),
      )
  const isMissing = and(notExists(namedBy(target.ref)), notExists(namedBy(target.schemaId)))
  const rows = await deps.db.read
    .select({
      id: primitives.id,
      namespace: primitives.namespace,
      name: primitives.name,
      ref: primitives.ref,
      pointer: primitiveEdges.pointer,
      target: primitiveEdges.target,
      key: primitiveEdges.key,
    })
    .from(primitiveEdges)
    .innerJoin(primitives, inTenant(primitives, tenantId, eq(primitives.id, primitiveEdges.primitiveId)))
    .where(inTenant(primitiveEdges, tenantId, isMissing))
    .orderBy(primitives.namespace, primitives.name, primitiveEdges.position)
  const missing = rows.filter(({ key }) => key === null || builtinByKey(key) === undefined)
  const suggestions = await suggestFor(deps, tenantId, [...new Set(missing.map((it) => it.target))])
  const byType = new Map<string, (typeof missing)[number][]>()
  for (const row of missing) byType.set(row.id, [...(byType.get(row.id) ?? []), row])
  return {
    total_edges: missing.length,
    affected_primitives: byType.size,
    primitives: [...byType.values()].flatMap((list) => {
      const [first] = list
      if (first === undefined) return []
      const { id, namespace, name, ref } = first
      const unresolved = list.map((it) => ({
        pointer: it.pointer,
        target: it.target,
        suggestions: suggestions.get(it.target) ?? [],
      }))
      return [{ id, namespace, name, ref, unresolved }]
    }),
  }
}
