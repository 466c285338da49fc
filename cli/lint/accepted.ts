/** Findings that someone accepted: those of a baseline, and those that a waiver names until its day. */
import { isCalendarDate } from '../../src/calendar-date.ts'
import { isObject, type Json, type JsonObject } from '../../src/document/json.ts'
import { SvcError } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { fitsGlob } from '../../src/lint/glob.ts'
import { readSettings } from '../input/documents.ts'

/** How often each finding is accepted, by its fingerprint: one rule may speak of one place more than once. */
export type Baseline = ReadonlyMap<string, number>

const countPrints = (findings: readonly Finding[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { fingerprint } of findings) counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + 1)
  return counts
}

/**
 * Reads a baseline.
 * @throws SvcError `usage` where it is not one
 */
export async function readBaseline(name: string, cwd: string): Promise<Baseline> {
  const { value } = await readSettings(name, cwd)
  const form = isObject(value) ? value.svcBaseline : undefined
  if (typeof form === 'number' && form !== 1)
    throw new SvcError('usage', {
      reason: `"${name}" is a baseline of format ${form}, but this svc reads format 1; create it again with --write-baseline`,
    })
  const findings = isObject(value) && form === 1 ? value.findings : undefined
  if (!Array.isArray(findings))
    throw new SvcError('usage', { reason: `"${name}" is not a baseline; create one with --write-baseline` })
  return new Map(
    (findings as readonly Json[])
      .filter((it): it is JsonObject => isObject(it) && typeof it.fingerprint === 'string')
      .map((it) => [String(it.fingerprint), typeof it.count === 'number' ? it.count : 1]),
  )
}

const placeOf = ({
  source,
  pointer,
  code,
  fingerprint,
}: Pick<Finding, 'source' | 'pointer' | 'code' | 'fingerprint'>) => `${source} ${pointer} ${code} ${fingerprint}`

/** A baseline that accepts these findings: sorted, so that a change of it reads well in a review. */
export function writeBaseline(findings: readonly Finding[]): string {
  const counts = countPrints(findings)
  const unique = [...new Map(findings.map((it) => [it.fingerprint, it])).values()]
  const rows = unique
    .map(({ fingerprint, source, pointer, code }) => ({
      source,
      pointer,
      code,
      fingerprint,
      ...((counts.get(fingerprint) ?? 1) > 1 ? { count: counts.get(fingerprint) } : {}),
    }))
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  return `${JSON.stringify({ svcBaseline: 1, findings: rows }, null, 2)}\n`
}

/** The findings that a baseline does not accept. */
export function newFindings(findings: readonly Finding[], baseline: Baseline): Finding[] {
  const left = new Map(baseline)
  return findings.filter(({ fingerprint }) => {
    const count = left.get(fingerprint) ?? 0
    left.set(fingerprint, count - 1)
    return count <= 0
  })
}

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
