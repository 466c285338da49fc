import { inArray } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { primitives } from '../../db/tables.gen.ts'
import { cursorSeal } from '../../mcp/cursor-seal.ts'
import { primitiveScopes, type PrimitiveRecord, type PrimitiveScope } from '../../src/api/primitive-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { builtinTypes, type BuiltinType } from '../../src/types/builtin/builtin.ts'
import { fold } from '../../src/types/fold.ts'
import { trimNamespace } from '../../src/kernel/type-ref.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { builtinRecord, toRecord } from './record.ts'
import { findTargets, inParts, type PrimitiveRow, refsOf, resolveEdges } from '../used-types/door.ts'
import {
  comparePlaces,
  conditionsOf,
  countTypes,
  pageOfTypes,
  placeOf,
  type TypeKey,
  type RowFilter,
} from './search.ts'

const defaultLimit = 25
const greatestLimit = 100

/** What a list asks for, as the query says it. */
export interface ListQuery {
  readonly category?: string
  readonly q?: string
  readonly scope?: string
  readonly namespace?: string
  readonly limit?: number
  readonly cursor?: string
}

interface Filter extends RowFilter {
  readonly scope: PrimitiveScope | null
}

function scopeOf(scope: string | undefined): PrimitiveScope | null {
  if (scope === undefined) return null
  const found = primitiveScopes.find((it) => it === scope)
  if (found === undefined) throw new SvcError('scope-unknown', { scope })
  return found
}

const filterOf = (query: ListQuery): Filter => ({
  category: query.category ?? null,
  needle: fold(query.q ?? ''),
  namespace: query.namespace === undefined ? null : trimNamespace(query.namespace),
  scope: scopeOf(query.scope),
})

/** What every type matches. */
export const everything: Filter = filterOf({})

const matches = (it: BuiltinType, { category, needle, namespace }: Filter): boolean =>
  (category === null || it.category === category) &&
  (namespace === null || it.namespace === namespace) &&
  it.folded.includes(needle)

/** The types that come with svc, as far as they match and the tenant has none of the same name. */
export async function builtinsFor(deps: Deps, tenantId: string, filter: Filter): Promise<BuiltinType[]> {
  const found = builtinTypes().filter((it) => matches(it, filter))
  const own = new Set<string>()
  for (const part of inParts(found.map(({ ref }) => ref))) {
    const isNamed = inTenant(primitives, tenantId, inArray(primitives.ref, [...part]))
    const rows = await deps.db.read.select({ ref: primitives.ref }).from(primitives).where(isNamed)
    for (const { ref } of rows) own.add(ref)
  }
  return found.filter(({ ref }) => !own.has(ref))
}

/** Rows and types that come with svc, as answers show them, in the order of namespaces and names. */
async function recordsOf(
  deps: Deps,
  tenantId: string,
  rows: readonly PrimitiveRow[],
  builtins: readonly BuiltinType[],
): Promise<PrimitiveRecord[]> {
  const { read } = deps.db
  const refs = await refsOf(
    read,
    tenantId,
    rows.map(({ id }) => id),
  )
  const targets = await findTargets(
    read,
    tenantId,
    builtins.flatMap(({ keys }) => keys.flatMap(({ key }) => key ?? [])),
  )
  return [
    ...rows.map((row) => toRecord(row, refs.get(row.id) ?? [])),
    ...builtins.map((builtin) =>
      builtinRecord(
        builtin,
        resolveEdges(
          builtin.keys.map((key) => ({ ...key, revision: null })),
          targets,
        ),
      ),
    ),
  ].toSorted((a, b) => comparePlaces(placeOf(a), placeOf(b)))
}

/** Every type, of one category where one is asked for. */
async function listAll(deps: Deps, tenantId: string, filter: Filter): Promise<PrimitiveRecord[]> {
  const rows = await deps.db.read
    .select()
    .from(primitives)
    .where(inTenant(primitives, tenantId, ...conditionsOf(deps, filter)))
    .orderBy(primitives.namespace, primitives.name)
  return recordsOf(deps, tenantId, rows, await builtinsFor(deps, tenantId, filter))
}

// A cursor continues the same question only, and only for the tenant that it was made for.
const sealFor = (tenantId: string) => cursorSeal(`primitives ${tenantId}`)

function readCursor(tenantId: string, filter: Filter, cursor: string): TypeKey {
  const opened = sealFor(tenantId).open(JSON.stringify(filter), cursor)
  return JSON.parse(Buffer.from(opened, 'base64url').toString('utf8')) as TypeKey
}

const writeCursor = (tenantId: string, filter: Filter, place: TypeKey): string =>
  sealFor(tenantId).wrap(JSON.stringify(filter), Buffer.from(JSON.stringify(place)).toString('base64url'))

/** How many types of each scope fit; those of the tenant hide the ones of the same name that come with svc. */
async function countsOf(deps: Deps, tenantId: string, filter: Filter, builtins: readonly BuiltinType[]) {
  const rows = await countTypes(deps, tenantId, filter)
  const of = (scope: PrimitiveScope) => builtins.filter((it) => it.scope === scope).length
  return { rows, shown: { standard: of('standard'), core: of('core'), ...rows } }
}

async function searchPage(deps: Deps, tenantId: string, query: ListQuery) {
  const filter = filterOf(query)
  const limit = Math.min(query.limit ?? defaultLimit, greatestLimit)
  const from = query.cursor === undefined ? null : readCursor(tenantId, filter, query.cursor)
  const builtins = await builtinsFor(deps, tenantId, filter)
  const { rows: counts, shown } = await countsOf(deps, tenantId, filter, builtins)
  if (limit === 0) return { primitives: [], counts: shown, next_cursor: null, limit }
  const { scope } = filter
  const rows =
    scope === 'standard' || scope === 'core'
      ? []
      : await pageOfTypes(deps, tenantId, { filter, scope, from, limit: limit + 1, counts })
  const others = builtins
    .filter((it) => scope === null || it.scope === scope)
    .filter((it) => from === null || comparePlaces(placeOf(it), from) > 0)
    .slice(0, limit + 1)
  const places = [...rows, ...others].map(placeOf).toSorted(comparePlaces)
  const last = places[limit - 1]
  const isIn = (it: { readonly namespace: string; readonly name: string }) =>
    last === undefined || comparePlaces(placeOf(it), last) <= 0
  const records = await recordsOf(deps, tenantId, rows.filter(isIn), others.filter(isIn))
  const more = last !== undefined && places.length > limit
  return { primitives: records, counts: shown, next_cursor: more ? writeCursor(tenantId, filter, last) : null, limit }
}

/**
 * Lists types: an array of all, or a page where anything but a category is asked for.
 * @throws SvcError `scope-unknown`, `cursor-invalid`
 */
export async function listPrimitives(deps: Deps, grant: Grant, query: ListQuery) {
  const { id } = tenantOf(grant)
  const isBounded = [query.q, query.scope, query.namespace, query.limit, query.cursor].some((it) => it !== undefined)
  return isBounded ? searchPage(deps, id, query) : listAll(deps, id, filterOf(query))
}
