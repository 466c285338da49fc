import type { Json } from '../../../src/kernel/json.ts'
import { listTypeChanges, type TypeComparison } from '../../../src/types/compare.ts'

/** How many changes a comparison names. */
const mostChanges = 200

/** All differences of two schemas, which are JSON text as the registered types are that they refer to. */
export function run(input: {
  readonly before: string
  readonly after: string
  readonly registry: Readonly<Record<string, string>>
  readonly bases: readonly string[]
}): TypeComparison {
  const registry = new Map(Object.entries(input.registry).map(([key, text]) => [key, JSON.parse(text) as Json]))
  const sideOf = (text: string) => ({ schema: JSON.parse(text) as Json, registry })
  return listTypeChanges(sideOf(input.before), sideOf(input.after), { bases: input.bases, most: mostChanges })
}
