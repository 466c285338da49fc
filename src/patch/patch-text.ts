/** JSON Patch on the text of a document: everything that is not changed stays as its author wrote it. */
import type { Document } from '../document/document.ts'
import { type Json, isScalar } from '../kernel/json.ts'
import { parseDocument } from '../document/parse.ts'
import { getPath } from '../kernel/pointer.ts'
import { canonicalize, serializeJson, serializeYaml } from '../document/serialize.ts'
import { applyEdits } from '../kernel/edits.ts'
import { addEntry, addItem, removeEntry, renameKey, setScalar } from '../document/node-edits.ts'
import type { Edit } from '../kernel/edits.ts'
import { applyOperation, newNameOf, PatchRefused, targetOf, type JsonPatch, type PatchOperation } from './json-patch.ts'
import { lineStart } from '../kernel/text.ts'

const indentOf = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? ''
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

/** The text of a value in the place of another one; null where the text gives no safe place for it. */
export function replaceValue(document: Document, path: readonly (string | number)[], value: Json): Edit | null {
  const { text, syntax } = document
  const span = document.span(path)
  if (span === null) return null
  const isFlow = syntax === 'json' || text[span.start] === '{' || text[span.start] === '['
  if (isScalar(value) && isScalar(getPath(document.value, path) ?? {})) {
    const edit = setScalar(document, path, value)
    if (edit !== null) return edit
  }
  if (isFlow || isScalar(value) || value === null || Object.keys(value).length === 0) {
    const written = serializeJson(value, syntax === 'json' ? 2 : 0).trimEnd()
    return { ...span, text: indented(written, indentOf(text, span.start)) }
  }
  const key = document.span(path, { key: true })
  const colon = key === null ? -1 : text.indexOf(':', key.end)
  if (key === null || colon < 0) return null
  const indent = ' '.repeat(key.start - lineStart(text, key.start) + 2)
  // A comment behind the key stays.
  const comment = /^[ \t]+#[^\n\r]*/.exec(text.slice(colon + 1, span.start))?.[0] ?? ''
  return {
    start: colon + 1 + comment.length,
    end: span.end,
    text: `\n${indent}${indented(serializeYaml(value).trimEnd(), indent)}`,
  }
}

function editOf(document: Document, operation: PatchOperation, at: number): Edit | null {
  const target = targetOf(document.value, operation, at)
  const { op, value = null } = operation
  if (target === null) return null
  const { container, step } = target
  const path = [...container, step]
  if (op === 'remove') return removeEntry(document, path)
  if (op === 'move') return renameKey(document, path, newNameOf(document.value, operation, at))
  if (op === 'replace') return replaceValue(document, path, value)
  if (typeof step === 'string')
    return getPath(document.value, path) === undefined
      ? addEntry(document, container, step, value)
      : replaceValue(document, path, value)
  const list = getPath(document.value, container) as readonly Json[]
  return step === list.length ? addItem(document, container, value) : null
}

const isSame = (a: Json, b: Json): boolean => canonicalize(a) === canonicalize(b)

/**
 * The text after a patch. Each operation is an edit of the smallest part; the result is read again and must be exactly what
 * the patch means. Where the text gives no safe place, the list or object around it is written again, and at last all of it.
 * @throws PatchRefused where an operation has no such place
 */
export function patchText(document: Document, patch: JsonPatch): string {
  return patch.reduce((it, operation, at) => patchOnce(it, operation, at), document).text
}

function patchOnce(document: Document, operation: PatchOperation, at: number): Document {
  const wanted = applyOperation(document.value, operation, at)
  const { source, syntax } = document
  const readAgain = (text: string): Document | null => {
    const made = parseDocument(text, { source, syntax })
    return made.problems.every(({ severity }) => severity !== 'error') && isSame(made.value, wanted) ? made : null
  }
  const edit = editOf(document, operation, at)
  const edited = edit === null ? null : readAgain(applyEdits(document.text, [edit]))
  if (edited !== null) return edited
  const target = targetOf(document.value, operation, at)
  for (let length = target?.container.length ?? 0; length > 0; length--) {
    const path = (target?.container ?? []).slice(0, length)
    const around = replaceValue(document, path, getPath(wanted, path) ?? null)
    const made = around === null ? null : readAgain(applyEdits(document.text, [around]))
    if (made !== null) return made
  }
  const whole = readAgain(syntax === 'json' ? serializeJson(wanted) : serializeYaml(wanted))
  if (whole === null) throw new PatchRefused(at, 'the result cannot be written in the format of the document')
  return whole
}

const contextLines = 3
const longestDiff = 10_000

/** What differs between two texts, as one hunk of a unified diff; "" where nothing does. */
export function hunkOf(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  const most = Math.min(old.length, now.length) - start
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end++
  if (start === old.length && start === now.length) return ''
  const from = Math.max(start - contextLines, 0)
  const removed = old.slice(start, old.length - end)
  const added = now.slice(start, now.length - end)
  const lead = old.slice(from, start)
  const trail = old.slice(old.length - end, old.length - end + contextLines)
  const head = `@@ -${from + 1},${lead.length + removed.length + trail.length} +${from + 1},${lead.length + added.length + trail.length} @@`
  const lines = [
    head,
    ...lead.map((it) => ` ${it}`),
    ...removed.map((it) => `-${it}`),
    ...added.map((it) => `+${it}`),
    ...trail.map((it) => ` ${it}`),
  ]
  const text = lines.join('\n')
  return text.length <= longestDiff ? text : `${text.slice(0, longestDiff - 1)}…`
}
