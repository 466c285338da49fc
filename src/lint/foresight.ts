/** What is certain of a rule before it looks at any value. */
import type { Document } from '../document/document.ts'
import type { Documents } from '../document/reference.ts'
import type { Rule } from './rule.ts'

/** Whether a rule finds nothing wherever it looks in a document and in the others that references may lead to. */
export function findsNothingIn(document: Document, documents: Documents): (rule: Rule) => boolean {
  const all = [...new Set([document, ...Object.values(documents)])]
  return (rule) => rule.then.every(({ run, options }) => run.findsNothing?.(options ?? {}, all) === true)
}
