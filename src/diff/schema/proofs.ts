import { isObject } from '../../kernel/json.ts'
import type { Json, Path } from '../../kernel/json.ts'
import type { Node } from '../../schema/node.ts'
import type { Witness } from '../change.ts'
import type { Fact } from '../fact.ts'
import { pointerOf } from '../side.ts'
import { reachesAlarm } from './entry.ts'
import type { Compared, SchemaEntry } from './entry.ts'
import { acceptsNothing } from './judgement.ts'
import type { Schemas } from './schemas.ts'
import { holding } from './steps.ts'
import type { Step } from './steps.ts'

/** A way from a message to a part of it. */
interface Way {
  readonly root: Compared
  readonly steps: readonly Step[]
}

/** So many ways to one part are tried, and so many steps each has at most. */
const [mostWays, mostSteps] = [4, 60]
/** So many steps are taken to find the ways to a part. */
const mostLooks = 2000

const isSame = ({ base, head, use }: Compared, other: Compared): boolean =>
  base === other.base && head === other.head && use === other.use

/**
 * Proves what breaks in a part of a schema by a whole message: a value that one whole side accepts and the other refuses, in
 * which the part has a value that shows the change. Where no message can have such a part, the change breaks no one.
 */
export class Proofs {
  private readonly schemas: Schemas
  /** What each entry is part of, and how. */
  private readonly parents = new Map<SchemaEntry, { readonly entry: SchemaEntry; readonly step: Step }[]>()
  private readonly safeRoots = new Map<SchemaEntry, boolean>()
  /** The ways to each entry, which has several facts often. */
  private readonly ways = new Map<SchemaEntry, ReturnType<Proofs['waysTo']>>()
  /** A message by each way, and where the part is in it. */
  private readonly messages = new Map<Way, { readonly value: Json; readonly place: Path }>()

  constructor(schemas: Schemas) {
    this.schemas = schemas
  }

  /**
   * Puts the whole message into each counterexample of the entries below `roots`.
   *
   * @param unexplained is called with a root that breaks while nothing in it does any more
   */
  settle(roots: ReadonlySet<SchemaEntry>, unexplained: (root: SchemaEntry) => void): void {
    const entries = new Set(roots)
    for (const entry of entries)
      for (const { entry: child, step } of entry.children) {
        const known = this.parents.get(child)
        if (known) known.push({ entry, step })
        else this.parents.set(child, [{ entry, step }])
        entries.add(child)
      }
    let isChanged = false
    for (const entry of entries)
      for (const [i, fact] of entry.facts.entries()) {
        if (fact.verdict !== 'breaking' || fact.witness === null || !entry.compared) continue
        if (entry.compared.isRoot && !this.parents.has(entry)) continue
        const proven = this.prove(entry, entry.compared, fact, roots)
        entry.facts[i] = proven
        if (proven.verdict !== 'breaking') isChanged = true
      }
    if (!isChanged) return
    for (const entry of entries) entry.alarming = entry.facts.some(isAlarming)
    for (const root of roots) if (!reachesAlarm(root) && !this.isSafe(root)) unexplained(root)
  }

  private prove(entry: SchemaEntry, part: Compared, fact: Fact, roots: ReadonlySet<SchemaEntry>): Fact {
    const known = this.ways.get(entry) ?? this.waysTo(entry, roots)
    this.ways.set(entry, known)
    const { ways, isComplete } = known
    const found = new Set<'dead' | 'empty' | null>()
    for (const way of ways) {
      const shown = this.show(way, part, fact)
      if (shown !== null && typeof shown === 'object') return { ...fact, witness: shown }
      found.add(shown)
    }
    let isDead = isComplete && !found.has(null) && !found.has('empty')
    if (isComplete && !found.has(null) && found.has('empty'))
      return { ...fact, verdict: 'unknown', witness: null, reason: acceptsNothing }
    const above = this.above(entry)
    isDead ||= ways.length > 0 && [...above].every((it) => !roots.has(it) || this.isSafe(it))
    if (!isDead || [...above].some((it) => this.parents.get(it)?.some(({ step }) => step.to === 'heir')))
      return { ...fact, witness: null }
    // Who lists properties means objects, whatever the type says.
    if (ways.some(({ steps }) => steps.some((step) => step.to === 'property' && step.stray)))
      return { ...fact, verdict: 'unknown', witness: null, reason: 'the schema that lists it allows no objects' }
    return { ...fact, verdict: 'safe', witness: null, reason: 'no message that is valid has this part' }
  }

