import { writeExactly } from '../document/exact.ts'
import { isObject } from '../kernel/json.ts'
import type { Json, Path } from '../kernel/json.ts'
import type { Difference } from './rule.ts'
import { plural } from '../kernel/plural.ts'

/** The lists of an MCP descriptor, by what their items are called. */
const offers: Readonly<Record<string, string>> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resource template',
}

/** The item of an MCP descriptor that a path leads into, and how many steps lead to it; null in other documents. */
const offerAt = (path: Path): { readonly kind: string; readonly steps: number } | null => {
  // A list of tools without anything around it.
  if (typeof path[0] === 'number') return { kind: 'tool', steps: 1 }
  const from = path[0] === 'result' ? 1 : 0
  const list = String(path[from])
  return Object.hasOwn(offers, list) && typeof path[from + 1] === 'number'
    ? { kind: offers[list] ?? '', steps: from + 2 }
    : null
}

const schemasOfTools: ReadonlySet<string | number> = new Set([
  'inputSchema',
  'outputSchema',
  'input_schema',
  'output_schema',
])

/** Where the schema of a tool begins; -1 where a path leads into none. */
const toolSchemaAt = (path: Path): number => {
  const offer = offerAt(path)
  return offer !== null && schemasOfTools.has(path[offer.steps] ?? '') ? offer.steps : -1
}

const containers = new Set(['properties', 'patternProperties'])

/** Where the parameters of a form are that Swagger 2.0 lists as such, and that are compared as properties; -1 in other paths. */
const formAt = (path: Path): number =>
  path[0] === 'paths'
    ? path.findIndex((step, i) => step === 'parameters' && (path[i + 1] === 'properties' || path[i + 1] === 'required'))
    : -1

/**
 * Names a place of a schema for a person: `User.address.street`, `items[]`; empty for a schema that is directly in an
 * operation.
 */
export const describeSchemaPath = (path: Path): string => {
  const begin = path.findIndex((step, i) => step === 'schemas' && path[i - 1] === 'components')
  const definitions = path[0] === 'definitions' || path[0] === '$defs' ? 1 : -1
  const inline = Math.max(path.lastIndexOf('schema'), toolSchemaAt(path), formAt(path))
  const from = begin >= 0 ? begin + 1 : definitions >= 0 ? definitions : inline >= 0 ? inline + 1 : 0
  let text = ''
  for (let i = from; i < path.length; i++) {
    const step = String(path[i])
    if (i === from && from !== inline + 1 && from > 0) text = step
    else if (containers.has(step) && i + 1 < path.length) text += `.${String(path[++i])}`
    else if (step === 'items' || step === 'prefixItems') text += '[]'
    else if (step === 'additionalProperties') text += '.*'
    else if (step === 'allOf') i++
    else if (step === 'oneOf' || step === 'anyOf') i++
    else break
  }
  return text.startsWith('.') ? text.slice(1) : text
}

/** Where a schema of an operation is, in a few words; null for named schemas. `nameAt`: the `name` of the object at a path. */
const placeOf = (path: Path, nameAt: (path: Path) => string | null): string | null => {
  const offer = offerAt(path)
  if (offer !== null) {
    const name = nameAt(path.slice(0, offer.steps))
    const item = name === null ? `the ${offer.kind}` : `${offer.kind} \`${name}\``
    if (toolSchemaAt(path) === -1) return item
    return `the ${String(path[offer.steps]).startsWith('input') ? 'arguments' : 'result'} of ${item}`
  }
  const answer = path.lastIndexOf('responses')
  const status = answer >= 0 ? `the ${String(path[answer + 1])} response` : null
  const header = path.lastIndexOf('headers')
  if (header >= 0) return `the header \`${String(path[header + 1])}\`${status ? ` in ${status}` : ''}`
  if (status) return status
  if (path.includes('requestBody') || path.includes('requestBodies')) return 'the request body'
  if (formAt(path) >= 0) return 'the request body'
  const parameter = path.lastIndexOf('parameters')
  if (parameter < 0) return null
  const name = nameAt(path.slice(0, parameter + 2))
  return name === null ? 'the parameter' : name === 'body' ? 'the request body' : `the parameter \`${name}\``
}

/** What a schema fact is about: a property by its name, an inline schema by the place of the operation where it is. */
export const subjectOf = (path: Path, nameAt: (path: Path) => string | null): string => {
  const name = describeSchemaPath(path)
  const named = path.some((step, i) => step === 'schemas' && path[i - 1] === 'components') || path[0] === 'definitions'
  const place = named ? null : placeOf(path, nameAt)
  if (name === '') return place ?? 'the schema'
  return place === null ? `\`${name}\`` : `\`${name}\` in ${place}`
}

/** The part of a document that a path leads to, as a person would call it. */
export const describePlace = (path: Path, nameAt: (path: Path) => string | null): string => {
  const [first, second, third] = path.map(String)
  if (first === undefined || first === 'info') return 'the document'
  if (first === 'components' && third !== undefined) return subjectOf(path, nameAt)
  const place = placeOf(path, nameAt)
  if (first !== 'paths' || second === undefined) return place ?? `\`${path.join('.')}\``
  const operation = third === undefined ? `\`${second}\`` : `${third.toUpperCase()} ${second}`
  return place === null ? operation : `${place} of ${operation}`
}

