import { count, desc, isNotNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { primitives } from '../../db/tables.gen.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { builtinsFor, everything } from './list.ts'
import { compareText } from '../../src/kernel/order.ts'

/** How many namespaces and categories an answer names. */
const mostNamed = 500

interface Facet {
  readonly name: string
  readonly count: number
}

const byName = (a: Facet, b: Facet): number => compareText(a.name, b.name)

/** Rows and the names of other types together: the most frequent ones, by name. */
function facetsOf(rows: readonly Facet[], others: readonly (string | null)[]): Facet[] {
  const counts = new Map(rows.map((it) => [it.name, it.count]))
  for (const name of others) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .map(([name, n]) => ({ name, count: n }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, mostNamed)
    .toSorted(byName)
}

/** The namespaces and categories of all types, each with its number of types: what a list can be filtered by. */
export async function listFacets(deps: Deps, grant: Grant) {
  const tenantId = tenantOf(grant).id
  const rowsOf = async (column: typeof primitives.namespace | typeof primitives.category): Promise<Facet[]> => {
    const rows = await deps.db.read
      .select({ name: column, count: count() })
      .from(primitives)
      .where(inTenant(primitives, tenantId, isNotNull(column)))
      .groupBy(column)
      .orderBy(desc(count()), column)
      .limit(mostNamed)
    return rows.flatMap((row) => (row.name === null ? [] : [{ name: row.name, count: row.count }]))
  }
  const builtins = await builtinsFor(deps, tenantId, everything)
  return {
    namespaces: facetsOf(
      await rowsOf(primitives.namespace),
      builtins.map(({ namespace }) => namespace),
    ),
    categories: facetsOf(
      await rowsOf(primitives.category),
      builtins.map(({ category }) => category),
    ),
  }
}