  /**
   * A message with a part that shows the change; "dead" where there is none, "empty" where there is no message at all, null where
   * that could not be decided.
   */
  private show(way: Way, part: Compared, { witness }: Fact): Witness | 'dead' | 'empty' | null {
    const { schemas } = this
    const { root, steps } = way
    if (isSame(root, part)) return witness
    const again = witness && this.showAgain(way, witness.value)
    if (again) return again
    const { factory } = schemas
    const escaping = schemas.escaping(part.base, part.head, part.use)
    for (const shown of [witness && factory.values([witness.value]), escaping]) {
      if (!shown) continue
      const nodes = [shown]
      for (const step of steps.toReversed()) nodes.unshift(holding(factory, step, nodes[0]!))
      const found = schemas.shownIn(root.base, root.head, root.use, nodes[0]!)
      if (found === 'empty') return found
      if (found === 'never' && shown === escaping) return 'dead'
      if (found === null || found === 'never') continue
      const place = this.placeIn(found.value, steps, nodes.slice(1))
      this.messages.set(way, { value: found.value, place })
      return { ...found, at: pointerOf(place) }
    }
    return null
  }

  /** The message of another fact of the same part, with the value of this one in its place; null where that shows nothing. */
  private showAgain(way: Way, value: Json): Witness | null {
    const known = this.messages.get(way)
    if (!known) return null
    const { base, head, use } = way.root
    const found = this.schemas.witnessBy(base, head, use, replaced(known.value, known.place, value))
    return found && { ...found, at: pointerOf(known.place) }
  }

  /** Where the part is in a message. `nodes` are what it has to be after each step. */
  private placeIn(value: Json, steps: readonly Step[], nodes: readonly Node[]): Path {
    const path: (string | number)[] = []
    let at = value
    for (const [i, step] of steps.entries()) {
      const key = this.keyIn(at, step, nodes[i]!)
      if (key === undefined) continue
      path.push(key)
      at = (at as { readonly [key: string | number]: Json })[key] ?? null
    }
    return path
  }

  private keyIn(value: Json, step: Step, part: Node): string | number | undefined {
    switch (step.to) {
      case 'same':
      case 'heir':
        return undefined
      case 'property':
        return step.name
      case 'item':
        if (step.position !== null || !Array.isArray(value)) return step.position ?? undefined
        return (value as readonly Json[]).findIndex((it) => this.schemas.holds(part, it))
      case 'other':
        return isObject(value)
          ? Object.keys(value).find((key) => !step.names.includes(key) && this.schemas.holds(part, value[key]!))
          : undefined
    }
  }

  /** The ways from the roots to an entry; not complete where there are more, or a cycle on the way. */
  private waysTo(
    entry: SchemaEntry,
    roots: ReadonlySet<SchemaEntry>,
  ): { readonly ways: readonly Way[]; readonly isComplete: boolean } {
    const ways: Way[] = []
    const open: {
      readonly at: SchemaEntry
      readonly steps: readonly Step[]
      readonly seen: ReadonlySet<SchemaEntry>
    }[] = [{ at: entry, steps: [], seen: new Set([entry]) }]
    let isComplete = true
    for (let looks = 0; open.length > 0; looks++) {
      if (ways.length === mostWays || looks === mostLooks) return { ways, isComplete: false }
      // The shortest ways first: their messages are small.
      const { at, steps, seen } = open.shift()!
      if (roots.has(at) && at.compared) ways.push({ root: at.compared, steps })
      for (const { entry: parent, step } of this.parents.get(at) ?? []) {
        if (seen.has(parent) || steps.length === mostSteps) isComplete = false
        else open.push({ at: parent, steps: [step, ...steps], seen: new Set([...seen, parent]) })
      }
    }
    return { ways, isComplete }
  }

  /** An entry, and all that it is a part of. */
  private above(entry: SchemaEntry): ReadonlySet<SchemaEntry> {
    const above = new Set([entry])
    for (const it of above) for (const parent of this.parents.get(it) ?? []) above.add(parent.entry)
    return above
  }

  /** Whether every message of a root is still understood. */
  private isSafe(root: SchemaEntry): boolean {
    const known = this.safeRoots.get(root)
    if (known !== undefined) return known
    const judged = root.compared && this.schemas.judge(root.compared.base, root.compared.head, root.compared.use)
    const isSafe = judged?.verdict === 'safe' && judged.vacuous !== true
    this.safeRoots.set(root, isSafe)
    return isSafe
  }
}

/** A value with another one in a place of it. */
const replaced = (value: Json, [step, ...rest]: Path, part: Json): Json => {
  if (step === undefined) return part
  if (Array.isArray(value))
    return (value as readonly Json[]).map((it, i) => (i === Number(step) ? replaced(it, rest, part) : it))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [key, key === String(step) ? replaced(it, rest, part) : it]),
  )
}

const isAlarming = ({ verdict }: Fact): boolean => verdict === 'breaking' || verdict === 'unknown'
