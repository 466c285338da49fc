import { isExact } from '../document/exact.ts'
import { isObject } from '../kernel/json.ts'
import type { Json, Path } from '../kernel/json.ts'
import { canonical } from '../schema/node.ts'
import { changeSeverities } from './change.ts'
import type { Change, ChangeSeverity, ChangeSide, Classification } from './change.ts'
import type { Collected } from './collector.ts'
import type { Fact } from './fact.ts'
import { fingerprintOf } from './fingerprint.ts'
import { accepts } from './ignore.ts'
import type { DiffOptions, DiffResult } from './options.ts'
import { explain } from './explain.ts'
import { profileOf, stanceOnRule } from './profile.ts'
import { pointerOf } from './side.ts'
import type { Side } from './side.ts'
import { tallyOf } from './tally.ts'

const severityOf = (fact: Fact): ChangeSeverity =>
  fact.verdict === 'docs' ? 'docs-only' : fact.verdict === 'safe' ? 'non-breaking' : 'breaking'

const classificationOf = (fact: Fact): Classification => (fact.verdict === 'docs' ? 'safe' : fact.verdict)

/** A fact as the profile wants it reported. */
export const settled = (fact: Fact, stance: 'breaking' | 'safe' | null, profile: string): Fact =>
  stance === null || fact.verdict === 'docs' || fact.verdict === stance
    ? fact
    : { ...fact, verdict: stance, witness: null, reason: `profile ${profile}`, policy: `profile ${profile}` }

const sideOf = (side: Side, path: Path | null): ChangeSide | null =>
  path === null ? null : { pointer: pointerOf(path), range: side.document.locate(path) }

/** The same value with its keys in one order, so that a report does not depend on how a document is written; numbers that no double holds as texts. */
const ordered = (value: Json): Json => {
  if (isExact(value)) return value.text
  if (Array.isArray(value)) return (value as readonly Json[]).map(ordered)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, ordered(value[key]!)]),
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order of changes in every report: by severity, place and rule; nothing is left to how documents are written. */
export const order = (a: Change, b: Change): number =>
  changeSeverities.indexOf(a.severity) - changeSeverities.indexOf(b.severity) ||
  compare(a.path ?? '\uffff', b.path ?? '\uffff') ||
  compare(a.method ?? '\uffff', b.method ?? '\uffff') ||
  compare(a.head?.pointer ?? a.base?.pointer ?? '', b.head?.pointer ?? b.base?.pointer ?? '') ||
  compare(a.id, b.id) ||
  compare(a.message, b.message) ||
  compare(a.fingerprint, b.fingerprint)

const changeOf = (collected: Collected, sides: { base: Side; head: Side }, options: DiffOptions): Change => {
  const { operations } = collected
  const { id, message } = explain(collected.fact)
  const profile = profileOf(options.profile)
  const fact = settled(collected.fact, stanceOnRule(profile, id, collected.fact), profile.id)
  const only = operations.length === 1 ? operations[0]! : null
  const space = only?.indexOf(' ') ?? -1
  const severity = options.overrides?.[id] ?? severityOf(fact)
  const base = sideOf(sides.base, fact.base)
  const head = sideOf(sides.head, fact.head)
  const key = [
    id,
    fact.direction ?? '',
    base?.pointer ?? '',
    head?.pointer ?? '',
    fact.subject,
    canonical(fact.before),
    canonical(fact.after),
  ]
  return {
    id,
    severity,
    classification: classificationOf(fact),
    method: only === null || only.startsWith('WEBHOOK ') ? null : only.slice(0, space),
    path: only === null || only.startsWith('WEBHOOK ') ? null : only.slice(space + 1),
    direction: fact.direction,
    base,
    head,
    before: ordered(fact.before),
    after: ordered(fact.after),
    message,
    witness: fact.witness,
    operations,
    consumers: [],
    fingerprint: fingerprintOf(key.join('\n')),
    ...(fact.policy === undefined ? {} : { policy: fact.policy }),
  }
}

/** Turns facts into changes: explained, sorted, counted, without those that are ignored. */
export const conclude = (
  collected: readonly Collected[],
  sides: { readonly base: Side; readonly head: Side },
  options: DiffOptions,
): DiffResult => {
  const all = collected.map((it) => changeOf(it, sides, options)).sort(order)
  const active = (options.ignore ?? []).filter(
    (it) => it.until === undefined || options.asOf === undefined || it.until >= options.asOf,
  )
  const ignored: { change: Change; reason: string }[] = []
  const changes: Change[] = []
  for (const change of all) {
    const match = active.find((it) => accepts(it, change))
    if (match) ignored.push({ change, reason: match.reason })
    else changes.push(change)
  }
  return { changes, ...tallyOf(changes), ignored }
}
