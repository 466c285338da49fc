/** Findings and changes in the shape in which programs and agents get them: the fingerprint first, and nothing for the eye. */
import type { Change } from '../diff/change.ts'
import type { Lines } from '../document/lines.ts'
import { cutTo } from '../kernel/text.ts'
import type { ToolTokens } from '../lint/descriptors/budget.ts'
import type { Finding } from '../lint/finding.ts'

/** A longer message names something of a document that was made to be long. */
export const longestMessage = 2000

/** A fix or a counterexample that is longer than this is left out of an answer that is meant to be short. */
const longestValue = 4000

/** Whether a value has a place in a short answer. */
export const isShort = (value: unknown): boolean => (JSON.stringify(value)?.length ?? 0) <= longestValue

/** Whether every change is known to be harmless, some change breaks, or neither is certain; worst first. */
const certain = { breaking: 0, unknown: 1, safe: 2 } as const
const severe = { breaking: 0, 'non-breaking': 1, 'docs-only': 2 } as const

/** Changes with the worst first; in one severity, those that are proven before those that are undecided. */
export const worstFirst = <T extends Pick<Change, 'severity' | 'classification'>>(changes: readonly T[]): T[] =>
  changes.toSorted(
    (a, b) => severe[a.severity] - severe[b.severity] || certain[a.classification] - certain[b.classification],
  )

/**
 * A change as an agent reads it.
 * @returns its place is a JSON Pointer: in the newer document, else in the older one
 */
export const checkedChange = (change: Change) => {
  const { id, severity, classification, method, path, base, head, message, witness, fingerprint, operations } = change
  return {
    fingerprint,
    id,
    severity,
    classification,
    operation: method !== null && path !== null ? `${method.toUpperCase()} ${path}` : (operations[0] ?? null),
    path: head?.pointer ?? base?.pointer ?? null,
    message: cutTo(message, longestMessage),
    ...(witness === null
      ? {}
      : {
          witness: {
            value: witness.value,
            at: witness.at,
            accepted_by: witness.acceptedBy,
            reason: witness.reason,
          },
        }),
  }
}

/** What tools cost as answers have it. */
export const shownToolTokens = ({ count, tokens, savedByDefs }: ToolTokens) => ({
  count,
  tokens,
  saved_by_defs: savedByDefs,
})

/**
 * A finding as an agent reads it, with the exact edits that fix it.
 * @param lines of the text of its document, which say where the edits are: from 1 on, in UTF-16 units; without them no fix is shown
 */
export function checkedFinding(
  { code, severity, message, path, range, fingerprint, fix }: Finding,
  lines: Pick<Lines, 'position'> | null,
) {
  const edits = fix?.edits
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, text }) => {
      const [first, last] = [lines?.position(start), lines?.position(end)]
      return {
        line: (first?.line ?? 0) + 1,
        column: (first?.character ?? 0) + 1,
        end_line: (last?.line ?? 0) + 1,
        end_column: (last?.character ?? 0) + 1,
        text,
      }
    })
  return {
    fingerprint,
    code,
    severity,
    message: cutTo(message, longestMessage),
    path: [...path],
    line: range.start.line + 1,
    column: range.start.character + 1,
    ...(fix === null || edits === undefined || lines === null
      ? {}
      : { fix: { description: fix.description, edits, visible: fix.visible ?? null } }),
  }
}
