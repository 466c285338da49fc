import { isObject, type Json, type JsonObject } from '../src/kernel/json.ts'
import { formatPointer } from '../src/kernel/pointer.ts'
import { cutTo } from '../src/kernel/text.ts'

/** Tokens an answer takes unless the caller asks for another number; one token counts as four bytes of JSON. */
export const defaultTokens = 8000
export const bytesOfTokens = (tokens: number): number => tokens * 4

/** What a tool call answers with (MCP, tools/call): the value twice, since many hosts read the text alone. */
export interface ToolReply {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent: object
}

export const replyOf = (value: object): ToolReply => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})

/** Bytes of the JSON of a value. */
export const sizeOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value) ?? '').byteLength

/** Bytes that a value takes in a reply: once as itself and once as a text, in which every quote is escaped. */
export const replySize = (value: object): number => sizeOf(replyOf(value))

/** The greatest count between 0 and `most` whose answer fits; answers grow with the count. */
export function greatestFit(most: number, answer: (count: number) => object, budgetBytes: number): number {
  let low = 0
  let high = most
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (replySize(answer(middle)) <= budgetBytes) low = middle
    else high = middle - 1
  }
  return low
}

/** What is in place of a part that was cut: the way to ask for it. */
const cutMark = '$truncated'

/** What is in place of a part that is not shown. */
export const cutAway = (ref: string): JsonObject => ({ [cutMark]: ref })

/** The value down to `depth` levels; what is deeper becomes `{"$truncated": "<its $ref>"}` where it is not small. */
export function cutBelow(value: Json, depth: number, pointer: string): Json {
  if (typeof value === 'string') return cutTo(value, 2000)
  if (value === null || typeof value !== 'object') return value
  if (depth === 0) return sizeOf(value) <= 40 ? value : cutAway(`#${pointer}`)
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item, index) => cutBelow(item, depth - 1, `${pointer}/${index}`))
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, child]) => [
      key,
      cutBelow(child, depth - 1, pointer + formatPointer([key])),
    ]),
  )
}

/** A value as deep as it fits; `depth` is null where nothing had to be cut, and `cut` where not even one level fits. */
export interface Cut {
  readonly cut: Json
  readonly depth: number | null
}

/** The deepest cut of a value that satisfies `fits`. */
export function deepestCut(value: Json, pointer: string, fits: (cut: Json) => boolean): Cut {
  if (fits(value)) return { cut: value, depth: null }
  let best: Cut = { cut: null, depth: 1 }
  for (let depth = 1; depth <= 40; depth++) {
    const cut = cutBelow(value, depth, pointer)
    if (!fits(cut)) break
    best = { cut, depth }
  }
  return best
}

/** What was cut out of a value, as "$ref" texts in its order. */
export function cutsIn(value: Json, found: string[] = []): string[] {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) cutsIn(item, found)
  else if (isObject(value)) {
    const mark = value[cutMark]
    if (typeof mark === 'string') found.push(mark)
    else for (const child of Object.values(value)) cutsIn(child, found)
  }
  return found
}

/** Answers of an operation, each once: where one says what an earlier one says, the status of that is in its place. */
function foldAnswers(answers: JsonObject): JsonObject {
  const first = new Map<string, string>()
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const text = JSON.stringify(answer)
      const same = first.get(text)
      if (same !== undefined && text.length > 40) return [status, { same_as: same }]
      first.set(text, status)
      return [status, answer]
    }),
  )
}

/** Keywords of a definition that help a reader but not a caller. */
const decoration = new Set(['example', 'examples', 'externalDocs', 'xml'])

/**
 * A definition without examples, extensions, long descriptions and answers that repeat: what is needed to make a call and read its answer.
 * Names chosen by the author (`properties`, `responses` …) are kept whatever they are.
 */
export function essence(value: Json, inNames = false): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => essence(item))
  if (!isObject(value)) return value
  const kept: [string, Json][] = []
  for (const [key, child] of Object.entries(value)) {
    if (inNames) kept.push([key, essence(child)])
    else if (key === 'description' && typeof child === 'string') kept.push([key, cutTo(child, 200)])
    else if (key === 'responses' && isObject(child)) kept.push([key, foldAnswers(essence(child, true) as JsonObject)])
    else if (key === 'enum' || key === 'default' || key === 'const') kept.push([key, child])
    else if (!decoration.has(key) && !key.startsWith('x-'))
      kept.push([key, essence(child, namesBelow.has(key) && isObject(child))])
  }
  return Object.fromEntries(kept)
}

const namesBelow = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'responses',
  'content',
  'headers',
  'callbacks',
  'links',
  'schemas',
  'encoding',
  'mapping',
  'variables',
  'scopes',
])
