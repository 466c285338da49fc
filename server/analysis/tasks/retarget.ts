import { findReferences } from '../../../src/document/reference.ts'
import { getPath } from '../../../src/kernel/pointer.ts'
import { formatPointer } from '../../../src/kernel/pointer.ts'
import { applyEdits } from '../../../src/kernel/edits.ts'
import { setScalar } from '../../../src/document/node-edits.ts'
import { patchText } from '../../../src/patch/patch-text.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import type { Document } from '../../../src/document/document.ts'
import type { Path } from '../../../src/kernel/json.ts'
import { withoutFragment } from '../../../src/types/outward.ts'
import { onlyOne, type Desk } from '../desk.ts'

interface Change {
  readonly path: Path
  readonly value: string
}

// All references at once; what the text gives no safe place for is written one by one.
function write(document: Document, changes: readonly Change[]): string {
  const edits = changes.map(({ path, value }) => setScalar(document, path, value))
  if (edits.every((it) => it !== null)) {
    const text = applyEdits(document.text, edits)
    const made = parseDocument(text, { source: document.source, syntax: document.syntax })
    if (changes.every(({ path, value }) => getPath(made.value, path) === value)) return text
  }
  const patch = changes.map(({ path, value }) => ({ op: 'replace' as const, path: formatPointer(path), value }))
  return patchText(document, patch)
}

/**
 * The text of a document with other references in place of some, and with the label of its version; everything else stays as it
 * is written.
 * @param input the new references by the old ones, both without fragments; the old and the new label
 */
export function run(
  input: {
    readonly moves: Readonly<Record<string, string>>
    readonly label: { readonly from: string; readonly to: string }
  },
  desk: Desk,
): string {
  const document = desk.engine.document(onlyOne(desk))
  const { moves, label } = input
  const changes = findReferences(document.value).flatMap(({ ref, path }): Change[] => {
    const bare = withoutFragment(ref)
    const to = Object.hasOwn(moves, bare) ? moves[bare] : undefined
    return to === undefined ? [] : [{ path: [...path, '$ref'], value: to + ref.slice(bare.length) }]
  })
  const version = ['info', 'version']
  if (label.from !== label.to && getPath(document.value, version) === label.from)
    changes.push({ path: version, value: label.to })
  return changes.length === 0 ? document.text : write(document, changes)
}
