/** Fixes of common findings. */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type Path } from '../../kernel/json.ts'
import { formatPointer, getPath } from '../../kernel/pointer.ts'
import { addEntry, addItem, countOf, removeEntry, renameKey, setScalar } from '../../document/node-edits.ts'
import type { Edit } from '../../kernel/edits.ts'
import { orphansOf } from '../functions/unreferencedReusableObject.ts'
import type { Fix, FixContext, Fixer, Removal, VisibleFix } from './fix.ts'

const fix = (description: string, ...edits: (Edit | null)[]): Fix | null =>
  edits.length > 0 && edits.every((it) => it !== null) ? { description, edits } : null

/** A fix that clients can see. */
export const visibly = (visible: VisibleFix, fixer: Fixer): Fixer =>
  Object.assign(
    (place: FixContext): Fix | null => {
      const made = fixer(place)
      return made === null ? null : { ...made, visible }
    },
    { visible },
  )

/** Replaces a text by what `change` makes of it; nothing where that is the same or empty. */
export const rewriteText =
  (description: string, change: (text: string) => string): Fixer =>
  ({ document, path, value }) => {
    if (typeof value !== 'string') return null
    const after = change(value)
    return after === value || after === '' ? null : fix(description, setScalar(document, path, after))
  }

/** Takes definitions out that nothing names; `locations` are the maps that hold them. */
export const removeUnused = (description: string, prune: number, locations: readonly Path[]): Fixer =>
  Object.assign(visibly('removals', remove(description, prune)), {
    orphans: (root: Json, removed: readonly Path[]) => orphansOf(root, locations, removed),
  })

/** Takes the finding's place out of the document; the last of its kind takes `prune` levels of containers with it. */
export const remove =
  (description: string, prune = 0): Fixer =>
  ({ document, path }) => {
    const made = fix(description, removeEntry(document, path, prune))
    const up = path.slice(0, -1)
    return made === null
      ? null
      : ({ ...made, from: { pointer: formatPointer(up), entries: countOf(document, up) } } satisfies Removal)
  }

/** Adds a key to the object of the finding, or above it where the finding is about the missing key itself. */
export const add =
  (description: string, key: string, value: Json): Fixer =>
  ({ document, path }) =>
    fix(description, addEntry(document, path.at(-1) === key ? path.slice(0, -1) : path, key, value))

/** Gives a key another name that its object does not have yet. */
export const rename =
  (description: string, change: (key: string) => string): Fixer =>
  ({ document, path }) => {
    const key = String(path.at(-1))
    const after = change(key)
    const parent = getPath(document.value, path.slice(0, -1))
    if (after === key || after === '' || !isObject(parent) || Object.hasOwn(parent, after)) return null
    return fix(description, renameKey(document, path, after))
  }

/** Gives a key the name that the finding suggests. */
export const renameToSuggested: Fixer = (place) => {
  const { name } = place
  return name === null ? null : rename(`Replace it by "${name}"`, () => name)(place)
}

/** Writes the value that the finding suggests; nothing where it suggests none. */
export const writeSuggested: Fixer = ({ document, path, name }) =>
  name === null ? null : fix(`Write "${name}"`, setScalar(document, path, name))

/** Adds the missing key of the finding with the value that it suggests. */
export const addSuggested: Fixer = ({ document, path, name }) =>
  name === null
    ? null
    : fix(`Add "${path.at(-1)}: ${name}"`, addEntry(document, path.slice(0, -1), String(path.at(-1)), name))

/** Removes what only steps of messages have; an action is what such a step lacks, which a person must decide. */
export const removeMessageField: Fixer = ({ document, path, kind }) =>
  kind === 'action' || kind === 'correlationId' ? fix(`Remove "${kind}"`, removeEntry(document, path)) : null

/** Gives the finding's place another key, with the value that the finding suggests. */
export const replaceBySuggested =
  (key: string): Fixer =>
  ({ document, path, name }) => {
    const parent = getPath(document.value, path.slice(0, -1))
    if (name === null || !isObject(parent) || Object.hasOwn(parent, key)) return null
    return fix(`Write "${key}: ${name}"`, renameKey(document, path, key), setScalar(document, path, name))
  }

// The items that also occur earlier in the list.
const findRepeated = (items: readonly Json[]): readonly number[] => {
  const seen = new Set<string>()
  return items.flatMap((item, at) => {
    const text = JSON.stringify(item)
    const isRepeated = seen.has(text)
    seen.add(text)
    return isRepeated ? [at] : []
  })
}

// Everything between the first and the last character that differ.
function differenceOf(before: string, after: string): Edit {
  let start = 0
  while (start < after.length && before[start] === after[start]) start++
  let same = 0
  while (same < after.length - start && before.at(-1 - same) === after.at(-1 - same)) same++
  return { start, end: before.length - same, text: after.slice(start, after.length - same) }
}