/** A value, short enough for one line. */
export const shorten = (value: unknown, limit = 80): string => {
  const text = plainText(value)
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`
}

const plainText = (value: unknown): string => (typeof value === 'string' ? value : (writeExactly(value) ?? 'nothing'))

/** How much is shown before the first difference of two long values. */
const leading = 20

/** "from A to B"; where the beginnings that fit into a line are the same, what follows where they first differ. */
export const fromTo = (before: unknown, after: unknown, nameOf: (value: Json) => string = shorten): string => {
  const [one, other] = [nameOf(before as Json), nameOf(after as Json)]
  if (one !== other) return `from ${one} to ${other}`
  const [left, right] = [plainText(before), plainText(after)]
  let same = 0
  while (same < left.length && left[same] === right[same]) same++
  const begin = Math.max(0, same - leading)
  const shown = (text: string): string => `${begin > 0 ? '…' : ''}${shorten(text.slice(begin))}`
  return `from ${shown(left)} to ${shown(right)}`
}

/** A list of values as people write it. */
export const list = (value: unknown): string =>
  Array.isArray(value)
    ? (value as readonly unknown[])
        .map((it) => (typeof it === 'string' ? it : writeExactly(it)))
        .join(', ')
        .slice(0, 160) || 'nothing'
    : shorten(value)

/** The first names of properties, and how many there are besides. */
const namesOfBranch = (names: readonly string[]): string => {
  const shown = names.slice(0, 3).map((name) => `\`${name}\``)
  return names.length > 3 ? `${shown.join(', ')} and ${names.length - 3} more` : shown.join(', ')
}

/** A branch of a choice, as a person would call it: the schema it names, its title, the properties it lists, its type. */
export const branchName = (branch: Json): string => {
  if (!isObject(branch)) return 'anything'
  if (typeof branch.$ref === 'string') return `\`${branch.$ref.slice(branch.$ref.lastIndexOf('/') + 1)}\``
  if (typeof branch.title === 'string') return `"${branch.title}"`
  if (Array.isArray(branch.enum)) return `one of ${list(branch.enum)}`
  const type = typeof branch.type === 'string' ? branch.type : null
  const names = isObject(branch.properties) ? Object.keys(branch.properties) : []
  if (names.length > 0) return `an object with ${namesOfBranch(names)}`
  return type === null ? 'another schema' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

/** The branches of a choice, named. */
export const branchNames = (branches: Json): string =>
  Array.isArray(branches)
    ? (branches as readonly Json[]).map(branchName).join(', ').slice(0, 200)
    : branchName(branches)

/** A schema in a few words: anything, nothing, or what it says. */
export const schemaName = (schema: Json): string =>
  schema === true || schema === null || (isObject(schema) && Object.keys(schema).length === 0)
    ? 'anything'
    : schema === false
      ? 'nothing'
      : shorten(schema)

/** Types as people list them; all of them are any. */
export const typeList = (types: Json): string => {
  const names = Array.isArray(types) ? types.map(String) : [String(types)]
  if (names.length >= 6) return 'any type'
  return names.length < 2 ? (names[0] ?? 'none') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** The property by which a discriminator tells branches apart. */
export const discriminatorName = (discriminator: Json): string => {
  const name = isObject(discriminator) ? discriminator.propertyName : discriminator
  return typeof name === 'string' ? `\`${name}\`` : 'a property'
}

/** What a discriminator value points at, by its name. */
export const targetName = (target: Json): string =>
  `\`${typeof target === 'string' ? target.slice(target.lastIndexOf('/') + 1) : shorten(target)}\``

export const lengthOf = (items: Json): number => (Array.isArray(items) ? items.length : 0)

/** Why an additional optional property can be breaking. */
export const addedTo = ({ verdict, direction }: Pick<Difference, 'verdict' | 'direction'>): string =>
  verdict !== 'breaking'
    ? ''
    : direction === 'response'
      ? ', although the object did not allow it'
      : ', and values that were accepted under this name can be rejected'

/** The scopes that came and went between two requirements. */
export const scopeChange = (before: Json, after: Json): string => {
  const scopes = (value: Json): string[] =>
    isObject(value) ? Object.values(value).flatMap((it) => (Array.isArray(it) ? it.map(String) : [])) : []
  const [old, fresh] = [scopes(before), scopes(after)]
  const [known, left] = [new Set(old), new Set(fresh)]
  const added = fresh.filter((it) => !known.has(it))
  const gone = old.filter((it) => !left.has(it))
  return [
    ...(added.length > 0 ? [`added ${list(added)}`] : []),
    ...(gone.length > 0 ? [`removed ${list(gone)}`] : []),
  ].join(', ')
}

/** The names of tags, of an operation or of the document; of what is written wrongly, its text. */
export const tagNames = (tags: Json): readonly string[] =>
  Array.isArray(tags)
    ? (tags as readonly Json[]).map((tag) => {
        const name = isObject(tag) ? (tag.name ?? tag) : tag
        return typeof name === 'string' ? name : JSON.stringify(name)
      })
    : tags === null
      ? []
      : [JSON.stringify(tags)]

const mostTags = 20

/** Tags as people list them, as many as a person would read. */
export const tagList = (names: readonly string[]): string =>
  names.slice(0, mostTags).join(', ') + (names.length > mostTags ? ` and ${names.length - mostTags} more` : '')

/** Which tags came and which went; that only the order changed where neither did. */
export const tagChange = (before: Json, after: Json): string => {
  const [old, fresh] = [tagNames(before), tagNames(after)]
  const [known, kept] = [new Set(old), new Set(fresh)]
  const added = fresh.filter((it) => !known.has(it))
  const removed = old.filter((it) => !kept.has(it))
  const parts = [
    ...(added.length > 0 ? [`tags added: ${tagList(added)}`] : []),
    ...(removed.length > 0 ? [`tags removed: ${tagList(removed)}`] : []),
  ]
  return parts.length === 0 ? 'the order of the tags changed' : parts.join('; ')
}

/** How many items a list has: "1 item", "3 items". */
export const countOf = (items: Json): string => plural(lengthOf(items), 'item')
