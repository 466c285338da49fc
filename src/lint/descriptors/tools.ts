import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { getPath } from '../../kernel/pointer.ts'
import type { Violation, FunctionContext, LintFunction } from '../rule.ts'
import { plural } from '../../kernel/plural.ts'
import { verbOf } from './verbs.ts'
import { codePointName } from '../../kernel/text.ts'

const isServer = (value: JsonObject): boolean =>
  ['packages', 'remotes', 'version_detail'].some((key) => Object.hasOwn(value, key))

/** Whether a node is a tool, and not a registry entry or a whole document. */
export const isTool = (input: Json | undefined, { document }: FunctionContext): input is JsonObject =>
  isObject(input) && document.format?.version !== 'server' && !isServer(input)

/** Restricts a function to tools. */
export const forTools =
  (check: (tool: JsonObject, context: FunctionContext) => readonly Violation[]): LintFunction =>
  (input, _options, context) =>
    isTool(input, context) ? check(input, context) : []

// The manifest of a bundle names its tools alone; other lists have arguments where the protocol has schemas.
function hasSchemas(root: Json, path: Path): boolean {
  if (isObject(root) && (typeof root.manifest_version === 'string' || typeof root.dxt_version === 'string'))
    return false
  const list = getPath(root, path.slice(0, -1))
  return !Array.isArray(list) || !(list as readonly Json[]).some((it) => isObject(it) && Array.isArray(it.arguments))
}

const typed: Readonly<Record<string, string>> = {
  name: 'string',
  title: 'string',
  description: 'string',
  inputSchema: 'object',
  outputSchema: 'object',
  annotations: 'object',
  icons: 'array',
  _meta: 'object',
  execution: 'object',
}
const hints: Readonly<Record<string, string>> = {
  title: 'string',
  readOnlyHint: 'boolean',
  destructiveHint: 'boolean',
  idempotentHint: 'boolean',
  openWorldHint: 'boolean',
}
const words: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'an object',
  array: 'an array',
  boolean: 'a boolean',
}

const typeOf = (value: Json): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)

/** Complains of the members of an object whose types are others than those that are expected. */
export const checkTypes = (
  value: JsonObject,
  expected: Readonly<Record<string, string>>,
  path: readonly (string | number)[],
): Violation[] =>
  Object.entries(expected).flatMap(([key, type]) => {
    const member = value[key]
    return member === undefined || typeOf(member) === type
      ? []
      : [{ message: `"${key}" must be ${words[type] ?? type}.`, path: [...path, key] }]
  })

/** A tool has the fields that the protocol asks for, of the types that it asks for. */
export const toolStructure = forTools((tool, { path, root }) => {
  const missing: Violation[] =
    typeof tool.name === 'string' || 'name' in tool ? [] : [{ message: 'The tool has no name.' }]
  if (!('inputSchema' in tool) && hasSchemas(root, path))
    missing.push({
      message: 'The tool has no "inputSchema"; use {type: object} for a tool without parameters.',
    })
  const { annotations } = tool
  return [
    ...missing,
    ...checkTypes(tool, typed, path),
    ...(isObject(annotations) ? checkTypes(annotations, hints, [...path, 'annotations']) : []),
  ]
})

/** A name has the characters and the length that the protocol allows. */
export const toolName = forTools(({ name }, { path }) => {
  if (typeof name !== 'string') return []
  const at = [...path, 'name']
  if (name === '') return [{ message: 'The name is empty.', path: at }]
  if (name.length > 128) return [{ message: `The name has ${name.length} characters; 128 are allowed.`, path: at }]
  const wrong = [...new Set(name.match(/[^A-Za-z0-9_.-]/gu))]
  if (wrong.length === 0) return []
  const shown = wrong
    .slice(0, 5)
    .map((it) => (/[\p{L}\p{N}\p{P}\p{S}]/u.test(it) ? `"${it}"` : it === ' ' ? 'a space' : codePointName(it)))
  return [{ message: `The name has ${shown.join(', ')}; hosts accept letters, digits, "_", "-" and ".".`, path: at }]
})

/** A name passes every host that is known: at most 64 letters, digits, "_" and "-", a letter first. */
export const portableName = forTools(({ name }, { path }) => {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,128}$/.test(name)) return []
  const faults = [
    ...(name.includes('.') ? ['several hosts reject dots'] : []),
    ...(name.length > 64 ? [`several hosts reject names of more than 64 characters, this one has ${name.length}`] : []),
    ...(/^[A-Za-z_]/.test(name) ? [] : ['several hosts reject names that do not start with a letter']),
  ]
  return faults.map((it) => ({ message: `${it.slice(0, 1).toUpperCase()}${it.slice(1)}.`, path: [...path, 'name'] }))
})

