import type { PlacedValue, Side } from '../diff/side.ts'
import { formatDataPath, parseDataPath, type Step } from './data-path.ts'
import { declaredIn, groupOf, itemsIn, mapsIn, openIn, openItemsIn, type Group } from './schema-group.ts'

/** What is passed on the way to a field at one level. */
export interface FieldStep {
  readonly places: readonly PlacedValue[]
  /** The property that is entered from here; null for items, and at the end. */
  readonly enters: string | null
}

/** A field that was found: where it is declared, and everything that was passed on the way, the field itself last. */
export interface FoundField {
  readonly places: readonly PlacedValue[]
  readonly levels: readonly FieldStep[]
}

interface Taken {
  readonly next: readonly PlacedValue[]
  readonly passed: readonly PlacedValue[]
}

const nothing: Taken = { next: [], passed: [] }

// Of a union only the branches that know the step are passed: the others say nothing about the field.
const take = (group: Group, here: (group: Group) => readonly PlacedValue[]): Taken => {
  const branches = group.unions.flatMap((union) => union.map((branch) => take(branch, here)))
  const next = [...here(group), ...branches.flatMap((it) => it.next)]
  if (next.length === 0) return nothing
  return { next, passed: [...group.passed, ...branches.flatMap((it) => it.passed)] }
}

const takeStep = (group: Group, step: Step): Taken => {
  if (step === 'items') {
    const declared = take(group, itemsIn)
    return declared.next.length > 0 ? declared : take(group, openItemsIn)
  }
  const declared = take(group, (it) => declaredIn(it, step.name))
  return declared.next.length > 0 ? declared : take(group, openIn)
}

/** The places that one step leads to from the given ones; none where nothing declares it. */
export const findStep = (side: Side, places: readonly PlacedValue[], step: Step): readonly PlacedValue[] =>
  takeStep(groupOf(side, places), step).next

/** Everything a group consists of, all branches included: what a value as a whole depends on. */
const whole = (side: Side, group: Group, depth: number): readonly PlacedValue[] => [
  ...group.passed,
  ...group.unions.flatMap((union) => union.flatMap((branch) => whole(side, branch, depth))),
  // A list is used with its items, a map with its values.
  ...[itemsIn(group), mapsIn(group)].flatMap((places) =>
    depth < 8 && places.length > 0 ? whole(side, groupOf(side, places), depth + 1) : [],
  ),
]

/**
 * Finds a field below the schemas of a body. A property is found if any branch declares it; otherwise an open
 * map (`additionalProperties`) counts as its declaration. An empty path finds the body itself.
 *
 * @returns null where nothing declares it.
 */
export const findField = (side: Side, roots: readonly PlacedValue[], steps: readonly Step[]): FoundField | null => {
  const levels: FieldStep[] = []
  let places = roots
  for (const step of steps) {
    const taken = takeStep(groupOf(side, places), step)
    if (taken.next.length === 0) return null
    levels.push({ places: taken.passed, enters: step === 'items' ? null : step.name })
    places = taken.next
  }
  levels.push({ places: whole(side, groupOf(side, places), 0), enters: null })
  return { places, levels }
}

/** A data path in other words, for a caller who left out what the schema has: `tags.name` where `tags` is a list. */
export const suggestField = (side: Side, roots: readonly PlacedValue[], text: string): string | null => {
  const steps = parseDataPath(text)
  if (steps === null) return null
  const whole: Step[] = []
  let places = roots
  for (const step of steps) {
    let taken = takeStep(groupOf(side, places), step)
    if (taken.next.length === 0 && step !== 'items') {
      const items = takeStep(groupOf(side, places), 'items')
      if (items.next.length === 0) return null
      whole.push('items')
      taken = takeStep(groupOf(side, items.next), step)
    }
    if (taken.next.length === 0) return null
    whole.push(step)
    places = taken.next
  }
  return whole.length > steps.length ? formatDataPath(whole) : null
}
