/** The pairs of tools as the cells of a table: a row answers, a column takes. */
import type { McpToolChains } from '../../../../src/api/mcp-server-shapes.ts'

export type Chain = McpToolChains['pairs'][number]

/** What is decided of a pair, as a filter names it. */
export const chainVerdicts = ['fits', 'refused', 'undecided'] as const
export type ChainVerdict = (typeof chainVerdicts)[number]

export const verdictOf = ({ fits }: Pick<Chain, 'fits'>): ChainVerdict => {
  if (fits === null) return 'undecided'
  return fits ? 'fits' : 'refused'
}

/** What a table of pairs is narrowed to; empty words narrow nothing. */
export interface ChainFilter {
  readonly q: string
  readonly verdict: string
}

/** A table of pairs. What the filter leaves out is null, and so is a tool beside itself. */
export interface ChainTable {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly name: string; readonly cells: readonly (Chain | null)[] }[]
}

const keyOf = (from: string, to: string): string => JSON.stringify([from, to])

// A server may give two tools one name: the worst that is known of them is shown.
const severity: Readonly<Record<ChainVerdict, number>> = { fits: 0, undecided: 1, refused: 2 }

const worstByKey = (pairs: readonly Chain[]): ReadonlyMap<string, Chain> => {
  const found = new Map<string, Chain>()
  for (const pair of pairs) {
    const key = keyOf(pair.from, pair.to)
    const known = found.get(key)
    if (known === undefined || severity[verdictOf(pair)] > severity[verdictOf(known)]) found.set(key, pair)
  }
  return found
}

/** The table of the pairs that a filter leaves, without rows and columns of which it leaves nothing. */
export function tableOf({ from, to, pairs }: McpToolChains, { q, verdict }: ChainFilter): ChainTable {
  const wanted = q.toLowerCase()
  const isWanted = (pair: Chain): boolean =>
    (verdict === '' || verdictOf(pair) === verdict) && `${pair.from}\n${pair.to}`.toLowerCase().includes(wanted)
  const known = worstByKey(pairs)
  const shown = new Map([...known].filter(([, pair]) => isWanted(pair)))
  const [givers, takers] = [new Set<string>(), new Set<string>()]
  for (const pair of shown.values()) {
    givers.add(pair.from)
    takers.add(pair.to)
  }
  const columns = [...new Set(to)].filter((name) => takers.has(name))
  const rows = [...new Set(from)].filter((name) => givers.has(name))
  return {
    columns,
    rows: rows.map((name) => ({ name, cells: columns.map((column) => shown.get(keyOf(name, column)) ?? null) })),
  }
}

/** How many pairs there are of each verdict. */
export function countVerdicts(pairs: readonly Chain[]): Readonly<Record<ChainVerdict, number>> {
  const counts = { fits: 0, refused: 0, undecided: 0 }
  for (const pair of worstByKey(pairs).values()) counts[verdictOf(pair)]++
  return counts
}

/** A cell by its row and its column. */
export interface CellAt {
  readonly row: number
  readonly column: number
}

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** The pair that a key leads to from a cell: the next one in its direction, or the first or last of the row; null where there is none. */
export function cellAfter({ rows, columns }: ChainTable, { row, column }: CellAt, key: string): CellAt | null {
  const isPair = (at: CellAt): boolean => (rows[at.row]?.cells[at.column] ?? null) !== null
  const inRow = columns.map((_, n) => ({ row, column: n })).filter(isPair)
  if (key === 'Home') return inRow[0] ?? null
  if (key === 'End') return inRow.at(-1) ?? null
  const step = steps[key]
  if (step === undefined) return null
  let at = { row: row + step[0], column: column + step[1] }
  while (rows[at.row] !== undefined && at.column >= 0 && at.column < columns.length) {
    if (isPair(at)) return at
    at = { row: at.row + step[0], column: at.column + step[1] }
  }
  return null
}

/** The pair that two names mean, wherever it is in the table; null where it is not shown. */
export function findPair({ rows, columns }: ChainTable, from: string, to: string): { at: CellAt; pair: Chain } | null {
  const at = { row: rows.findIndex(({ name }) => name === from), column: columns.indexOf(to) }
  const pair = rows[at.row]?.cells[at.column] ?? null
  return pair === null ? null : { at, pair }
}

/** The first pair of a table. */
export function firstPair({ rows, columns }: ChainTable): CellAt | null {
  for (const [row, { cells }] of rows.entries())
    for (const column of columns.keys()) if (cells[column]) return { row, column }
  return null
}
