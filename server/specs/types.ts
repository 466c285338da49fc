import { and, count, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { SpecType, SpecTypePart } from '../../src/api/specs.ts'
import { SvcError } from '../../src/errors.ts'
import { builtinByKey, builtinTypes, type BuiltinType } from '../../src/types/builtin/builtin.ts'
import { fold } from '../../src/types/fold.ts'
import { readRef, refOf, typeScheme } from '../../src/kernel/type-ref.ts'
import { after, isTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { foldedContains } from '../../db/primitives/match.ts'
import { primitives, tenants } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import { resolveNow, type Used } from '../used-types/door.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { Viewer } from './viewer.ts'

export interface ListQuery {
  readonly q?: string
  readonly tenant?: string
  readonly namespace?: string
  readonly cursor?: string
  readonly limit?: number
}

const mostWords = 12

export const columns = { row: primitives, tenant: tenants.slug }

/** The types that a caller may read: public ones, and all of the caller's tenants. */
export const visibleTypes = (own: readonly string[]): SQL | undefined =>
  or(eq(primitives.visibility, 'public'), own.length === 0 ? undefined : inArray(primitives.tenantId, [...own]))

export const shown = ({
  row,
  tenant,
}: {
  readonly row: typeof primitives.$inferSelect
  readonly tenant: string
}): SpecType => ({
  type: row.ref,
  tenant,
  scope: row.scope,
  visibility: row.visibility,
  description: row.description,
  revision: row.revision,
  deprecated: row.deprecated !== null,
})

export const shownBuiltin = (builtinType: BuiltinType): SpecType => ({
  type: builtinType.ref,
  tenant: null,
  scope: builtinType.scope,
  visibility: 'public',
  description: builtinType.description,
  revision: 1,
  deprecated: false,
})

const bytewise = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/**
 * A page of the types that the caller sees, by their references; those that come with svc belong to no organization.
 * @throws SvcError `cursor-invalid`
 */
export async function listSpecTypes(deps: Deps, viewer: Viewer, query: ListQuery) {
  const { read, dialect } = { read: deps.db.read, dialect: deps.db.dialect }
  const { limit = 50, cursor, namespace, tenant } = query
  const words = fold(query.q ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, mostWords)
  const matching = and(
    visibleTypes(viewer.tenants),
    tenant === undefined ? undefined : eq(tenants.slug, tenant),
    namespace === undefined ? undefined : eq(primitives.namespace, namespace),
    ...words.map((word) => foldedContains(dialect, word)),
  )
  const builtins =
    tenant === undefined
      ? builtinTypes().filter(
          (it) =>
            (namespace === undefined || it.namespace === namespace) && words.every((word) => it.folded.includes(word)),
        )
      : []
  const place = cursor === undefined ? null : readCursor('types', cursor, ['string', 'string'])
  const rest = place === null ? undefined : after([primitives.ref, place[0]], [primitives.id, place[1]])
  const from = () => read.select(columns).from(primitives).innerJoin(tenants, isTenant(primitives.tenantId))
  const rows = await from()
    .where(and(matching, rest))
    .orderBy(primitives.ref, primitives.id)
    .limit(limit + 1)
  const [counted] = await read
    .select({ n: count() })
    .from(primitives)
    .innerJoin(tenants, isTenant(primitives.tenantId))
    .where(matching)
  const own = rows.map((it) => ({ key: [it.row.ref, it.row.id] as const, item: shown(it) }))
  const others = builtins
    .filter(({ ref }) => place === null || bytewise(ref, place[0]) > 0)
    .map((it) => ({ key: [it.ref, ''] as const, item: shownBuiltin(it) }))
  const all = [...own, ...others].toSorted((a, b) => bytewise(a.key[0], b.key[0]) || bytewise(a.key[1], b.key[1]))
  const page = all.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(({ item }) => item),
    total: (counted?.n ?? 0) + builtins.length,
    next_cursor: all.length > limit && last !== undefined ? writeCursor('types', last.key) : null,
  }
}

interface PartQuery {
  readonly type: string
  readonly tenant?: string
  readonly limit_bytes?: number
}

const defaultBytes = 200_000

/** What a type refers to as far as the limit of bytes reaches, and the references behind it. */
function within(used: readonly Used[], most: number) {
  const referenced: Record<string, unknown> = {}
  const omitted: string[] = []
  let bytes = 0
  for (const { ref, schema } of used) {
    bytes += schema.length
    if (bytes > most) omitted.push(ref)
    else referenced[ref] = JSON.parse(schema)
  }
  return { referenced, omitted }
}

/** Of the types that another organization's type refers to, those that everyone may read. */
async function publicOf(read: Reader, used: readonly Used[]): Promise<readonly Used[]> {
  const ids = used.flatMap(({ primitiveId }) => primitiveId ?? [])
  if (ids.length === 0) return used
  const rows = await read
    .select({ id: primitives.id })
    .from(primitives)
    .where(and(inArray(primitives.id, ids), eq(primitives.visibility, 'public')))
  const open = new Set(rows.map(({ id }) => id))
  return used.filter(({ primitiveId }) => primitiveId === null || open.has(primitiveId))
}

/**
 * A type with what it refers to. Of several organizations' types of one name the caller's own is meant, then the one that comes
 * with svc, then a public one.
 * @throws SvcError `primitive-not-found`, `primitive-revision-not-found`
 */
export async function specType(deps: Deps, viewer: Viewer, query: PartQuery): Promise<SpecTypePart> {
  const { read } = deps.db
  const ref = readRef(query.type.startsWith(typeScheme) ? query.type : `${typeScheme}${query.type}`)
  if (ref === null) throw new SvcError('primitive-not-found', { primitive: query.type })
  const key = refOf(ref)
  const own = viewer.tenants
  const rows = await read
    .select(columns)
    .from(primitives)
    .innerJoin(tenants, isTenant(primitives.tenantId))
    .where(
      and(
        eq(primitives.ref, key),
        visibleTypes(own),
        query.tenant === undefined ? undefined : eq(tenants.slug, query.tenant),
      ),
    )
    .orderBy(primitives.createdAt, primitives.id)
    .limit(100)
  const mine = rows.find(({ row }) => own.includes(row.tenantId))
  const builtin = query.tenant === undefined ? builtinByKey(key) : undefined
  const found = mine ?? (builtin === undefined ? rows[0] : undefined)
  const most = query.limit_bytes ?? defaultBytes
  if (found === undefined) {
    if (builtin === undefined) throw new SvcError('primitive-not-found', { primitive: query.type })
    if ((ref.revision ?? 1) !== 1)
      throw new SvcError('primitive-revision-not-found', { primitive: key, revision: ref.revision ?? 1 })
    const { used } = await resolveNow(
      deps,
      read,
      '',
      builtin.keys.flatMap(({ key: target }) => target ?? []),
    )
    return { ...shownBuiltin(builtin), schema: builtin.schema, ...within(used, most) }
  }
  const { row } = found
  const pinned = ref.revision === null ? key : `${key}@${ref.revision}`
  const { used } = await resolveNow(deps, read, row.tenantId, [pinned])
  const whole = used.find((it) => it.ref === pinned)
  if (whole === undefined)
    throw new SvcError('primitive-revision-not-found', { primitive: key, revision: ref.revision ?? row.revision })
  const others = used.filter((it) => it !== whole)
  const open = mine === undefined ? await publicOf(read, others) : others
  return {
    ...shown(found),
    revision: whole.revision,
    schema: JSON.parse(whole.schema) as unknown,
    ...within(open, most),
  }
}
