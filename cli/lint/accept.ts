/** The second stage of `svc lint`: which findings the document, a waiver or a baseline accepts. */
import { resolve } from 'node:path'
import type { Finding } from '../../src/lint/finding.ts'
import { distinct, knownRules } from '../../src/lint/reported.ts'
import { joinSuppressions, suppressFindings } from '../../src/lint/suppressions/suppress.ts'
import type { Suppressed } from '../../src/lint/suppressions/suppression.ts'
import type { ChosenGuide } from '../guide/find.ts'
import { writeOptionFile } from '../output/reports.ts'
import { newFindings, readBaseline, writeBaseline, type Baseline } from './accepted.ts'
import type { LintInvocation } from './files.ts'
import type { LintCommandOptions } from './options.ts'
import type { Linted } from './outcome.ts'
import { knowsUnused, type Run } from '../../src/lint/suppressions/unused.ts'
import { applyWaivers, readWaivers, type Waiver } from './waivers.ts'

/** The files that say what is accepted. */
export interface Known {
  readonly baseline: Baseline | null
  readonly waivers: readonly Waiver[]
  /** The name of a file as the globs of the waivers mean it; without it, as the findings have it. */
  readonly nameOf?: ((source: string) => string) | undefined
}

export interface Accepted {
  /** What is reported. */
  readonly left: readonly Finding[]
  /** How many findings the baseline accepts. */
  readonly byBaseline: number
  /** The findings that documents suppress, and those that waivers do. */
  readonly suppressed: readonly Suppressed[]
  readonly waived: readonly Suppressed[]
}

/** @throws SvcError `usage` where a file is not what its option needs */
export const readAccepted = async (options: LintCommandOptions, cwd: string): Promise<Known> => ({
  baseline: options.baseline === undefined ? null : await readBaseline(options.baseline, cwd),
  waivers: options.waivers === undefined ? [] : await readWaivers(options.waivers, cwd),
})

/**
 * Applies suppressions, waivers of today and the baseline, and writes the baseline that --write-baseline names.
 * @param run all that was linted, where `all` is a part of it
 */
export async function acceptFindings(
  all: readonly Linted[],
  { baseline, waivers, nameOf }: Known,
  guide: Pick<ChosenGuide, 'rulesFor'>,
  { options, cwd }: Pick<LintInvocation, 'options' | 'cwd'>,
  run: Run = { all, covers: () => false, placeOf: (source) => resolve(cwd, source) },
): Promise<Accepted> {
  const today = new Date().toISOString().slice(0, 10)
  const unused = options['unused-suppressions']
  const found = distinct(all.flatMap((it) => it.findings))
  const written = options['ignore-suppressions'] ? [] : all.flatMap((it) => [...it.suppressions])
  const { findings, suppressed } = suppressFindings(found, joinSuppressions(written), {
    unused,
    rules: () => knownRules(all.map(({ document }) => guide.rulesFor(document.source))),
    isUnused: knowsUnused(run),
  })
  const waived = applyWaivers(findings, waivers, today, unused, nameOf)
  const left = baseline === null ? waived.findings : newFindings(waived.findings, baseline)
  const file = options['write-baseline']
  if (file !== undefined) await writeOptionFile(file, writeBaseline(waived.findings, file, cwd), cwd)
  return { left, byBaseline: waived.findings.length - left.length, suppressed, waived: waived.waived }
}
