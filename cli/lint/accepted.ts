/** Findings that someone accepted: those of a baseline, and those that a waiver names until its day. */
import { isCalendarDate } from '../../src/calendar-date.ts'
import { isObject, type Json } from '../../src/document/json.ts'
import { SvcError } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { placePrint } from '../../src/lint/fingerprint.ts'
import { fitsGlob } from '../../src/lint/glob.ts'
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

/** Findings that someone is responsible for, until a day. */
export interface Waiver {
  readonly rule: string
  /** A glob of file names; every file where it is left out. */
  readonly file: string | null
  /** Everything below it; the whole document where it is left out. */
  readonly pointer: string
  readonly owner: string
  readonly reason: string
  /** The last day on which it holds, in UTC: "2027-01-31". */
  readonly expires: string
}

const wanted = ['rule', 'owner', 'reason', 'expires'] as const

/**
 * Reads a list of waivers.
 * @throws SvcError `usage` with the place of the first that is incomplete
 */
export async function readWaivers(name: string, cwd: string): Promise<Waiver[]> {
  const document = await readSettings(name, cwd)
  const list = isObject(document.value) ? document.value.waivers : document.value
  const under = isObject(document.value) ? ['waivers'] : []
  const refuse = (reason: string, path: readonly (string | number)[]): never => {
    const { line, character } = document.locate(path).start
    throw new SvcError('usage', { reason: `${name}:${line + 1}:${character + 1}: ${reason}` })
  }
  if (!Array.isArray(list)) return refuse('waivers are a list', under)
  return (list as readonly Json[]).map((it, index) => {
    const path = [...under, index]
    if (!isObject(it)) return refuse('a waiver has rule, owner, reason and expires', path)
    for (const field of wanted)
      if (typeof it[field] !== 'string' || it[field].trim() === '') refuse(`the waiver has no "${field}"`, path)
    const expires = String(it.expires)
    if (!isCalendarDate(expires)) refuse(`"${expires}" must be a date such as 2027-01-31`, [...path, 'expires'])
    return {
      rule: String(it.rule),
      file: typeof it.file === 'string' ? it.file : null,
      pointer: typeof it.pointer === 'string' ? it.pointer : '',
      owner: String(it.owner),
      reason: String(it.reason),
      expires,
    }
  })
}

const covers = ({ rule, file, pointer }: Waiver, finding: Finding): boolean =>
  rule === finding.code &&
  (file === null || fitsGlob(finding.source, file)) &&
  (pointer === '' || finding.pointer === pointer || finding.pointer.startsWith(`${pointer}/`))

/** What is left of findings under waivers, and the waivers that no longer do anything. */
export interface Waived {
  readonly findings: readonly Finding[]
  readonly waived: number
  /** Their day is over. */
  readonly expired: readonly Waiver[]
  /** Nothing is found any more where they hold. */
  readonly unused: readonly Waiver[]
}

/** @param today "2026-05-05" */
export function applyWaivers(findings: readonly Finding[], waivers: readonly Waiver[], today: string): Waived {
  const valid = waivers.filter((it) => it.expires >= today)
  const used = new Set<Waiver>()
  const left = findings.filter((finding) => {
    const waiver = valid.find((it) => covers(it, finding))
    if (waiver === undefined) return true
    used.add(waiver)
    return false
  })
  return {
    findings: left,
    waived: findings.length - left.length,
    expired: waivers.filter((it) => it.expires < today),
    unused: valid.filter((it) => !used.has(it)),
  }
}

/** What is said of waivers that do nothing any more. */
export const waiverNotes = ({ expired, unused }: Waived): string[] => [
  ...expired.map((it) => `The waiver of ${it.rule} by ${it.owner} expired on ${it.expires}: ${it.reason}`),
  ...unused.map((it) => `The waiver of ${it.rule} by ${it.owner} matches no finding; remove it.`),
]
