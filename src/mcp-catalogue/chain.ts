/** Whether what one tool answers is what another one takes: decided by containment of the sets of values, not by names of types. */
import { diff } from '../diff/diff.ts'
import { parseDocument } from '../document/parse.ts'
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'

/** Whether each output of a tool is an input of another one; null where that is not decided. */
export interface Chained {
  readonly from: string
  readonly to: string
  readonly fits: boolean | null
  /** An output of `from` that `to` refuses. */
  readonly counterexample?: Json
  /** Why nothing is decided. */
  readonly reason?: string
}

/** The chains between the tools of two servers, or of one. */
export interface ChainMatrix {
  /** The tools that say what they answer, and those that say what they take. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly pairs: readonly Chained[]
  /** The tools without an output schema: nothing is known of what they answer. */
  readonly silent: readonly string[]
  /** Pairs that were not looked at, because there are too many. */
  readonly more: number
}

/** So many pairs are decided; each takes about a millisecond. */
const mostPairs = 2500
const dialect = 'https://json-schema.org/draft/2020-12/schema'

const nameOf = (tool: JsonObject): string => (typeof tool.name === 'string' ? tool.name : '')

/** MCP: a schema without "$schema" is one of JSON Schema 2020-12. */
const documentOf = (schema: JsonObject, source: string) =>
  parseDocument(JSON.stringify({ $schema: dialect, ...schema }), { source, syntax: 'json' })

/**
 * Decides whether every value that a tool answers (`outputSchema`) is a value that another one takes (`inputSchema`).
 * @returns `fits` null, with the reason, where the tool does not say what it answers, or where it is undecided
 */
export function chainOf(first: JsonObject, second: JsonObject): Chained {
  const pair = { from: nameOf(first), to: nameOf(second) }
  const { outputSchema: output } = first
  const { inputSchema: input } = second
  if (!isObject(output)) return { ...pair, fits: null, reason: `"${pair.from}" has no output schema` }
  if (!isObject(input)) return { ...pair, fits: null, reason: `"${pair.to}" has no input schema` }
  const { verdict, witness, changes } = diff(documentOf(output, 'output'), documentOf(input, 'input'), {
    mode: 'backward',
  })
  if (verdict === 'safe') return { ...pair, fits: true }
  // A value that is not confirmed proves nothing.
  if (verdict === 'breaking' && witness) return { ...pair, fits: false, counterexample: witness.value }
  const open = changes.find(({ classification }) => classification !== 'safe')
  return { ...pair, fits: null, reason: open?.message ?? 'no value could be confirmed' }
}

/** Decides for each tool of one list whether its answer fits each tool of another one, or of the same. */
export function chainMatrix(first: readonly JsonObject[], second: readonly JsonObject[]): ChainMatrix {
  const from = first.filter((it) => isObject(it.outputSchema))
  const to = second.filter((it) => isObject(it.inputSchema))
  const pairs: Chained[] = []
  for (const a of from)
    for (const b of to)
      if ((a !== b || from.length * to.length === 1) && pairs.length < mostPairs) pairs.push(chainOf(a, b))
  const same = from.filter((it) => to.includes(it)).length
  const wanted = from.length * to.length - (from.length * to.length === 1 ? 0 : same)
  return {
    from: from.map(nameOf),
    to: to.map(nameOf),
    pairs,
    silent: first.filter((it) => !isObject(it.outputSchema)).map(nameOf),
    more: wanted - pairs.length,
  }
}