// How hosts that allow fewer characters spell a name.
const spelled = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')

/** The members of a list have names of their own, also where a host spells them with fewer characters. */
export const distinctNames =
  (what: string, key: string): LintFunction =>
  (input, _options, { path, document }) => {
    if (!Array.isArray(input) || document.format?.version === 'server') return []
    const exact = new Set<string>()
    const near = new Map<string, string>()
    return (input as readonly Json[]).flatMap((entry, index) => {
      const name = isObject(entry) ? entry[key] : undefined
      if (typeof name !== 'string') return []
      const at = [...path, index, key]
      if (exact.has(name)) return [{ message: `Duplicate ${what} name "${name}".`, path: at }]
      exact.add(name)
      const other = key === 'name' ? near.get(spelled(name)) : undefined
      near.set(spelled(name), name)
      return other === undefined
        ? []
        : [{ message: `Hosts that allow fewer characters cannot distinguish "${name}" from "${other}".`, path: at }]
    })
  }

const most = 1024
const least = 12

/** A description is long enough to choose the tool by, and short enough for every host. */
export const descriptionLength = forTools(({ description }, { path }) => {
  if (typeof description !== 'string' || description.trim() === '') return []
  const size = description.trim().length
  const at = [...path, 'description']
  if (size > most)
    return [{ message: `The description has ${size} characters; several hosts cut it at ${most}.`, path: at }]
  if (size < least) return [{ message: `The description "${description.trim()}" is too short.`, path: at }]
  return []
})

/** The hints of a tool do not contradict each other. */
export const consistentHints = forTools(({ annotations }, { path }) => {
  if (!isObject(annotations) || annotations.readOnlyHint !== true) return []
  return [
    ...(annotations.destructiveHint === true
      ? [
          {
            message: '"readOnlyHint" and "destructiveHint" must not both be true.',
            path: [...path, 'annotations', 'destructiveHint'],
          },
        ]
      : []),
    ...(annotations.idempotentHint === false
      ? [
          {
            message: '"idempotentHint" must not be false when "readOnlyHint" is true.',
            path: [...path, 'annotations', 'idempotentHint'],
          },
        ]
      : []),
  ]
})

/** The annotations of a tool agree with the verb in its name. */
export const plausibleHints = forTools(({ name, annotations }, { path }) => {
  if (typeof name !== 'string' || !isObject(annotations)) return []
  const verb = verbOf(name)
  const at = (hint: string) => [...path, 'annotations', hint]
  if (annotations.readOnlyHint === true && verb.changes)
    return [{ message: `The name "${name}" suggests a change, but "readOnlyHint" is true.`, path: at('readOnlyHint') }]
  if (annotations.destructiveHint === false && verb.destroys)
    return [
      {
        message: `The name "${name}" suggests a destructive change, but "destructiveHint" is false.`,
        path: at('destructiveHint'),
      },
    ]
  if (annotations.destructiveHint === true && verb.reads)
    return [
      {
        message: `The name "${name}" suggests a read-only tool, but "destructiveHint" is true.`,
        path: at('destructiveHint'),
      },
    ]
  return []
})

/** A tool says whether it only reads: hosts ask the user before every other one. */
export const annotated = forTools(({ annotations, inputSchema }, { path }) => {
  // A bundle's manifest, or a list of another kind, has no place for hints.
  if (inputSchema === undefined) return []
  if (!isObject(annotations)) return [{ message: 'The tool has no annotations.' }]
  if (annotations.readOnlyHint === undefined && annotations.destructiveHint === undefined)
    return [
      { message: 'The annotations have neither "readOnlyHint" nor "destructiveHint".', path: [...path, 'annotations'] },
    ]
  return []
})

/** There are not more tools than hosts offer to a model. */
export const toolCount: LintFunction = (input, { max }, { document }) => {
  if (!Array.isArray(input) || document.format?.version === 'server') return []
  const limit = Number(max)
  return input.length > limit
    ? [
        {
          message: `The document lists ${plural(input.length, 'tool')}; hosts offer a model at most ${limit} tools of all servers together.`,
        },
      ]
    : []
}

/** A tool has a description. */
export const toolDescription = forTools(({ description }) =>
  typeof description === 'string' && description.trim() !== '' ? [] : [{ message: 'The tool has no description.' }],
)
