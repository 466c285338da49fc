/**
 * What a merge lost, counted without any of the code that merges: each document is a bag of facts, a fact is a value at a path whose
 * positions in lists count as one. What a side adds to its bag or takes from it must be so in the merge, unless a conflict names the place.
 */
import { isObject, type Json, type JsonObject } from '../../src/kernel/json.ts'

/** A fact that is as often in a merge as no side wanted it. */
export interface Loss {
  readonly fact: string
  readonly base: number
  readonly mine: number
  readonly theirs: number
  readonly merged: number
}

type Facts = ReadonlyMap<string, number>

const isAny = (step: string): boolean => /^\d+$/.test(step)

/** A pointer whose positions in lists count as one; names of numbers, as statuses are, too, on all sides alike. */
const shapeOf = (pointer: string): string =>
  pointer
    .split('/')
    .map((step) => (isAny(step) ? '*' : step))
    .join('/')

/** A fact for any component of its kind: of one that a side renamed, the other side's changes are under the new name. */
const forAnyName = (fact: string): string =>
  fact.replaceAll(/(\/(?:definitions|\$defs|components\/\w+)\/)[^/" ]+/g, '$1*')

/** The step to an item of a list. A server is its address: what another one says is another fact. */
const itemStep = (list: string, item: Json): string =>
  list.endsWith('/servers') && isObject(item) && typeof item.url === 'string'
    ? `url ${item.url.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : '*'

function factsOf(value: Json, named: (fact: string) => string): Facts {
  const facts = new Map<string, number>()
  const add = (fact: string): void => void facts.set(named(fact), (facts.get(named(fact)) ?? 0) + 1)
  const walk = (node: Json, at: string): void => {
    const isList = Array.isArray(node)
    if (!isList && !isObject(node)) return add(`${at} = ${JSON.stringify(node)}`)
    const entries = Object.entries(node as JsonObject)
    if (entries.length === 0) return add(`${at} = ${isList ? '[]' : '{}'}`)
    for (const [key, child] of entries) {
      const step = key.replaceAll('~', '~0').replaceAll('/', '~1')
      walk(child, `${at}/${isList || isAny(step) ? itemStep(at, child) : step}`)
    }
  }
  walk(value, '')
  return facts
}

/** How often a fact may be in a merge, where one side changed its number by `mine` and the other by `theirs`. */
function allowed(base: number, mine: number, theirs: number): readonly [number, number] {
  // Both may have made the same change, or one each.
  if (mine * theirs > 0) {
    const ends = [base + mine, base + theirs, base + mine + theirs]
    return [Math.max(0, Math.min(...ends)), Math.max(...ends)]
  }
  return [base + mine + theirs, base + mine + theirs]
}

const isBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

type Sides = Readonly<Record<'base' | 'mine' | 'theirs' | 'merged', Json>>

/**
 * @param conflicts pointers of the places that the merge says are in conflict
 * @returns the facts that are not as the sides made them, though no conflict names their place
 */
export function lossesOf(sides: Sides, conflicts: readonly string[]): readonly Loss[] {
  const losses = countedLosses(sides, conflicts, (fact) => fact)
  if (losses.length === 0) return losses
  const anywhere = new Set(countedLosses(sides, conflicts.map(forAnyName), forAnyName).map(({ fact }) => fact))
  return losses.filter(({ fact }) => anywhere.has(forAnyName(fact)))
}

function countedLosses(sides: Sides, conflicts: readonly string[], named: (fact: string) => string): readonly Loss[] {
  const [base, mine, theirs, merged] = [sides.base, sides.mine, sides.theirs, sides.merged].map((it) =>
    factsOf(it, named),
  ) as [Facts, Facts, Facts, Facts]
  const places = conflicts.map(shapeOf)
  const losses: Loss[] = []
  for (const fact of new Set([...base.keys(), ...mine.keys(), ...theirs.keys(), ...merged.keys()])) {
    const [of, left, right, now] = [base, mine, theirs, merged].map((it) => it.get(fact) ?? 0) as [
      number,
      number,
      number,
      number,
    ]
    const [least, most] = allowed(of, left - of, right - of)
    if (now >= least && now <= most) continue
    const path = fact.slice(0, fact.indexOf(' = '))
    const place = path.replaceAll(/\/servers\/url [^/]*/g, '/servers/*')
    // What is empty is so because all in it went, which is counted; only that it went as a whole is not.
    const isEmpty = fact.endsWith(' = {}') || fact.endsWith(' = []')
    if (isEmpty && (now > most || Iterator.from(merged.keys()).some((it) => it.startsWith(`${path}/`)))) continue
    // A place in conflict may also hold the whole container of the fact.
    if (places.some((it) => isBelow(place, it))) continue
    losses.push({ fact, base: of, mine: left, theirs: right, merged: now })
  }
  return losses
}
