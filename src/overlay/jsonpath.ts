/** JSONPath by RFC 9535: json-p3 reads a query and decides its filters, and what it selects is found here, with paths. */
import {
  FunctionExpressionType,
  jsonpath,
  JSONPathEnvironment,
  JSONPathError,
  JSONPathNode,
  type FilterFunction,
  type JSONPathQuery,
  type JSONValue,
} from 'json-p3'
import { defaultLimits } from '../document/limits.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { Pattern } from '../regex/pattern.ts'

/** A node that a query selects. */
export interface Selected {
  readonly path: Path
  readonly value: Json
}

/** A query that was read; `select` gives the nodes of a value as RFC 9535, section 2.1.2, orders them, one twice where two selectors have it. */
export interface Query {
  readonly text: string
  /** What the query should have been by the letter of RFC 9535, where it is read although it differs; null otherwise. */
  readonly corrected: string | null
  select(root: Json): readonly Selected[]
}

/** Why a text is no JSONPath query. */
export class QueryInvalid extends Error {
  /** Where it is wrong, in UTF-16 units of the query. */
  readonly offset: number
  constructor(reason: string, offset: number) {
    super(reason)
    this.offset = offset
  }
}

/** More nodes than documents of 64 MB have. */
const mostVisited = 20_000_000

const { FilterSelector, NameSelector, WildcardSelector } = jsonpath.selectors
const { FilterExpressionLiteral, InfixExpression, LogicalExpression, RelativeQuery } = jsonpath.expressions
/** json-p3 does not export the class of descendant segments: it is that of any query with one. */
const DescendantSegment = jsonpath.compile('$..*').segments[0]!.constructor
type Segment = JSONPathQuery['segments'][number]
type Selector = Segment['selectors'][number]

const comparing = new Set(['==', '<', '>', '<=', '>='])

/**
 * The member without which no node passes a filter; null where there is none that is certain. `@.a` and comparisons of it with a literal
 * need the member `a`: nothing is neither equal to a literal nor in an order with it.
 */
function memberNeeded(filter: unknown): string | null {
  if (filter instanceof LogicalExpression) return memberNeeded(filter.expression)
  if (filter instanceof RelativeQuery) {
    const [first] = filter.path.segments
    const [selector, ...more] = first === undefined || first instanceof DescendantSegment ? [] : first.selectors
    return selector instanceof NameSelector && more.length === 0 ? selector.name : null
  }
  if (!(filter instanceof InfixExpression)) return null
  const { left, operator, right } = filter
  if (operator === '&&') return memberNeeded(left) ?? memberNeeded(right)
  if (!comparing.has(operator)) return null
  if (right instanceof FilterExpressionLiteral) return memberNeeded(left)
  return left instanceof FilterExpressionLiteral ? memberNeeded(right) : null
}

/** Whether a value has a child with a member. */
const hasChildWith = (value: Json, member: string): boolean => {
  for (const key in value as JsonObject) {
    const child = (value as JsonObject)[key]
    if (typeof child === 'object' && child !== null && Object.hasOwn(child, member)) return true
  }
  return false
}

/** Whether a pattern is one of I-Regexp (RFC 9485). */
function isInteroperable(pattern: string): boolean {
  try {
    new jsonpath.functions.Match({ throwErrors: true, cacheSize: 0 }).call('', pattern)
    return true
  } catch {
    return false
  }
}

/** A pattern of I-Regexp as one of ECMA-262 (RFC 9485, section 5.3): a dot matches no line break. */
const mappedPattern = (pattern: string): string =>
  pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (it) => (it === '.' ? String.raw`[^\n\r]` : it))

/** `match` or `search` (RFC 9535, sections 2.4.6 and 2.4.7) in bounded time, whatever the pattern. */
function regexFunction(isWhole: boolean): FilterFunction {
  const patterns = new Map<string, Pattern | null>()
  const patternOf = (source: string): Pattern | null => {
    let known = patterns.get(source)
    if (known === undefined) {
      const mapped = mappedPattern(source)
      known = isInteroperable(source) ? new Pattern(isWhole ? `^(?:${mapped})$` : mapped, 'u') : null
      patterns.set(source, known)
    }
    return known
  }
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text: unknown, source: unknown) =>
      typeof text === 'string' && typeof source === 'string' && patternOf(source)?.test(text) === true,
  }
}

function environmentOf(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: defaultLimits.maxDepth * 2 })
  environment.functionRegister.set('match', regexFunction(true))
  environment.functionRegister.set('search', regexFunction(false))
  return environment
}

