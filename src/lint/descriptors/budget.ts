/** What the tools of a server cost: every host sends all definitions to its model with each request. */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
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

const schemaKeys = ['inputSchema', 'outputSchema'] as const

/** The tokens that the parts of a schema of a tool that repeat take, beyond those of one definition. */
const repeatedTokens = (tool: JsonObject, key: (typeof schemaKeys)[number]): number => {
  const schema = tool[key]
  return schema === undefined ? 0 : Math.floor(repeatedBytes(schema) / 4)
}

/** What the tools of a server cost with each request of a host. */
export interface ToolTokens {
  /** How many tools there are. */
  readonly count: number
  /** The tokens of all their definitions; a token counts as four bytes of JSON. */
  readonly tokens: number
  /** Of these, the tokens that definitions below `$defs` would save. */
  readonly savedByDefs: number
}

function toolsIn({ value, format }: Document): readonly Json[] | null {
  if (format?.kind !== 'mcp' || format.version === 'server') return null
  if (Array.isArray(value)) return value
  const { tools, result } = isObject(value) ? value : {}
  const listed = tools ?? (isObject(result) ? result.tools : undefined)
  return Array.isArray(listed) ? listed : null
}

/** What the tools that a document lists cost; null for a document that lists none, as one of an API. */
export function toolTokensOf(document: Document): ToolTokens | null {
  const tools = toolsIn(document)
  if (tools === null) return null
  const saved = tools.map((tool) =>
    isObject(tool) ? schemaKeys.reduce((sum, key) => sum + repeatedTokens(tool, key), 0) : 0,
  )
  return {
    count: tools.length,
    tokens: tokensOf(tools),
    savedByDefs: saved.reduce((sum, it) => sum + it, 0),
  }
}

/** The tool tokens of several documents together; null where none lists tools. */
export function sumToolTokens(all: readonly (ToolTokens | null)[]): ToolTokens | null {
  const known = all.filter((it) => it !== null)
  if (known.length === 0) return null
  const sum = (key: keyof ToolTokens): number => known.reduce((total, it) => total + it[key], 0)
  return { count: sum('count'), tokens: sum('tokens'), savedByDefs: sum('savedByDefs') }
}

/** The schemas of a tool say the same thing once. */
export const repeatedParts = (least: number): LintFunction =>
  forTools((tool, { path }) =>
    schemaKeys.flatMap((key) => {
      const saved = repeatedTokens(tool, key)
      if (saved < least) return []
      return [
        {
          message: `Parts of "${key}" repeat; as "$defs" they would take about ${saved} tokens less.`,
          path: [...path, key],
        },
      ]
    }),
  )
