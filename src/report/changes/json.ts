import { visibleJson } from '../escape.ts'
import { outcomeOf } from '../../diff/conclusion.ts'
import { tallyOf } from '../../diff/tally.ts'
import { writtenChanges } from '../../diff/written.ts'
import { jsonPieces } from '../json-pieces.ts'
import type { ChangeReport } from '../report.ts'

/** The value of `summary` in the envelope of a comparison. */
export const summarizeChanges = (report: ChangeReport): object => ({
  base: report.base,
  head: report.head,
  counts: report.counts,
  maxSeverity: report.maxSeverity,
  verdict: tallyOf(report.changes).verdict,
  outcome: outcomeOf(tallyOf(report.changes)),
  conclusion: report.verdict,
  ...(report.witness === undefined ? {} : { witness: report.witness }),
  ...(report.unused === undefined ? {} : { unused: report.unused }),
  ...(report.files === undefined ? {} : { files: report.files, skipped: report.skipped ?? [] }),
  ...(report.scope === undefined ? {} : { scope: report.scope }),
  ...(report.consumers
    ? {
        consumers: report.consumers.map(({ handle, name, impact }) => ({
          handle,
          name,
          ...(impact === null ? {} : { status: impact.status, reasons: impact.losses }),
        })),
      }
    : {}),
})

/** Everything, for programs, in pieces: a report on a large description has tens of megabytes. */
export const changesAsJsonPieces = (report: ChangeReport): Iterable<string> =>
  jsonPieces({ summary: summarizeChanges(report), changes: writtenChanges(report.changes) })

/** The same as one text. */
export const changesAsJson = (report: ChangeReport): string => [...changesAsJsonPieces(report)].join('')

/** One change a line. */
export const changesAsLines = (report: ChangeReport): string =>
  writtenChanges(report.changes)
    .map((change) => `${visibleJson(JSON.stringify(change))}\n`)
    .join('')
