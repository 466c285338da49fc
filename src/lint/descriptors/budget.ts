/** What the tools of a server cost: every host sends all definitions to its model with each request. */
import { isObject, type Json } from '../../kernel/json.ts'
import { canonicalize } from '../../document/serialize.ts'
import type { LintFunction } from '../rule.ts'
import { forTools } from './tools.ts'

const encoder = new TextEncoder()

/** Tokens of a value as it is sent: one counts as four bytes of JSON, as for the answers of the MCP server. */
export const tokensOf = (value: Json): number => Math.ceil(encoder.encode(JSON.stringify(value)).byteLength / 4)

/** All definitions together fit into what a model can spare for one server. */
export const toolsBudget: LintFunction = (input, { max }, { document }) => {
  if (!Array.isArray(input) || document.format?.version === 'server') return []
  const [tokens, most] = [tokensOf(input as Json), Number(max)]
  if (tokens <= most) return []
  return [{ message: `The definitions of all tools take ${tokens} tokens; at most ${most} leave room for the work.` }]
}

/** A shorter part is not worth a name. */
const leastPart = 80
/** What a reference takes, and the key of its definition. */
const referenceBytes = 40

/** Bytes that a schema would have less if each part that repeats were written once, below `$defs`. */
function repeatedBytes(schema: Json): number {
  const seen = new Set<string>()
  let saved = 0
  const visit = (node: Json): void => {
    if (node === null || typeof node !== 'object') return
    const text = isObject(node) ? canonicalize(node) : ''
    if (text.length >= leastPart && seen.has(text)) {
      saved += encoder.encode(text).byteLength - referenceBytes
      return
    }
    if (text.length >= leastPart) seen.add(text)
    for (const child of Object.values(node)) visit(child)
  }
  visit(schema)
  return saved
}

/** The schemas of a tool say the same thing once. */
export const repeatedParts = (least: number): LintFunction =>
  forTools((tool, { path }) =>
    ['inputSchema', 'outputSchema'].flatMap((key) => {
      const schema = tool[key]
      const saved = schema === undefined ? 0 : Math.floor(repeatedBytes(schema) / 4)
      if (saved < least) return []
      return [
        {
          message: `Parts of "${key}" repeat; as "$defs" they would take about ${saved} tokens less.`,
          path: [...path, key],
        },
      ]
    }),
  )
