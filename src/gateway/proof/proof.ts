/** What an engine is proven to do: the table of `scripts/gateway-proof.ts`, asked about one check of a document. */
import type { DialectName } from '../dialects/index.ts'
import { proofTable } from '../dialects/proof.gen.ts'

type Row = readonly [constraint: string, described: number, refused: number, others: number, passed: number]

const rowsOf = new Map<string, ReadonlyMap<string, Row>>(
  Object.entries(proofTable).map(([name, rows]: [string, readonly Row[]]) => [
    name,
    new Map(rows.map((row) => [row[0], row])),
  ]),
)

/** So many constraints are named in a sentence. */
const mostNamed = 5

const named = (constraints: readonly string[]): string => {
  const shown = constraints.slice(0, mostNamed).join(', ')
  return constraints.length > mostNamed ? `${shown} and ${constraints.length - mostNamed} more` : shown
}

/** Why a check is not called enforced. */
export interface Doubt {
  /** approximated: a request did what it should not; unproven: the engine was never tried with it. */
  readonly state: 'approximated' | 'unproven'
  readonly reason: string
}

/**
 * What the table lacks.
 * @param constraints as `constraintsOf` names them
 * @returns null where the engine was tried with all of them, and no request did what it should not
 */
export function doubtOf(dialect: DialectName, constraints: readonly string[]): Doubt | null {
  const rows = rowsOf.get(dialect)
  if (rows === undefined) return { state: 'unproven', reason: 'This engine was never run with rules of svc.' }
  const weak = constraints.filter((it) => {
    const [, , refused = 0, , passed = 0] = rows.get(it) ?? []
    return refused + passed > 0
  })
  if (weak.length > 0)
    return {
      state: 'approximated',
      reason: `When the engine was tried, some requests were decided wrongly: ${named(weak)}.`,
    }
  const missing = constraints.filter((it) => !rows.has(it))
  return missing.length === 0
    ? null
    : { state: 'unproven', reason: `The engine was never tried with: ${named(missing)}.` }
}
