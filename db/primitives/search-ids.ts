/**
 * The numbers that the full-text index of SQLite knows types by. Those of one tenant and scope are next to each other, so that
 * the index counts them alone, without a look at their rows.
 */
import { between, max, sql, type SQL } from 'drizzle-orm'
import { inTenant } from '../conditions.ts'
import type { Transaction } from '../database.ts'
import { primitiveRegistries } from '../tables/primitive-registries.ts'
import { primitives } from '../tables/primitives.ts'

const perScope = 2 ** 30

/** The scopes of rows, in the order of their numbers. */
const scopes = ['custom', 'tenant'] as const
export type RowScope = (typeof scopes)[number]

const firstOf = (block: number, scope: RowScope): number => (block * scopes.length + scopes.indexOf(scope)) * perScope

/** The number that a type has in another block. */
export const searchIdIn = (id: number, block: number, other: number): number =>
  id + (other - block) * scopes.length * perScope

/** The numbers of a scope, as a condition on the rowid of the index, beside a row of `primitive_registries`. */
export const rowidsOf = (scope: RowScope): SQL => {
  const first = sql`(${primitiveRegistries.block} * ${sql.raw(String(scopes.length))} + ${sql.raw(String(scopes.indexOf(scope)))}) * ${sql.raw(String(perScope))}`
  return sql`rowid between ${first} and ${first} + ${sql.raw(String(perScope - 1))}`
}

/** How many types a change adds to a scope; negative for those that it removes. */
export interface Added {
  readonly scope: RowScope
  readonly types: number
}

/** Says that the types of a tenant change in this transaction. Gives its block, which it gets with its first type. */
export async function touchRegistry(tx: Transaction, tenantId: string, added?: Added): Promise<number> {
  const of = (scope: RowScope): number => (added?.scope === scope ? added.types : 0)
  const { generation, customTypes, tenantTypes } = primitiveRegistries
  const [known] = await tx
    .update(primitiveRegistries)
    .set({
      generation: sql`${generation} + 1`,
      customTypes: sql`${customTypes} + ${of('custom')}`,
      tenantTypes: sql`${tenantTypes} + ${of('tenant')}`,
    })
    .where(inTenant(primitiveRegistries, tenantId))
    .returning({ block: primitiveRegistries.block })
  if (known !== undefined) return known.block
  await tx.lock('primitive-search')
  const [greatest] = await tx.select({ block: max(primitiveRegistries.block) }).from(primitiveRegistries)
  const block = (greatest?.block ?? 0) + 1
  const counts = { customTypes: of('custom'), tenantTypes: of('tenant') }
  await tx.insert(primitiveRegistries).values({ tenantId, generation: 1, block, ...counts })
  return block
}

/** Numbers for types that a tenant adds to a scope: the first of them. The caller holds the lock of the registry. */
export async function numberTypes(tx: Transaction, tenantId: string, added: Added): Promise<number> {
  const first = firstOf(await touchRegistry(tx, tenantId, added), added.scope)
  const [greatest] = await tx
    .select({ id: max(primitives.searchId) })
    .from(primitives)
    .where(inTenant(primitives, tenantId, between(primitives.searchId, first, first + perScope - 1)))
  return (greatest?.id ?? first - 1) + 1
}