/** Takes the repeated items of a list out, the first of each stays. */
export const dropRepeated =
  (description: string): Fixer =>
  ({ document, path }) => {
    const list = getPath(document.value, path)
    const repeated = Array.isArray(list) ? findRepeated(list as readonly Json[]) : []
    // So much text would be written again for each of them.
    if (repeated.length === 0 || repeated.length * document.text.length > mostWritten) return null
    let { text } = document
    // From the last to the first: what is before an item keeps its position.
    for (const index of repeated.toReversed()) {
      const edit = removeEntry({ ...document, text }, [...path, index])
      if (edit === null) return null
      text = text.slice(0, edit.start) + edit.text + text.slice(edit.end)
    }
    return fix(description, differenceOf(document.text, text))
  }

/** So many characters may be written to make one fix. */
const mostWritten = 200_000_000

/** Sorts the items of a list by what `nameOf` reads of them: each text takes the place of another. */
export const sortItems =
  (description: string, nameOf: (item: Json) => string): Fixer =>
  ({ document, path, value }) => {
    if (!Array.isArray(value)) return null
    const items = (value as readonly Json[]).map((item, at) => ({
      name: nameOf(item),
      span: document.span([...path, at]),
    }))
    const sorted = items.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    const edits = items.flatMap(({ span }, at) => {
      const from = sorted[at]?.span
      if (!span || !from) return [null]
      const [before, after] = [span, from].map(({ start, end }) => document.text.slice(start, end).trimEnd())
      // What is behind an item, a comment or an empty line, stays where it is.
      return before === after ? [] : [{ start: span.start, end: span.start + (before?.length ?? 0), text: after ?? '' }]
    })
    return fix(description, ...edits)
  }

/** Defines a tag that an operation names in the tags of the document. */
export const defineTag: Fixer = ({ document, value }) => {
  if (typeof value !== 'string') return null
  const tags = getPath(document.value, ['tags'])
  const edit = Array.isArray(tags)
    ? addItem(document, ['tags'], { name: value })
    : addEntry(document, [], 'tags', [{ name: value }])
  return fix('Define the tag', edit)
}

const words = (path: string): string[] => path.split(/[^A-Za-z0-9]+/).filter((it) => it !== '')
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

const idsOf = new WeakMap<Document, ReadonlySet<unknown>>()

/** The names of all operations of a document, gathered once. */
function operationIds(document: Document): ReadonlySet<unknown> {
  const known = idsOf.get(document)
  if (known !== undefined) return known
  const found = new Set<unknown>()
  const paths = getPath(document.value, ['paths'])
  for (const item of isObject(paths) ? Object.values(paths) : [])
    for (const operation of isObject(item) ? Object.values(item) : [])
      if (isObject(operation)) found.add(operation.operationId)
  idsOf.set(document, found)
  return found
}

/** Names an operation by its method and path, "getPetsId", unlike any other of the document. */
export const nameOperation: Fixer = ({ document, path }) => {
  const [area, at, method] = path
  if (area !== 'paths' || typeof at !== 'string' || typeof method !== 'string') return null
  const taken = operationIds(document)
  const name = [method, ...words(at).map(capital)].join('')
  let unique = name
  for (let n = 2; taken.has(unique); n++) unique = `${name}${n}`
  return fix(`Add the operationId "${unique}"`, addEntry(document, [area, at, method], 'operationId', unique))
}

const removeParameter = visibly('non-breaking', ({ document, path }) =>
  fix('Remove the parameter', removeEntry(document, path, 1)),
)

// Clients see nothing of it: a variable without a parameter is a text.
const declareParameter: Fixer = ({ document, path, name }) => {
  if (name === null || !isObject(getPath(document.value, path))) return null
  const type = { type: 'string' }
  const isSwagger = document.format?.kind === 'swagger'
  const parameter = { name, in: 'path', required: true, ...(isSwagger ? type : { schema: type }) }
  const at = [...path, 'parameters']
  const edit = Array.isArray(getPath(document.value, at))
    ? addItem(document, at, parameter)
    : addEntry(document, path, 'parameters', [parameter])
  return fix(`Declare the path parameter "${name}"`, edit)
}

/** Declares, requires or removes the parameters of a path, as the finding says. */
export const fixPathParameter: Fixer = (place) => {
  const { document, path, value, kind } = place
  if (kind === 'parameter-missing') return declareParameter(place)
  if (kind === 'parameter-unused') return removeParameter(place)
  if (kind !== 'parameter-optional' || !isObject(value)) return null
  return Object.hasOwn(value, 'required')
    ? fix('Require the parameter', setScalar(document, [...path, 'required'], true))
    : fix('Require the parameter', addEntry(document, path, 'required', true))
}

/** Requires the property that a discriminator names, where it is defined. */
export const requireDiscriminator: Fixer = ({ document, path, kind }) => {
  if (kind !== 'not-required') return null
  const at = path.at(-1) === 'required' ? path.slice(0, -1) : path
  const schema = getPath(document.value, at)
  if (!isObject(schema) || typeof schema.discriminator !== 'string') return null
  const edit = Array.isArray(schema.required)
    ? addItem(document, [...at, 'required'], schema.discriminator)
    : addEntry(document, at, 'required', [schema.discriminator])
  return fix('Add the discriminator property to "required"', edit)
}

/** Takes a tag out whose name another has already. */
export const removeTag: Fixer = ({ path, ...place }) =>
  remove('Remove the duplicate tag')({ ...place, path: path.slice(0, 2) })
