/** How types are counted and found: by the full-text index where few have what is looked for, and one by one where many have. */
import { and, asc, count, eq, type SQL } from 'drizzle-orm'
import { after, inTenant, upTo } from '../../db/conditions.ts'
import {
  amongFirst,
  containsItself,
  countInIndex,
  foldedContains,
  isCountedByIndex,
} from '../../db/primitives/match.ts'
import type { RowScope } from '../../db/primitives/search-ids.ts'
import { primitiveRegistries, primitives } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import type { PrimitiveRow } from '../used-types/door.ts'

/** What rows are looked for. */
export interface RowFilter {
  readonly category: string | null
  /** Folded; "" matches everything. */
  readonly needle: string
  readonly namespace: string | null
}

export type RowCounts = Readonly<Record<RowScope, number>>

/** The place of a type in lists. */
export type TypeKey = readonly [namespace: string, name: string]

/** As both databases order texts: by the bytes of UTF-8. */
export const comparePlaces = (a: TypeKey, b: TypeKey): number =>
  Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])) || Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1]))

export const placeOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): TypeKey => [
  namespace,
  name,
]

/** So many types are looked at one by one before the index is asked. */
const mostLookedAt = 4000

const none: RowCounts = { tenant: 0, custom: 0 }
const counted = new SizedCache<RowCounts>(20_000, 'type_counts')

/**
 * The conditions of a filter.
 * @param contains how a needle is looked for: by the index where it is left out
 */
export const conditionsOf = (
  deps: Deps,
  { category, needle, namespace }: RowFilter,
  contains = foldedContains,
): (SQL | undefined)[] => [
  category === null ? undefined : eq(primitives.category, category),
  namespace === null ? undefined : eq(primitives.namespace, namespace),
  needle === '' ? undefined : contains(deps.db.dialect, needle),
]

/** The same; few types of one namespace are rather looked at than compared with all that the index finds. */
async function narrowConditions(deps: Deps, tenantId: string, filter: RowFilter): Promise<(SQL | undefined)[]> {
  const { namespace, needle } = filter
  if (namespace === null || needle === '') return conditionsOf(deps, filter)
  const all = sumOf(await countTypes(deps, tenantId, { category: null, namespace, needle: '' }), null)
  return conditionsOf(deps, filter, all <= mostLookedAt ? containsItself : foldedContains)
}

async function countRows(deps: Deps, tenantId: string, filter: RowFilter): Promise<RowCounts> {
  const rows = await deps.db.read
    .select({ scope: primitives.scope, n: count() })
    .from(primitives)
    .where(inTenant(primitives, tenantId, ...(await narrowConditions(deps, tenantId, filter))))
    .groupBy(primitives.scope)
  const of = (scope: RowScope) => rows.find((row) => row.scope === scope)?.n ?? 0
  return { tenant: of('tenant'), custom: of('custom') }
}

async function countWithIndex(deps: Deps, tenantId: string, needle: string): Promise<RowCounts> {
  const [row] = await deps.db.read
    .select({ tenant: countInIndex(needle, 'tenant'), custom: countInIndex(needle, 'custom') })
    .from(primitiveRegistries)
    .where(inTenant(primitiveRegistries, tenantId))
  return row ?? none
}

/** How many types of each scope fit. What was counted is kept until a type changes. */
export async function countTypes(deps: Deps, tenantId: string, filter: RowFilter): Promise<RowCounts> {
  const [registry] = await deps.db.read
    .select()
    .from(primitiveRegistries)
    .where(inTenant(primitiveRegistries, tenantId))
  if (registry === undefined) return none
  const { category, needle, namespace } = filter
  const isPlain = category === null && namespace === null
  if (isPlain && needle === '') return { tenant: registry.tenantTypes, custom: registry.customTypes }
  const key = JSON.stringify([tenantId, registry.generation, category, needle, namespace])
  const known = counted.get(key)
  if (known !== undefined) return known
  const counts =
    isPlain && isCountedByIndex(deps.db.dialect, needle)
      ? await countWithIndex(deps, tenantId, needle)
      : await countRows(deps, tenantId, filter)
  counted.set(key, counts, 1)
  return counts
}

/** What a page has. */
interface PageQuery {
  readonly filter: RowFilter
  readonly scope: RowScope | null
  readonly from: TypeKey | null
  readonly limit: number
  /** How many types fit, by `countTypes`. */
  readonly counts: RowCounts
}

const sumOf = (counts: RowCounts, scope: RowScope | null): number =>
  scope === null ? counts.tenant + counts.custom : counts[scope]

/**
 * The first rows of a page looked for in the order of the list, as long as that takes a look at few of them; null where it
 * takes more.
 */
async function lookThrough(deps: Deps, tenantId: string, query: PageQuery): Promise<PrimitiveRow[] | null> {
  const { filter, scope, from, limit } = query
  const { read, dialect } = deps.db
  const placed = inTenant(
    primitives,
    tenantId,
    scope === null ? undefined : eq(primitives.scope, scope),
    from === null ? undefined : after([primitives.namespace, from[0]], [primitives.name, from[1]]),
  )
  const order = [asc(primitives.namespace), asc(primitives.name)] as const
  const [end] = await read
    .select({ namespace: primitives.namespace, name: primitives.name })
    .from(primitives)
    .where(placed)
    .orderBy(...order)
    .limit(1)
    .offset(mostLookedAt)
  const near = end === undefined ? undefined : upTo([primitives.namespace, end.namespace], [primitives.name, end.name])
  const rows = await read
    .select()
    .from(primitives)
    .where(and(placed, near, containsItself(dialect, filter.needle)))
    .orderBy(...order)
    .limit(limit)
  return rows.length === limit || end === undefined ? rows : null
}

/** The rows of a page, in the order of namespaces and names. */
export async function pageOfTypes(deps: Deps, tenantId: string, query: PageQuery): Promise<PrimitiveRow[]> {
  const { filter, scope, from, limit, counts } = query
  const { needle, category, namespace } = filter
  const { dialect } = deps.db
  const hits = sumOf(counts, scope)
  if (hits === 0) return []
  const isPlain = needle !== '' && category === null && namespace === null
  if (isPlain) {
    const all = sumOf(await countTypes(deps, tenantId, { category, namespace, needle: '' }), scope)
    const isFrequent = (limit * all) / hits <= mostLookedAt / 2
    const found = isFrequent ? await lookThrough(deps, tenantId, query) : null
    if (found !== null) return found
  }
  const ofScope = scope === null ? undefined : eq(primitives.scope, scope)
  const beyond = from === null ? undefined : after([primitives.namespace, from[0]], [primitives.name, from[1]])
  const first = isPlain ? amongFirst(dialect, { tenantId, needle, scope, beyond, limit }) : undefined
  const rows = deps.db.read.select().from(primitives)
  // Asked for an order, SQLite would look for the few rows in all of them.
  if (first !== undefined)
    return (await rows.where(inTenant(primitives, tenantId, first))).toSorted((a, b) =>
      comparePlaces(placeOf(a), placeOf(b)),
    )
  return rows
    .where(inTenant(primitives, tenantId, ...(await narrowConditions(deps, tenantId, filter)), ofScope, beyond))
    .orderBy(primitives.namespace, primitives.name)
    .limit(limit)
}
