/** Which fixes may be applied to a document: those that no client notices, and of the others those that are wanted and break none; and none that breaks the document. */
import type { Document } from '../document/document.ts'
import type { Documents } from '../document/reference.ts'
import type { FixLimits } from '../lint/fix/apply.ts'
import type { VisibleFix } from '../lint/fix/fix.ts'
import { isSuppressed } from '../lint/suppressions/suppress.ts'
import { findUnused } from '../document/unused-definitions.ts'

const known = new WeakMap<Document, ReadonlySet<string>>()

/** Whether a JSON Pointer leads into a definition that the other parts of the document do not reach by references, or to it. */
function isUnused(document: Document, pointer: string): boolean {
  let unused = known.get(document)
  if (unused === undefined) known.set(document, (unused = findUnused(document.value)))
  const steps = pointer.split('/')
  return [3, 4].some((length) => unused.has(steps.slice(0, length).join('/')))
}

/**
 * Accepts fixes if the comparison of both documents finds nothing or documentation only, and those that the user wants although
 * clients can see them if it finds nothing that breaks. A document that breaks a rule of its specification afterwards, and did
 * not before, is never accepted.
 */
export async function limitsOf(
  documents: Documents,
  visible: ReadonlySet<VisibleFix>,
  suppresses: boolean,
): Promise<FixLimits> {
  const [{ diff }, { joinDocuments }, { refusalOf }] = await Promise.all([
    import('../diff/diff.ts'),
    import('../import/bundle/document.ts'),
    import('../merge/broken-by.ts'),
  ])
  const others = Object.values(documents)
  const whole = (it: Document): Document => (others.length === 0 ? it : joinDocuments(it, others, (place) => place))
  return {
    visible,
    // Another document may use what this one does not, and no comparison of this one sees that.
    mayFix: (it, finding) =>
      (finding.fix?.visible === 'removals' || !isUnused(it, finding.pointer)) &&
      !(suppresses && isSuppressed(it, finding)),
    mayBecome: (before, after, kind) => {
      if (refusalOf(after, before, documents) !== null) return false
      const { maxSeverity } = diff(whole(before), whole(after))
      return (
        maxSeverity === null || maxSeverity === 'docs-only' || (kind !== undefined && maxSeverity === 'non-breaking')
      )
    },
  }
}
