/** Changes that fail a check, as findings: every report of findings shows them. */
import type { Change } from '../diff/change.ts'
import { parsePointer } from '../kernel/pointer.ts'
import type { Finding } from '../lint/finding.ts'
import type { ReportPlace } from '../report/report.ts'

const nowhere = { line: 0, character: 0 }

/** A sentence that names the operation of a change, where it has one. */
const messageOf = ({ method, path, message }: Change): string =>
  path === null || message.includes(path)
    ? message
    : `${method === null ? '' : `${method.toUpperCase()} `}${path}: ${message}`

/**
 * A change as a finding of severity `error`, in the newer document: for what is gone, where it was.
 * @param head the name of the newer document
 * @param anchors places for changes that have none in the newer document, by fingerprint
 */
export function findingOfChange(change: Change, head: string, anchors: ReadonlyMap<string, ReportPlace>): Finding {
  const own = change.head === null ? null : { source: head, ...change.head }
  const place = own ?? anchors.get(change.fingerprint) ?? { source: head, pointer: '', range: null }
  return {
    code: change.id,
    severity: 'error',
    message: messageOf(change),
    path: parsePointer(place.pointer) ?? [],
    pointer: place.pointer,
    source: place.source,
    range: place.range ?? { start: nowhere, end: nowhere },
    fingerprint: change.fingerprint,
    documentationUrl: null,
    fix: null,
  }
}
