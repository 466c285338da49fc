/** A changed document as text, in which everything that did not change stays as its author wrote it. */
import type { Document } from '../document/document.ts'
import { isExact } from '../document/exact.ts'
import { isObject, type Json, type JsonObject, type Path, isScalar } from '../kernel/json.ts'
import { parseDocument } from '../document/parse.ts'
import { canonicalize, serializeYaml } from '../document/serialize.ts'
import { applyEdits } from '../kernel/edits.ts'
import { addEntry, removeEntry, renameKey, setScalar } from '../document/node-edits.ts'
import type { Edit } from '../kernel/edits.ts'
import { replaceValue } from '../patch/patch-text.ts'

export type Syntax = 'json' | 'yaml'

const isReference = (value: Json): boolean => isObject(value) && typeof value.$ref === 'string'

// What a reference was replaced by has nothing of it.
const isReplaced = (before: Json, after: Json): boolean =>
  !isObject(before) ||
  !isObject(after) ||
  Object.keys(before).length === 0 ||
  Object.keys(after).length === 0 ||
  (isReference(before) && !isReference(after)) ||
  !Object.keys(before).some((key) => Object.hasOwn(after, key) || Object.hasOwn(after, `x-${key}`))

// Where the last entry goes and another comes, the text gives no place behind the last one.
function isCrowded(document: Document, path: Path, removed: readonly string[], added: readonly string[]): boolean {
  if (removed.length === 0 || added.length === 0) return false
  const span = document.span(path)
  const last = document.keysInOrder(path).at(-1)
  return span === null || '{['.includes(document.text[span.start] ?? '{') || removed.includes(last ?? '')
}

/** The keys that became extensions, and those whose value has another key now. */
function renames(from: JsonObject, to: JsonObject): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const added = Object.keys(to).filter((key) => !Object.hasOwn(from, key))
  for (const key of Object.keys(from)) {
    if (Object.hasOwn(to, key)) continue
    const at = added.findIndex((one) => one === `x-${key}` || to[one] === from[key])
    const [name] = at === -1 ? [] : added.splice(at, 1)
    if (name !== undefined) found.set(key, name)
  }
  return found
}

/** The edits that make one value of another; null where the text gives no safe place for one of them. */
function editsBetween(document: Document, wanted: Json): Edit[] | null {
  const edits: Edit[] = []
  const replace = (path: Path, before: Json, after: Json): boolean => {
    const scalar = isScalar(before) && isScalar(after) ? setScalar(document, path, after) : null
    const edit = scalar ?? (path.length === 0 ? null : replaceValue(document, path, after))
    if (edit !== null) edits.push(edit)
    return edit !== null
  }
  const compare = (path: Path, before: Json, after: Json): boolean => {
    if (before === after) return true
    if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
      return (before as readonly Json[]).every((item, index) => compare([...path, index], item, after[index] as Json))
    if (isReplaced(before, after)) {
      if (typeof before === 'object' && typeof after === 'object' && canonicalize(before) === canonicalize(after))
        return true
      return replace(path, before, after)
    }
    const [from, to] = [before as { [key: string]: Json }, after as { [key: string]: Json }]
    const renamed = renames(from, to)
    const names = new Set(renamed.values())
    const removed = Object.keys(from).filter((key) => !Object.hasOwn(to, key) && !renamed.has(key))
    const added = Object.keys(to).filter((key) => !Object.hasOwn(from, key) && !names.has(key))
    if (isCrowded(document, path, removed, added)) return replace(path, before, after)
    for (const key of Object.keys(from)) {
      const name = renamed.get(key)
      const at = [...path, key]
      const change = () => (name === undefined ? removeEntry(document, at) : renameKey(document, at, name))
      const edit = Object.hasOwn(to, key) ? undefined : change()
      if (edit === null) return false
      if (edit !== undefined) edits.push(edit)
      if (name !== undefined && !compare(at, from[key] as Json, to[name] as Json)) return false
    }
    return Object.keys(to).every((key) => {
      if (names.has(key)) return true
      if (Object.hasOwn(from, key)) return compare([...path, key], from[key] as Json, to[key] as Json)
      const edit = addEntry(document, path, key, to[key] as Json)
      if (edit !== null) edits.push(edit)
      return edit !== null
    })
  }
  return compare([], document.value, wanted) ? edits : null
}

const holdsExact = (value: Json): boolean =>
  isExact(value) || (typeof value === 'object' && value !== null && Object.values<Json>(value).some(holdsExact))

/** A value as text: numbers that no double holds keep their digits. */
export const serializeExactly = (value: Json, syntax: Syntax): string =>
  syntax === 'yaml'
    ? serializeYaml(value)
    : `${JSON.stringify(
        value,
        // `toJSON` of a number that no double holds would make a text of it.
        function (this: { readonly [key: string]: Json }, key, given: Json) {
          const own = this[key] as Json
          return isExact(own) ? (JSON as unknown as { rawJSON(text: string): Json }).rawJSON(own.toString()) : given
        },
        2,
      )}\n`

/** A text, and whether it is that of the author with edits: comments and layout are kept. */
export interface WrittenText {
  readonly text: string
  readonly keepsLayout: boolean
}

/**
 * The text of a value that was made of a document: its own text with edits where the syntax is the same and every change has a safe
 * place, else all of it written again. Numbers that no double holds keep their digits.
 *
 * @param value what the text must mean
 * @param exact the same value with the numbers that no double holds
 */
export function writeChanged(document: Document, value: Json, syntax: Syntax, exact: Json = value): WrittenText {
  const isExactly = holdsExact(exact)
  if (document.syntax === syntax) {
    if (document.value === value) return { text: document.text, keepsLayout: true }
    const edits = isExactly ? null : editsBetween(document, value)
    if (edits !== null) {
      const text = applyEdits(document.text, edits)
      const read = parseDocument(text, { source: document.source, syntax })
      const isSound = read.problems.every(({ severity }) => severity !== 'error')
      if (isSound && canonicalize(read.value) === canonicalize(value)) return { text, keepsLayout: true }
    }
  }
  return { text: serializeExactly(isExactly ? exact : value, syntax), keepsLayout: false }
}