/** A node on the way; its path is put together when it is asked for. */
interface Step {
  readonly value: Json
  readonly key: string | number
  readonly up: Step | null
}

const pathOf = (step: Step): Path => {
  const path: (string | number)[] = []
  for (let at = step; at.up !== null; at = at.up) path.push(at.key)
  return path.reverse()
}

function* childrenOf(step: Step): Generator<Step> {
  const { value } = step
  if (Array.isArray(value))
    for (const [key, it] of (value as readonly Json[]).entries()) yield { value: it, key, up: step }
  else if (isObject(value)) for (const key of Object.keys(value)) yield { value: value[key]!, key, up: step }
}

class Selection {
  readonly #root: Json
  /** By filter; most nodes of a document do not pass, and need no more than a look. */
  readonly #needed = new Map<Selector, string | null>()
  #visited = 0

  constructor(root: Json) {
    this.#root = root
  }

  run(segments: readonly Segment[]): readonly Step[] {
    let steps: Step[] = [{ value: this.#root, key: '', up: null }]
    for (const segment of segments) {
      const next: Step[] = []
      const isDescendant = segment instanceof DescendantSegment
      for (const step of steps)
        if (isDescendant) this.#descend(step, segment, next)
        else this.#apply(step, segment, next)
      steps = next
    }
    return steps
  }

  #descend(step: Step, segment: Segment, into: Step[]): void {
    this.#apply(step, segment, into)
    const { value } = step
    // A single value has nothing below it.
    if (typeof value === 'object' && value !== null)
      for (const child of childrenOf(step))
        if (typeof child.value === 'object') this.#descend(child, segment, into)
        else this.#visit()
  }

  #visit(): void {
    if (++this.#visited > mostVisited) throw new QueryInvalid(`it visits more than ${mostVisited} nodes`, 0)
  }

  #apply(step: Step, { selectors }: Segment, into: Step[]): void {
    const { value } = step
    this.#visit()
    if (typeof value !== 'object' || value === null) return
    for (const selector of selectors) this.#select(step, selector, into)
  }

  #mayPass(value: Json, selector: Selector): boolean {
    let needed = this.#needed.get(selector)
    if (needed === undefined) {
      needed = selector instanceof FilterSelector ? memberNeeded(selector.expression) : null
      this.#needed.set(selector, needed)
    }
    return needed === null || hasChildWith(value, needed)
  }

  #select(step: Step, selector: Selector, into: Step[]): void {
    const { value } = step
    if (selector instanceof NameSelector) {
      if (isObject(value) && Object.hasOwn(value, selector.name))
        into.push({ value: value[selector.name]!, key: selector.name, up: step })
    } else if (selector instanceof WildcardSelector) into.push(...childrenOf(step))
    else if (this.#mayPass(value, selector))
      for (const found of selector.resolve(new JSONPathNode(value as JSONValue, [], this.#root as JSONValue)))
        into.push({ value: found.value as Json, key: found.location[0]!, up: step })
  }
}

/** The name of a member behind a dot that has a hyphen: RFC 9535, section 2.5.1.1, wants it in brackets and quotes. */
const hyphenated = /(\.{1,2})([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*(?:-[\w\u0080-\uffff]+)+)/g

/** The query with hyphenated names in brackets; texts in quotes stay. */
const inBrackets = (text: string): string =>
  text.replaceAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^'"]+/gs, (part) =>
    /^['"]/.test(part)
      ? part
      : part.replaceAll(hyphenated, (_, dots: string, name: string) => `${dots === '..' ? dots : ''}['${name}']`),
  )

const reasonOf = (error: JSONPathError): string => error.message.replace(/ \('.*':\d+\)$/s, '')

/**
 * Reads a JSONPath query. Names with hyphens behind a dot (`$.info.x-owner`) are read as they are meant; `corrected` says how they
 * are to be written.
 * @throws QueryInvalid where it is no query by RFC 9535
 */
export function readQuery(text: string): Query {
  if (!text.startsWith('$')) throw new QueryInvalid('a query begins with "$", the root of the document', 0)
  let query: JSONPathQuery
  try {
    query = environmentOf().compile(text)
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error
    throw new QueryInvalid(reasonOf(error), error.token.index)
  }
  const corrected = inBrackets(text)
  return {
    text,
    corrected: corrected === text ? null : corrected,
    select: (root) =>
      new Selection(root).run(query.segments).map((step) => ({ path: pathOf(step), value: step.value })),
  }
}
