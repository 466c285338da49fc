/** `--report FORMAT[=PATH]`: what it names, and writing it. */
import { resolve } from 'node:path'
import { replaceFile } from '../../server/disk/door.ts'
import { SvcError } from '../../src/errors.ts'
import { reportFormats, type ReportFormatId } from '../../src/report/formats.gen.ts'
import type { FindingReport, ReportFormat } from '../../src/report/report.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { unwritableFile } from '../input/file-error.ts'

const idsOf = (kind: 'findings' | 'changes'): ReportFormatId[] =>
  (Object.keys(reportFormats) as ReportFormatId[]).filter((id) => {
    const format: ReportFormat = reportFormats[id]
    return format[kind] !== undefined
  })

/** Ids of the formats that show findings. */
export const findingFormats = idsOf('findings')
/** Ids of the formats that show changes. */
export const changeFormats = idsOf('changes')

/**
 * A format by its id, `md` being markdown.
 * @throws SvcError `usage` for one that is not among the known
 */
export function readFormat(id: string, known: readonly ReportFormatId[]): ReportFormat {
  const found = known.find((it) => it === (id === 'md' ? 'markdown' : id))
  if (found !== undefined) return reportFormats[found]
  const near = suggest(id, known)
  const meant = near === null ? `it is one of ${known.join(', ')}` : `did you mean ${near}?`
  throw new SvcError('usage', { reason: `Unknown report format "${id}"; ${meant}` })
}

export interface ReportTarget {
  readonly format: ReportFormat
  /** Null for standard output. */
  readonly path: string | null
}

/**
 * Reads FORMAT or FORMAT=PATH; `md` is markdown.
 * @throws SvcError `usage` for an unknown format or an empty path
 */
function readTarget(text: string, known: readonly ReportFormatId[]): ReportTarget {
  const at = text.indexOf('=')
  const id = at === -1 ? text : text.slice(0, at)
  const format = readFormat(id, known)
  const path = at === -1 ? null : text.slice(at + 1)
  if (path === '') throw new SvcError('usage', { reason: `--report ${id}= names no file` })
  return { format, path }
}

/**
 * Where a report of findings goes.
 * @throws SvcError `usage` as `readTarget`
 */
export const readReportTarget = (text: string): ReportTarget => readTarget(text, findingFormats)

/** The same for a report of changes, which names a file. */
export function readChangeTarget(text: string): ReportTarget {
  const target = readTarget(text, changeFormats)
  if (target.path === null) throw new SvcError('usage', { reason: `--report takes FORMAT=FILE, not "${text}"` })
  return target
}

export const writeFindings = (
  format: ReportFormat,
  report: FindingReport,
  colour: boolean,
  terminal: { readonly columns?: number; readonly isBrief?: boolean } = {},
): string => format.findings?.({ at: new Date().toISOString(), ...report }, { colour, ...terminal }) ?? ''

/**
 * Writes a file that an option names; folders are made.
 * @throws SvcError `file-unwritable`
 */
export async function writeOptionFile(path: string, text: string, cwd: string): Promise<void> {
  const target = resolve(cwd, path)
  try {
    replaceFile(target, text)
  } catch (error) {
    throw unwritableFile(path, error)
  }
}

/**
 * Writes every report that names a file; folders are made.
 *
 * @param write makes the text of a report in a format
 * @throws SvcError `usage` where two reports name one file; `file-unwritable` for the first that cannot be written, after all others were
 */
export async function writeTargets(
  targets: readonly ReportTarget[],
  write: (format: ReportFormat) => string,
  cwd: string,
): Promise<void> {
  let failed: SvcError | null = null
  const named = targets.flatMap(({ path }) => (path === null ? [] : [path]))
  const twice = named.find((path, at) => named.slice(0, at).some((it) => resolve(cwd, it) === resolve(cwd, path)))
  if (twice !== undefined) throw new SvcError('usage', { reason: `Two reports name the file "${twice}"` })
  for (const { format, path } of targets) {
    if (path === null) continue
    const target = resolve(cwd, path)
    try {
      replaceFile(target, write(format))
    } catch (error) {
      failed ??= unwritableFile(path, error)
    }
  }
  if (failed !== null) throw failed
}

/** The same for reports of findings. */
export const writeReportFiles = (
  targets: readonly ReportTarget[],
  reportFor: (format: ReportFormat) => FindingReport,
  cwd: string,
): Promise<void> => writeTargets(targets, (format) => writeFindings(format, reportFor(format), false), cwd)
