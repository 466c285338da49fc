import { isObject } from '../kernel/json.ts'
import type { Document } from '../document/document.ts'
import { Side, type PlacedValue } from '../diff/side.ts'
import { contains, isDistinctive, likeness, readProperties, similarity, type Property } from './property.ts'
import { ruleKeyOf } from './rule-key.ts'

/** How a property of the older class is to be carried into the newer one. */
export interface MigrationRule {
  readonly kind: 'rename' | 'type-change' | 'split' | 'merge' | 'drop'
  readonly source_property: string
  /** Where it goes; none for `drop`. */
  readonly target_properties: readonly string[]
  readonly source_type: string
  readonly target_type: string | null
}

/** A proposed rule that is not accepted yet, with the reason. */
export interface Proposal {
  readonly key: string
  readonly rule: MigrationRule
  readonly reason: string
  /** From 0 to 1: how sure the names and types make it. */
  readonly confidence: number
}

/** Where a document keeps its named schemas. */
const homes = [['components', 'schemas'], ['definitions'], ['$defs']] as const

/** The classes of a document by name. */
export const classesOf = (side: Side): ReadonlyMap<string, PlacedValue> =>
  new Map(
    homes.flatMap((home) => {
      const at = side.at([...home])
      return at && isObject(at.value)
        ? Object.entries(at.value).map(([name, value]): [string, PlacedValue] => [
            name,
            { value, path: [...home, name] },
          ])
        : []
    }),
  )

const round = (n: number): number => Math.round(n * 100) / 100

interface Work {
  readonly before: ReadonlyMap<string, Property>
  readonly after: ReadonlyMap<string, Property>
  readonly gone: Map<string, Property>
  readonly fresh: Map<string, Property>
  readonly out: Proposal[]
}

const propose = (
  work: Work,
  kind: MigrationRule['kind'],
  source: Property,
  to: { readonly targets: readonly string[]; readonly type: string | null },
  why: { readonly reason: string; readonly confidence: number },
): void => {
  const rule = {
    kind,
    source_property: source.name,
    target_properties: to.targets,
    source_type: source.type,
    target_type: to.type,
  }
  work.out.push({ key: ruleKeyOf(source.name), rule, reason: why.reason, confidence: round(why.confidence) })
  work.gone.delete(source.name)
}

// A property that stays and whose values are others.
const typeChanges = (work: Work): void => {
  for (const [name, source] of work.before) {
    const target = work.after.get(name)
    if (!target) continue
    const to = { targets: [name], type: target.type }
    const lost = source.values?.filter((it) => target.values !== null && !target.values.includes(it)) ?? []
    if (target.type !== source.type)
      propose(work, 'type-change', source, to, {
        reason: `${name} was ${source.type} and is ${target.type}.`,
        confidence: 1,
      })
    else if (lost.length > 0)
      propose(work, 'type-change', source, to, {
        reason: `${name} no longer accepts ${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ', …' : ''}.`,
        confidence: 0.9,
      })
  }
}

// `street` and `city` become `address.street` and `address.city`.
const movesInto = (work: Work): void => {
  if (work.gone.size === 0) return
  for (const target of work.after.values()) {
    const old = work.before.get(target.name)
    const moved = [...target.parts.values()].flatMap((part) => {
      const source = work.gone.get(part.name)
      return source && source.base === part.base && !old?.parts.has(part.name) ? [{ source, part }] : []
    })
    // A single common name may be a coincidence if another object has it too.
    const [only] = moved
    const rivals = [...work.fresh.values()].filter((it) => it !== target)
    if (only && moved.length === 1 && rivals.some((it) => likeness(it.name, only.source.name) >= 0.6)) continue
    for (const { source, part } of moved)
      propose(
        work,
        'rename',
        source,
        { targets: [`${target.name}.${part.name}`], type: part.type },
        {
          reason: `${target.name} contains ${source.name}.`,
          confidence: moved.length > 1 ? 0.85 : 0.5 + 0.2 * similarity(source, part),
        },
      )
    if (moved.length > 0) work.fresh.delete(target.name)
  }
}

// `address` with `street` and `city` becomes `street` and `city`.
const movesOut = (work: Work): void => {
  for (const source of work.gone.values()) {
    const parts = [...source.parts.values()].filter((part) => work.fresh.get(part.name)?.base === part.base)
    if (parts.length === 0) continue
    const names = parts.map((it) => it.name).sort()
    propose(
      work,
      'split',
      source,
      { targets: names, type: parts.length === 1 ? parts[0]!.type : null },
      {
        reason: `${names.join(' and ')} ${names.length === 1 ? 'was' : 'were'} part of ${source.name}.`,
        confidence: 0.4 + (0.5 * parts.length) / source.parts.size,
      },
    )
    for (const name of names) work.fresh.delete(name)
  }
}

