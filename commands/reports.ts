/** `--report FORMAT[=PATH]`: what it names, and writing it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { SvcError } from '../src/errors.ts'
import { reportFormats, type ReportFormatId } from '../src/report/formats.gen.ts'
import type { FindingReport, ReportFormat } from '../src/report/report.ts'
import { suggest } from '../src/suggest.ts'

/** Ids of the formats that show findings. */
export const findingFormats = (Object.keys(reportFormats) as ReportFormatId[]).filter((id) => {
  const format: ReportFormat = reportFormats[id]
  return format.findings !== undefined
})

export interface ReportTarget {
  readonly format: ReportFormat
  /** Null for standard output. */
  readonly path: string | null
}

/**
 * Reads FORMAT or FORMAT=PATH; `md` is markdown.
 * @throws SvcError `usage` for an unknown format or an empty path
 */
export function readReportTarget(text: string): ReportTarget {
  const at = text.indexOf('=')
  const id = at === -1 ? text : text.slice(0, at)
  const known = findingFormats.find((it) => it === (id === 'md' ? 'markdown' : id))
  if (known === undefined) {
    const near = suggest(id, findingFormats)
    const meant = near === null ? `it is one of ${findingFormats.join(', ')}` : `did you mean ${near}?`
    throw new SvcError('usage', { reason: `There is no report format "${id}"; ${meant}` })
  }
  const path = at === -1 ? null : text.slice(at + 1)
  if (path === '') throw new SvcError('usage', { reason: `--report ${id}= names no file` })
  return { format: reportFormats[known], path }
}

export const writeFindings = (format: ReportFormat, report: FindingReport, colour: boolean): string =>
  format.findings?.(report, { colour }) ?? ''

/** Writes a file that an option names; folders are made. Raises `usage` for a place that cannot be written. */
export async function writeOptionFile(path: string, text: string, cwd: string): Promise<void> {
  const target = resolve(cwd, path)
  try {
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text)
  } catch (error) {
    const code = String((error as { code?: unknown }).code ?? error)
    throw new SvcError('usage', { reason: `"${path}" cannot be written (${code})` })
  }
}

/**
 * Writes every report that names a file; folders are made.
 * @throws SvcError `usage` for a place that cannot be written, after all others were written
 */
export async function writeReportFiles(
  targets: readonly ReportTarget[],
  report: FindingReport,
  cwd: string,
): Promise<void> {
  const failed: string[] = []
  for (const { format, path } of targets) {
    if (path === null) continue
    const target = resolve(cwd, path)
    try {
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, writeFindings(format, report, false))
    } catch (error) {
      failed.push(`The report "${path}" cannot be written (${String((error as { code?: unknown }).code ?? error)})`)
    }
  }
  if (failed.length > 0) throw new SvcError('usage', { reason: failed.join('; ') })
}
