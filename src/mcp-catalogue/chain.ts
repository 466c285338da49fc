/** Whether what one tool answers is what another one takes: decided by containment of the sets of values, not by names of types. */
import { diff, judgeSchemas } from '../diff/diff.ts'
import type { Document } from '../document/document.ts'
import { parseDocument } from '../document/parse.ts'
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { cutTo } from '../kernel/text.ts'
import { withinLimits } from '../schema/effort.ts'
import { validate } from '../schema/validate.ts'
import { mostChainedTools } from './types.ts'

/** Whether each output of a tool is an input of another one; null where that is not decided. */
export interface Chained {
  readonly from: string
  readonly to: string
  readonly fits: boolean | null
  /** An output of `from` that `to` refuses. */
  readonly counterexample?: Json
  /** Why `to` refuses that output, or why nothing is decided. */
  readonly reason?: string
}

/** The chains between the tools of two servers, or of one. */
export interface ChainMatrix {
  /** The tools that say what they answer, and those that say what they take; of each at most `mostChainedTools`. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly pairs: readonly Chained[]
  /** The tools without an output schema: nothing is known of what they answer. */
  readonly silent: readonly string[]
  /** The tools that were left out on one side or on both, because there are too many. */
  readonly omitted: readonly string[]
  /** Pairs that were not looked at, because tools were left out. */
  readonly more: number
}

/** A matrix shows no longer value: its JSON in characters. */
const longestValue = 2000
/** MCP 2025-11-25 allows 128 characters; a matrix repeats each name in every pair. */
const longestName = 128
/** A matrix compares no larger schema, in characters of its JSON: it would take the time and the memory of all others. */
const longestSchema = 64 * 1024
/** A pair of a matrix takes no more steps: some tenths of a second. Tools that people write take some hundred. */
const maxSteps = 10_000
const dialect = 'https://json-schema.org/draft/2020-12/schema'

const nameOf = (tool: JsonObject): string => (typeof tool.name === 'string' ? cutTo(tool.name, longestName) : '')

/** MCP: a schema without "$schema" is one of JSON Schema 2020-12. */
const documentOf = (schema: JsonObject, source: string): Document =>
  parseDocument(JSON.stringify({ $schema: dialect, ...schema }), { source, syntax: 'json' })

/** The first thing that a schema refuses of a value, with its place. */
function refusalOf(schema: Json, value: Json): string {
  const [first] = validate(schema, value)
  if (first === undefined) return 'the value is refused'
  return first.path.length === 0 ? first.message : `${formatPointer(first.path)}: ${first.message}`
}

/** Why a schema says nothing of values: it cannot be read, or it is another document. */
function faultOf({ problems, format, source }: Document): string | undefined {
  if (format !== null && format.kind !== 'json-schema') return `the ${source} schema is no JSON Schema`
  const error = problems.find(({ severity }) => severity === 'error')
  return error && `the ${source} schema cannot be read: ${error.message}`
}

/**
 * What is decided of a pair of tools whose schemas were read.
 * @param maxSteps where a pair is one of many: it is left undecided then instead of looked at part by part
 */
function decide(pair: Pick<Chained, 'from' | 'to'>, output: Document, input: Document, maxSteps?: number): Chained {
  const fault = faultOf(output) ?? faultOf(input)
  if (fault !== undefined) return { ...pair, fits: null, reason: fault }
  const { verdict, witness, reason } = judgeSchemas(output, input, maxSteps)
  if (verdict === 'safe') return { ...pair, fits: true }
  // A value that is not confirmed proves nothing.
  if (verdict === 'breaking' && witness)
    return { ...pair, fits: false, counterexample: witness.value, reason: refusalOf(input.value, witness.value) }
  const why = reason ?? 'no value could be confirmed'
  if (maxSteps !== undefined) return { ...pair, fits: null, reason: why }
  const { changes } = diff(output, input, { mode: 'backward' })
  const open = changes.find(({ classification }) => classification !== 'safe')
  return open === undefined ? { ...pair, fits: true } : { ...pair, fits: null, reason: open.message }
}

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
  return decide(pair, documentOf(output, 'output'), documentOf(input, 'input'))
}

