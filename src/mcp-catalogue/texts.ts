/** The texts of an item that models read, and how they changed. */
import { diffWordsWithSpace } from 'diff'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { findHiddenText, showHiddenText } from '../kernel/hidden-text.ts'
import type { TextDifference, TextPart } from './types.ts'

/** What of a text is compared and shown at most. */
const mostCharacters = 4000
/** How many texts of an item are compared. */
const mostTexts = 20
/** How many edits are looked for before the whole text counts as replaced. */
const mostEdits = 400

const isText = (key: string): boolean => key === 'description' || key === 'title' || key === 'name'

/** All descriptions and titles of an item by their pointers, also those in its schemas; names of the item itself are its key. */
export function textsOf(item: JsonObject): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (value: Json, path: Path): void => {
    if (Array.isArray(value)) {
      for (const [at, it] of (value as readonly Json[]).entries()) visit(it, [...path, at])
      return
    }
    if (!isObject(value)) return
    for (const [key, it] of Object.entries(value)) {
      if (key === '_meta') continue
      if (typeof it === 'string' && isText(key)) found.set(formatPointer([...path, key]), it)
      else visit(it, [...path, key])
    }
  }
  visit(item, [])
  return found
}

const cut = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text)

/** The parts of a text that stayed, went and came, hidden characters visible in all of them. */
export function textParts(before: string, after: string): readonly TextPart[] {
  const [a, b] = [cut(showHiddenText(before)), cut(showHiddenText(after))]
  const rest = (removed: boolean) => (removed ? 'removed' : 'same')
  const changes = diffWordsWithSpace(a, b, { maxEditLength: mostEdits })
  const parts = changes?.map(({ added, removed, value }): TextPart => ({
    kind: added ? 'added' : rest(removed),
    text: value,
  })) ?? [
    { kind: 'removed', text: a },
    { kind: 'added', text: b },
  ]
  return parts.filter((it) => it.text !== '')
}

/** What is hidden in a text, in words: by kind of character, and what tag characters spell. */
export function hiddenIn(text: string): readonly string[] {
  const hidden = findHiddenText(text)
  if (hidden === null) return []
  return [...hidden.kinds, ...(hidden.spelled === '' ? [] : [`spelling ${JSON.stringify(cut(hidden.spelled))}`])]
}

/** The texts that differ between two forms of an item; of one that was added all texts. */
export function textDifferences(before: JsonObject | null, after: JsonObject | null): readonly TextDifference[] {
  if (after === null) return []
  const old = before === null ? new Map<string, string>() : textsOf(before)
  const now = textsOf(after)
  const pointers = [...new Set([...old.keys(), ...now.keys()])].filter((it) => old.get(it) !== now.get(it))
  return pointers.slice(0, mostTexts).map((pointer) => ({
    pointer,
    parts: textParts(old.get(pointer) ?? '', now.get(pointer) ?? ''),
    hidden: hiddenIn(now.get(pointer) ?? ''),
  }))
}
