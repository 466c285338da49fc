/** The edit that suppresses a finding: a comment in YAML, the extension in JSON. */
import type { Document } from '../document/document.ts'
import { isObject } from '../kernel/json.ts'
import { parseDocument } from '../document/parse.ts'
import { getPath } from '../kernel/pointer.ts'
import { applyEdits } from '../kernel/edits.ts'
import type { Edit } from '../kernel/edits.ts'
import type { Finding } from '../lint/finding.ts'
import { isSuppressed } from '../lint/suppressions/suppress.ts'
import { refusalOf, suppressionExtension } from '../lint/suppressions/suppression.ts'

// Findings about suppressions are answered by removing these.
const isAboutSuppressions = (code: string): boolean => /^(?:unused|invalid)-suppression$|^expired-waiver$/.test(code)

function commentEdit({ text, locate }: Document, { code, path }: Finding): Edit {
  const { line } = locate(path, { key: true }).start
  let start = 0
  for (let left = line; left > 0; left--) start = text.indexOf('\n', start) + 1
  const indent = /^ */.exec(text.slice(start, start + 200))?.[0] ?? ''
  const end = text.startsWith('\r\n', text.indexOf('\n') - 1) ? '\r\n' : '\n'
  const from = start === 0 && text.charCodeAt(0) === 0xfeff ? 1 : start
  return { start: from, end: from, text: `${indent}# svc-ignore ${code}${end}` }
}

/** The extension as the first entry of the nearest object; null where that has one already. */
function extensionEdit(document: Document, { code, path }: Finding): Edit | null {
  for (let depth = path.length; depth >= 0; depth--) {
    const place = path.slice(0, depth)
    const value = getPath(document.value, place)
    if (!isObject(value ?? null)) continue
    const span = document.span(place)
    if (span === null || document.text[span.start] !== '{' || Object.hasOwn(value as object, suppressionExtension))
      return null
    const [first] = document.keysInOrder(place)
    const key = first === undefined ? null : document.span([...place, first], { key: true })
    const gap = key === null ? '' : document.text.slice(span.start + 1, key.start)
    const entry = `"${suppressionExtension}": ${JSON.stringify(code)}${key === null ? '' : ','}`
    return { start: span.start + 1, end: span.start + 1, text: `${gap}${entry}` }
  }
  return null
}

/**
 * The edit that suppresses a finding at its place.
 * @returns null where it cannot be suppressed, or not by an edit of this document
 */
export function suppressionEdit(document: Document, finding: Finding): Edit | null {
  const { source, syntax, value } = document
  if (value === null || finding.source !== source) return null
  if (refusalOf(finding.code) !== null || isAboutSuppressions(finding.code)) return null
  const edit = syntax === 'yaml' ? commentEdit(document, finding) : extensionEdit(document, finding)
  if (edit === null) return null
  const after = parseDocument(applyEdits(document.text, [edit]), { source, syntax })
  const isSound = after.problems.length <= document.problems.length
  const range = after.locate(finding.path)
  return isSound && isSuppressed(after, { ...finding, range }) ? edit : null
}
