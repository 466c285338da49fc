/** What changed in an MCP server since it was approved, and what it shares with other servers. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { ItemDifference, SurfaceChange } from '../../mcp-catalogue/types.ts'
import type { FunctionContext, LintFunction, Violation } from '../rule.ts'
import { parsePointer } from '../../kernel/pointer.ts'
import { forTools } from './tools.ts'
import { verbOf } from './verbs.ts'

const lists = { tool: 'tools', resource: 'resources', template: 'resourceTemplates', prompt: 'prompts' } as const
const keys = { tool: 'name', resource: 'uri', template: 'uriTemplate', prompt: 'name' } as const

/** Where the items of a list are in a document: at the top level, in an answer, or the document itself. */
function listOf(
  root: Json,
  name: string,
): { readonly items: readonly Json[]; readonly path: readonly string[] } | null {
  if (Array.isArray(root)) return name === 'tools' ? { items: root as readonly Json[], path: [] } : null
  const holder = isObject(root) ? root : {}
  if (Array.isArray(holder[name])) return { items: holder[name] as readonly Json[], path: [name] }
  const result = isObject(holder.result) ? holder.result : {}
  return Array.isArray(result[name]) ? { items: result[name] as readonly Json[], path: ['result', name] } : null
}

type Steps = readonly (string | number)[]

/** The path of an item that changed; of the list, or the document, where it is gone. */
function pathOf({ kind, key }: ItemDifference, root: Json): Steps {
  const list = listOf(root, lists[kind])
  if (list === null) return []
  const at = list.items.findLastIndex((it) => isObject(it) && it[keys[kind]] === key)
  return at === -1 ? list.path : [...list.path, at]
}

/** Steps below an item, positions in lists as numbers, as far as they are there. */
function below(root: Json, item: Steps, pointer: string | null): Steps {
  const steps = pointer === null ? [] : (parsePointer(pointer) ?? [])
  let at: Json | undefined = item.reduce<Json | undefined>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as JsonObject)[step] : undefined),
    root,
  )
  const path: (string | number)[] = [...item]
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) break
    path.push(Array.isArray(at) ? Number(step) : step)
    at = (at as JsonObject)[step]
  }
  return path
}

const withWitness = ({ message, witness }: SurfaceChange): string =>
  witness === null ? message : `${message}; for example ${JSON.stringify(witness.value)}`

/** Reports changes since the approval at the root of a document. */
const since = (
  pick: (item: ItemDifference) => readonly SurfaceChange[],
  sentence: (change: SurfaceChange) => string,
): LintFunction => {
  return (_input, _options, { beside, root }: FunctionContext): readonly Violation[] =>
    (beside?.drift?.items ?? []).flatMap((item) =>
      pick(item).map((change) => ({
        message: sentence(change),
        path: below(root, pathOf(item, root), change.headPointer),
      })),
    )
}

const isHint = (it: SurfaceChange): boolean => it.id === 'tool-annotation-changed'

/** No guarantee about a tool was withdrawn since it was approved. */
export const keptHints = since(
  ({ changes }) => changes.filter((it) => isHint(it) && it.severity === 'breaking'),
  (it) => `Since the approval: ${it.message}.`,
)

/** Nothing that clients rely on changed since the approval. */
export const keptSchemas = since(
  ({ changes }) => changes.filter((it) => !isHint(it) && it.severity === 'breaking'),
  (it) => `Since the approval: ${withWitness(it)}.`,
)

/** No text that models read changed since the approval, where nothing else did. */
export const keptTexts = since(
  ({ changes, severity, action }) => (action === 'changed' && severity === 'docs-only' ? changes : []),
  (it) => `Since the approval: ${it.message}.`,
)

const named = (servers: readonly string[]): string =>
  servers.length > 3 ? `${servers.slice(0, 3).join(', ')} and ${servers.length - 3} more` : servers.join(', ')

/** No other server of the organization has a tool of this name: agents that use both may call the wrong one. */
export const ownName = forTools(({ name }, { beside, path }) => {
  const others =
    typeof name === 'string' && beside !== null && Object.hasOwn(beside.others, name) ? beside.others[name] : undefined
  if (others === undefined || others.length === 0) return []
  return [{ message: `The tool "${String(name)}" is also offered by ${named(others)}.`, path: [...path, 'name'] }]
})

/** A word that is only a name of a tool: with an underscore, a hyphen, a dot or an inner capital. */
const isTelling = (name: string): boolean => /[_.-]|[a-z][A-Z]/.test(name)

/** A description names no tool of another server. */
export const ownToolsOnly = forTools(({ description }, { beside, path, root }) => {
  if (typeof description !== 'string' || beside === null) return []
  const own = new Set((listOf(root, 'tools')?.items ?? []).map((it) => (isObject(it) ? it.name : null)))
  const words = new Set(description.match(/[A-Za-z][\w.-]*\w/g))
  return [...words].flatMap((word) => {
    const others =
      Object.hasOwn(beside.others, word) && !own.has(word) && isTelling(word) ? beside.others[word] : undefined
    return others === undefined
      ? []
      : [{ message: `The description names "${word}", a tool of ${named(others)}.`, path: [...path, 'description'] }]
  })
})

/** A tool whose name says that it destroys something is marked so. */
export const markedDestructive = forTools(({ name, annotations, inputSchema }, { path }) => {
  if (typeof name !== 'string' || inputSchema === undefined || !verbOf(name).destroys) return []
  const hints = isObject(annotations) ? annotations : {}
  // What contradicts the name is the finding of another rule.
  if (hints.destructiveHint !== undefined || hints.readOnlyHint === true) return []
  return [
    {
      message: `The name "${name}" suggests a destructive change, but there is no "destructiveHint".`,
      path: [...path, 'name'],
    },
  ]
})