/** A tool with one of its schemas, which is read once for all its pairs. */
interface Side {
  readonly tool: JsonObject
  readonly name: string
  readonly characters: number
  /** Null where the schema is too large for a matrix. */
  readonly document: () => Document | null
}

const kinds = { outputSchema: 'output', inputSchema: 'input' } as const

const sideOf = (tool: JsonObject, schema: JsonObject, key: keyof typeof kinds): Side => {
  const characters = JSON.stringify(schema).length
  let read: Document | undefined
  const document = () => (characters > longestSchema ? null : (read ??= documentOf(schema, kinds[key])))
  return { tool, name: nameOf(tool), characters, document }
}

const sidesOf = (tools: readonly JsonObject[], key: keyof typeof kinds): Side[] =>
  tools.slice(0, mostChainedTools).flatMap((tool) => {
    const schema = tool[key]
    return isObject(schema) ? [sideOf(tool, schema, key)] : []
  })

const withShortValue = (chained: Chained): Chained => {
  const { counterexample, ...rest } = chained
  if (counterexample === undefined || JSON.stringify(counterexample).length <= longestValue) return chained
  return { ...rest, reason: `the value is too long to be shown; ${cutTo(rest.reason ?? '', longestValue)}` }
}

/** What is decided of two sides; undecided, with the reason, where one is too large or nested too deeply. */
function decideSides(from: Side, to: Side): Chained {
  const pair = { from: from.name, to: to.name }
  const undecided = (reason: string): Chained => ({ ...pair, fits: null, reason })
  const chained = withinLimits(() => {
    const [output, input] = [from.document(), to.document()]
    const large = output === null ? `the output schema of "${pair.from}"` : `the input schema of "${pair.to}"`
    return output === null || input === null
      ? undecided(`${large} has more than ${longestSchema.toLocaleString('en')} characters`)
      : withShortValue(decide(pair, output, input, maxSteps))
  })
  return chained ?? undecided('a schema is nested too deeply')
}

/** When a matrix ends. */
export interface MatrixLimits {
  /** Asked before each pair: whether the time for all of them is used up. */
  readonly isOver?: () => boolean
}

const late = 'the time for the matrix was used up before this pair; compare the two tools alone'

/** Decides pairs, those with small schemas first, so that one large tool leaves the others decided. Answers in the order of `pairs`. */
function decideAll(pairs: readonly (readonly [Side, Side])[], isOver: () => boolean): readonly Chained[] {
  const work = pairs.map(([from, to], at) => ({ from, to, at, characters: from.characters + to.characters }))
  const decided: Chained[] = []
  for (const { from, to, at } of work.sort((a, b) => a.characters - b.characters))
    decided[at] = isOver() ? { from: from.name, to: to.name, fits: null, reason: late } : decideSides(from, to)
  return decided
}

/**
 * Decides for each tool of one list whether its answer fits each tool of another one, or of the same.
 * @returns the pairs of the first `mostChainedTools` tools of each side, row by row, without those of a tool with itself
 *   unless there is no other; what was left out is in `omitted` and `more`, and pairs for which there was no time are undecided
 */
export function chainMatrix(
  first: readonly JsonObject[],
  second: readonly JsonObject[],
  { isOver = () => false }: MatrixLimits = {},
): ChainMatrix {
  const speaking = first.filter((it) => isObject(it.outputSchema))
  const taking = second.filter((it) => isObject(it.inputSchema))
  const isOne = speaking.length * taking.length === 1
  const [from, to] = [sidesOf(speaking, 'outputSchema'), sidesOf(taking, 'inputSchema')]
  const wanted = from.flatMap((a) => to.filter((b) => a.tool !== b.tool || isOne).map((b) => [a, b] as const))
  const pairs = decideAll(wanted, isOver)
  const known = new Set(taking)
  const same = isOne ? 0 : speaking.filter((it) => known.has(it)).length
  return {
    from: from.map(({ name }) => name),
    to: to.map(({ name }) => name),
    pairs,
    silent: first.filter((it) => !isObject(it.outputSchema)).map(nameOf),
    omitted: [...new Set([...speaking.slice(mostChainedTools), ...taking.slice(mostChainedTools)])].map(nameOf),
    more: speaking.length * taking.length - same - pairs.length,
  }
}
