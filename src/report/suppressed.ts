import type { Suppressed } from '../lint/suppressions/suppression.ts'

/** A suppressed finding as programs read it: what was found, and what suppresses it. */
export const describeSuppressed = ({ finding, by }: Suppressed): object => ({
  code: finding.code,
  severity: finding.severity,
  message: finding.message,
  source: finding.source,
  pointer: finding.pointer,
  range: finding.range,
  fingerprint: finding.fingerprint,
  suppression: {
    kind: by.kind,
    source: by.source,
    line: by.range.start.line + 1,
    reason: by.reason,
    ...(by.owner === undefined ? {} : { owner: by.owner, expires: by.expires }),
  },
})
