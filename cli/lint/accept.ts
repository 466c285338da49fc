/** The second stage of `svc lint`: which findings a baseline or a waiver accepts. */
import type { Finding } from '../../src/lint/finding.ts'
import { writeOptionFile } from '../output/reports.ts'
import {
  applyWaivers,
  newFindings,
  readBaseline,
  readWaivers,
  waiverNotes,
  writeBaseline,
  type Baseline,
  type Waiver,
} from './accepted.ts'
import type { LintInvocation } from './files.ts'
import type { LintCommandOptions } from './options.ts'
import type { Linted } from './outcome.ts'

/** The files that say what is accepted. */
export interface Known {
  readonly baseline: Baseline | null
  readonly waivers: readonly Waiver[]
}

export interface Accepted {
  /** What is reported. */
  readonly left: readonly Finding[]
  /** How many findings the baseline accepts, and how many the waivers. */
  readonly byBaseline: number
  readonly byWaivers: number
  /** Waivers that expired or matched nothing. */
  readonly notes: readonly string[]
}

/** @throws SvcError `usage` where a file is not what its option needs */
export const readAccepted = async (options: LintCommandOptions, cwd: string): Promise<Known> => ({
  baseline: options.baseline === undefined ? null : await readBaseline(options.baseline, cwd),
  waivers: options.waivers === undefined ? [] : await readWaivers(options.waivers, cwd),
})

// Two documents of a run may refer to a third one, which may be checked by itself as well: what is found there is reported once.
function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ fingerprint, message }) => {
    const key = `${fingerprint} ${message}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Applies waivers and baseline of today, and writes the baseline that --write-baseline names. */
export async function acceptFindings(
  all: readonly Linted[],
  { baseline, waivers }: Known,
  { options, cwd }: Pick<LintInvocation, 'options' | 'cwd'>,
): Promise<Accepted> {
  const today = new Date().toISOString().slice(0, 10)
  const waived = applyWaivers(distinct(all.flatMap((it) => it.findings)), waivers, today)
  const left = baseline === null ? waived.findings : newFindings(waived.findings, baseline)
  const file = options['write-baseline']
  if (file !== undefined) await writeOptionFile(file, writeBaseline(waived.findings, file, cwd), cwd)
  return {
    left,
    byBaseline: waived.findings.length - left.length,
    byWaivers: waived.waived,
    notes: waiverNotes(waived),
  }
}
