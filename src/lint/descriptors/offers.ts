/** Prompts and resources of an MCP server. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Violation, LintFunction } from '../rule.ts'
import { checkTypes } from './tools.ts'

const missing = (value: JsonObject, keys: readonly string[], what: string): Violation[] =>
  keys.filter((key) => !Object.hasOwn(value, key)).map((key) => ({ message: `The ${what} has no "${key}".` }))

/** A prompt has the fields that the protocol asks for. */
export const promptStructure: LintFunction = (input, _options, { path }) => {
  if (!isObject(input)) return [{ message: 'A prompt must be an object.' }]
  const list = Array.isArray(input.arguments) ? (input.arguments as readonly Json[]) : []
  return [
    ...missing(input, ['name'], 'prompt'),
    ...checkTypes(input, { name: 'string', title: 'string', description: 'string', arguments: 'array' }, path),
    ...list.flatMap((entry, index): Violation[] => {
      const at = [...path, 'arguments', index]
      // The manifest of a bundle lists the names of arguments alone.
      if (typeof entry === 'string') return []
      if (!isObject(entry)) return [{ message: 'An argument must be an object with a name.', path: at }]
      return [
        ...missing(entry, ['name'], 'argument').map((one) => ({ ...one, path: at })),
        ...checkTypes(entry, { name: 'string', description: 'string', required: 'boolean' }, at),
      ]
    }),
  ]
}

/** The arguments of a prompt have names of their own, and descriptions. */
export const promptArguments: LintFunction = (input, _options, { path }) => {
  const list = isObject(input) && Array.isArray(input.arguments) ? (input.arguments as readonly Json[]) : []
  const seen = new Set<string>()
  return list.flatMap((entry, index): Violation[] => {
    if (!isObject(entry) || typeof entry.name !== 'string') return []
    const at = [...path, 'arguments', index]
    const repeated = seen.has(entry.name)
    seen.add(entry.name)
    if (repeated) return [{ message: `Duplicate argument "${entry.name}".`, path: [...at, 'name'] }]
    const described = typeof entry.description === 'string' && entry.description.trim() !== ''
    return described ? [] : [{ message: `The argument "${entry.name}" has no description.`, path: at }]
  })
}

/** A resource has the fields that the protocol asks for. */
export const resourceStructure: LintFunction = (input, { key }, { path }) => {
  if (!isObject(input)) return [{ message: 'A resource must be an object.' }]
  const texts = { [String(key)]: 'string', name: 'string', title: 'string', description: 'string', mimeType: 'string' }
  return [...missing(input, [String(key), 'name'], 'resource'), ...checkTypes(input, texts, path)]
}

const scheme = /^[a-z][a-z0-9+.-]*:/i

/** The URI of a resource is a whole one (RFC 3986). */
export const resourceUri: LintFunction = (input) => {
  if (typeof input !== 'string') return []
  if (!scheme.test(input)) return [{ message: `"${input}" has no scheme, such as "file:" or "https:".` }]
  if (/\s/.test(input)) return [{ message: 'The URI contains a space; use %20.' }]
  if (/[{}]/.test(input)) return [{ message: 'The URI contains braces; move it to "resourceTemplates".' }]
  return []
}

const expression = /^[+#./;?&]?[A-Za-z0-9_.%]+(?:\*|:\d{1,4})?(?:,[A-Za-z0-9_.%]+(?:\*|:\d{1,4})?)*$/

/** A template of URIs is one (RFC 6570), and has a variable. */
export const uriTemplate: LintFunction = (input) => {
  if (typeof input !== 'string') return []
  const rest = input.replaceAll(/\{[^{}]*\}/g, '')
  if (/[{}]/.test(rest)) return [{ message: 'The template has an unbalanced brace.' }]
  const expressions = [...input.matchAll(/\{([^{}]*)\}/g)].map((it) => it[1] ?? '')
  const wrong = expressions.find((it) => !expression.test(it))
  if (wrong !== undefined) return [{ message: `"{${wrong}}" is not a valid expression of a URI template.` }]
  if (expressions.length === 0) return [{ message: 'The template has no variable; move it to "resources".' }]
  return scheme.test(input) || input.startsWith('{') ? [] : [{ message: `"${input}" has no scheme, such as "file:".` }]
}

/** A type of media is one (RFC 6838). */
export const mediaType: LintFunction = (input) =>
  typeof input === 'string' && !/^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*(?:\s*;.*)?$/i.test(input)
    ? [{ message: `"${input}" is not a media type such as "text/plain".` }]
    : []
