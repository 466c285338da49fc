/** A value as an author reads it in passing: YAML, with what its references lead to, cut to a size. */
import type { Document } from '../document/document.ts'
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { baseAt, followReference, type Documents } from '../document/reference.ts'
import { serializeYaml } from '../document/serialize.ts'

const deepest = 6
// References are followed so far below the value itself.
const mostReferences = 2
const mostLines = 40
const mostEntries = 60
const longestText = 400

interface Step {
  readonly document: Document
  readonly path: Path
  readonly depth: number
  readonly references: number
}

const cut = (text: string): string => (text.length > longestText ? `${text.slice(0, longestText)}…` : text)

/**
 * The value at a place as YAML: references are replaced by what they lead to, two levels of them, and what is deep, long or much is cut.
 * @returns at most forty lines; the last is "…" where some were cut
 */
export function excerptOf(
  place: { readonly document: Document; readonly path: Path; readonly value: Json },
  documents: Documents,
): string {
  const expand = (value: Json, step: Step): Json => {
    if (typeof value === 'string') return cut(value)
    if (typeof value !== 'object' || value === null) return value
    if (step.depth >= deepest) return '…'
    const inner = (key: string | number): Step => ({ ...step, path: [...step.path, key], depth: step.depth + 1 })
    if (Array.isArray(value)) {
      const items = (value as readonly Json[]).slice(0, mostEntries).map((it, index) => expand(it, inner(index)))
      return value.length > mostEntries ? [...items, '…'] : items
    }
    if (isObject(value) && typeof value.$ref === 'string' && step.references < mostReferences) {
      const reference = { ref: value.$ref, base: baseAt(step) }
      const found = followReference(step.document, reference, documents)
      if (typeof found === 'object' && found.value !== value)
        return expand(found.value, {
          document: found.document,
          path: found.path,
          depth: step.depth,
          references: step.references + 1,
        })
    }
    const entries = Object.entries(value).slice(0, mostEntries)
    return Object.fromEntries(entries.map(([key, it]) => [key, expand(it, inner(key))]))
  }
  const { document, path, value } = place
  const lines = serializeYaml(expand(value, { document, path, depth: 0, references: 0 }))
    .trimEnd()
    .split('\n')
  return lines.length > mostLines ? [...lines.slice(0, mostLines), '…'].join('\n') : lines.join('\n')
}