// `name` becomes `first_name` and `last_name`.
const splits = (work: Work): void => {
  for (const source of work.gone.values()) {
    const parts = [...work.fresh.values()].filter((it) => contains(it.name, source.name) && it.base === source.base)
    if (parts.length < 2) continue
    const names = parts.map((it) => it.name).sort()
    propose(
      work,
      'split',
      source,
      { targets: names, type: source.type },
      {
        reason: `The names of ${names.join(' and ')} start with ${source.name}, and they have its type.`,
        confidence: 0.8,
      },
    )
    for (const { name } of parts) work.fresh.delete(name)
  }
}

// `first_name` and `last_name` become `name`.
const merges = (work: Work): void => {
  for (const target of work.fresh.values()) {
    const parts = [...work.gone.values()].filter((it) => contains(it.name, target.name) && it.base === target.base)
    if (parts.length < 2) continue
    const names = parts.map((it) => it.name).join(' and ')
    for (const source of parts)
      propose(
        work,
        'merge',
        source,
        { targets: [target.name], type: target.type },
        { reason: `${target.name} is the common part of the names ${names}.`, confidence: 0.7 },
      )
    work.fresh.delete(target.name)
  }
}

const least = 0.4

interface Match {
  readonly source: Property
  readonly target: Property
  readonly score: number
  readonly reason: string
}

/** Whether no other property that went or came says as much of what these two say. */
const areAlone = (work: Work, source: Property, target: Property, alike: number): boolean =>
  [...work.gone.values()].every((it) => it === source || similarity(it, target) < alike) &&
  [...work.fresh.values()].every((it) => it === target || similarity(source, it) < alike)

const matchOf = (work: Work, source: Property, target: Property): Match | null => {
  const names = likeness(source.name, target.name)
  if (source.base !== target.base) {
    const nested = [source, target].some((it) => it.base === 'object')
    const reason = `${target.name} is new and has a similar name, but the type changed from ${source.type} to ${target.type}.`
    return nested ? null : { source, target, score: names * 0.65, reason }
  }
  const alike = similarity(source, target)
  const byName = names * (0.8 + 0.2 * alike)
  // Values that only these two share are not coincidence; plain strings and numbers count only if nothing else was added or removed.
  const single = work.gone.size === 1 && work.fresh.size === 1 && alike === 1
  const speaks = single || (isDistinctive(source) && isDistinctive(target) && areAlone(work, source, target, alike))
  const bySchema = speaks && alike >= 0.5 ? 0.3 + 0.4 * alike : 0
  const what = alike === 1 ? 'has the same values' : alike >= 0.5 ? 'has nearly the same values' : 'has the same type'
  return { source, target, score: Math.max(byName, bySchema), reason: `${target.name} is new and ${what}.` }
}

const renames = (work: Work): void => {
  const matches = [...work.gone.values()]
    .flatMap((source) => [...work.fresh.values()].flatMap((target) => matchOf(work, source, target) ?? []))
    .filter((it) => it.score >= least)
    .sort(
      (a, b) =>
        b.score - a.score || (a.source.name < b.source.name ? -1 : 1) || (a.target.name < b.target.name ? -1 : 1),
    )
  for (const { source, target, score, reason } of matches) {
    if (!work.gone.has(source.name) || !work.fresh.has(target.name)) continue
    propose(work, 'rename', source, { targets: [target.name], type: target.type }, { reason, confidence: score })
    work.fresh.delete(target.name)
  }
}

const compareClass = (
  before: ReadonlyMap<string, Property>,
  after: ReadonlyMap<string, Property>,
): readonly Proposal[] => {
  const work: Work = {
    before,
    after,
    gone: new Map([...before].filter(([name]) => !after.has(name))),
    fresh: new Map([...after].filter(([name]) => !before.has(name))),
    out: [],
  }
  for (const look of [typeChanges, movesInto, movesOut, splits, merges, renames]) look(work)
  for (const source of work.gone.values())
    propose(
      work,
      'drop',
      source,
      { targets: [], type: null },
      { reason: `No new property is similar to ${source.name}.`, confidence: 0.5 },
    )
  return work.out.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/**
 * Proposes migration rules for the classes that two documents share: what was renamed, split, merged, changed its type or
 * went. They are guesses from names and types, for a person to accept.
 */
export const proposeMigrations = (from: Document, to: Document): ReadonlyMap<string, readonly Proposal[]> => {
  const [base, head] = [new Side('base', from), new Side('head', to)]
  const [older, newer] = [classesOf(base), classesOf(head)]
  const proposals = new Map<string, readonly Proposal[]>()
  for (const [name, place] of older) {
    const now = newer.get(name)
    if (!now) continue
    const found = compareClass(readProperties(base, place), readProperties(head, now))
    if (found.length > 0) proposals.set(name, found)
  }
  return proposals
}
