import { isObject } from '../../kernel/json.ts'
import { isDocsWord } from '../docs-words.ts'
import type { SchemaPair } from './pair.ts'
import { isNewKind, losesNames } from './unions.ts'
import type { Judgement } from './judgement.ts'
import type { PlacedValue, Side } from '../side.ts'
import { viewOf } from '../view.ts'
import type { Union, View } from '../view.ts'

/** Words beside a choice that say nothing about values. */
const aside: ReadonlySet<string> = new Set(['discriminator', 'deprecated', 'xml', 'nullable'])

/** The choice that a schema is and nothing besides; null where it is not one. */
const onlyChoice = (view: View): Union | null => {
  const [union] = view.unions
  if (union === undefined || view.unions.length > 1) return null
  if (view.properties.size + view.required.size + view.items.length + view.additional.length > 0) return null
  return [...view.words.keys()].every((word) => isDocsWord(word) || aside.has(word)) ? union : null
}

const wrappers: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'allOf', '$ref'])

/** The one schema that a view shows, without references, and a choice or an `allOf` of nothing else, around it; null where it is several. */
const onlyPlace = ({ places }: View): PlacedValue | null => {
  const saying = places.filter(
    ({ value }) =>
      !isObject(value) ||
      !Object.keys(value).every((word) => wrappers.has(word) || aside.has(word) || isDocsWord(word)),
  )
  if (saying.length > 1) return null
  return saying[0] ?? places[0] ?? null
}

/** Whether a value of the branch has no place any more; it is shown as one of this branch. */
const judgeBranch = (pair: SchemaPair, base: PlacedValue, head: PlacedValue, branch: PlacedValue): Judgement => {
  const judged = pair.schemas.judge([base], [head], pair.use)
  if (judged.verdict !== 'breaking') return judged
  const side = pair.use.fromClient ? pair.sides.base : pair.sides.head
  return { ...judged, sent: pair.schemas.node(side, [branch], pair.use.direction) }
}

const namesOf = (side: Side, place: PlacedValue): string => {
  const { properties, unions, mask } = viewOf(side, [place])
  return unions.length > 0 || properties.size === 0 ? '' : `${mask} ${JSON.stringify([...properties.keys()].sort())}`
}

/** The branch that a schema is: one that allows the same, else the only one with the same properties. */
const counterpartOf = (
  pair: SchemaPair,
  branches: readonly PlacedValue[],
  single: PlacedValue,
  shrinks: boolean,
): PlacedValue | undefined => {
  const { schemas, use, sides } = pair
  const same = branches.find((branch) =>
    shrinks
      ? schemas.identical([branch], [single], use.direction)
      : schemas.identical([single], [branch], use.direction),
  )
  if (same) return same
  const [many, one] = shrinks ? [sides.base, sides.head] : [sides.head, sides.base]
  const names = namesOf(one, single)
  const alike = names === '' ? [] : branches.filter((branch) => namesOf(many, branch) === names)
  return alike.length === 1 ? alike[0] : undefined
}

/**
 * Tells a choice that shrinks to one of its branches, or grows from one, by the branches that go or come: who keeps to the
 * one that stays is concerned only by what changed in it. False where it is not such a pair.
 */
export const compareChoice = (pair: SchemaPair): boolean => {
  const shrinks = pair.base.unions.length > 0 && pair.head.unions.length === 0
  const grows = pair.base.unions.length === 0 && pair.head.unions.length > 0
  if (!shrinks && !grows) return false
  const union = onlyChoice(shrinks ? pair.base : pair.head)
  const choice = (shrinks ? pair.base : pair.head).places[0]
  // Where it is written as a choice of one, that is what changed, and not the branch in it.
  const written = (shrinks ? pair.head : pair.base).places[0]
  const single = onlyPlace(shrinks ? pair.head : pair.base)
  if (union === null || choice === undefined || written === undefined || single === null) return false
  const stays = counterpartOf(pair, union.branches, single, shrinks)
  if (!stays) return false
  const kind = union.word === 'oneOf' ? 'one-of-branch' : 'any-of-branch'
  const whole: [[PlacedValue], [PlacedValue]] = shrinks ? [[choice], [single]] : [[single], [choice]]
  pair.branch(...(shrinks ? ([[stays], [single]] as const) : ([[single], [stays]] as const)), null)
  for (const branch of union.branches) {
    if (branch === stays) continue
    const [base, head]: [PlacedValue, PlacedValue] = shrinks ? [branch, single] : [single, branch]
    pair.state({
      kind,
      action: shrinks ? 'removed' : 'added',
      base: shrinks ? branch.path : written.path,
      head: shrinks ? written.path : branch.path,
      before: shrinks ? branch.value : null,
      after: shrinks ? null : branch.value,
      subject: pair.subject(choice.path, !shrinks),
      ...(shrinks && losesNames(pair) ? { policy: 'request-property-removed' as const } : {}),
      ...(grows && isNewKind(pair, branch) ? { policy: 'response-branch-added' as const } : {}),
      judge: () =>
        pair.use.fromClient === shrinks
          ? judgeBranch(pair, base, head, branch)
          : pair.schemas.judge(...whole, pair.use),
    })
  }
  return true
}
