/** Findings that someone accepted: those of a baseline. */
import { isObject, type Json } from '../../src/kernel/json.ts'
import { SvcError } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { placePrint } from '../../src/lint/fingerprint.ts'
import { readSettings } from '../input/documents.ts'
import { nameFromFile } from './names.ts'

/** What is accepted. */
export interface Baseline {
  /** Whether it has a finding. */
  has(finding: Pick<Finding, 'source' | 'fingerprint'>): boolean
}

const baselineFormat = 2

/**
 * Reads a baseline. Files are named in it by their path from its own folder, so that it accepts the same findings from every
 * current folder and however the files are named on the command line.
 * @throws SvcError `usage` where it is not one
 */
export async function readBaseline(name: string, cwd: string): Promise<Baseline> {
  const { value } = await readSettings(name, cwd)
  const form = isObject(value) ? value.svcBaseline : undefined
  if (typeof form === 'number' && form !== baselineFormat)
    throw new SvcError('usage', {
      reason: `"${name}" is a baseline of format ${form}, but this svc reads format ${baselineFormat}; create it again with --write-baseline`,
    })
  const findings = isObject(value) && form === baselineFormat ? value.findings : undefined
  if (!Array.isArray(findings))
    throw new SvcError('usage', { reason: `"${name}" is not a baseline; create one with --write-baseline` })
  const known = new Set(
    (findings as readonly Json[]).flatMap((it) =>
      isObject(it) && typeof it.fingerprint === 'string' && typeof it.source === 'string'
        ? [`${it.source}\n${it.fingerprint}`]
        : [],
    ),
  )
  const nameOf = nameFromFile(name, cwd)
  return { has: ({ source, fingerprint }) => known.has(`${nameOf(source)}\n${placePrint(fingerprint)}`) }
}

const placeOf = ({
  source,
  pointer,
  code,
  fingerprint,
}: Pick<Finding, 'source' | 'pointer' | 'code' | 'fingerprint'>) => `${source} ${pointer} ${code} ${fingerprint}`

/**
 * A baseline that accepts these findings: sorted, so that a change of it reads well in a review.
 * @param file the baseline, from whose folder files are named
 */
export function writeBaseline(findings: readonly Finding[], file: string, cwd: string): string {
  const nameOf = nameFromFile(file, cwd)
  const rows = findings
    .map(({ fingerprint, source, pointer, code }) => ({
      source: nameOf(source),
      pointer,
      code,
      fingerprint: placePrint(fingerprint),
    }))
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  return `${JSON.stringify({ svcBaseline: baselineFormat, findings: rows }, null, 2)}\n`
}

/** The findings that a baseline does not accept. */
export const newFindings = (findings: readonly Finding[], baseline: Baseline): Finding[] =>
  findings.filter((it) => !baseline.has(it))
