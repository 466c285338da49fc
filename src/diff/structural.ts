import { isObject } from '../kernel/json.ts'
import { typeBit } from '../schema/node.ts'
import { isDocsWord } from './docs-words.ts'
import { isSameValue } from './sameness.ts'
import type { SchemaPair } from './schema/pair.ts'
import { matchBranches } from './schema/unions.ts'
import type { Side } from './side.ts'
import { remarks, viewOf } from './view.ts'
import type { Union, View } from './view.ts'

/** Keywords that hold schemas which are not compared on their own. */
const nested = new Set([
  'not',
  'if',
  'then',
  'else',
  'contains',
  'prefixItems',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contentSchema',
  'additionalItems',
])

/**
 * Whether a pair differs only in what is below it and in which properties there are. Then the parts decide for the whole:
 * where every part is contained the pair is, and nothing beside a part can make up for it. It spares following everything
 * that is reachable, which in a description of cyclic schemas is the whole of it.
 */
export const isStructural = (pair: SchemaPair): boolean => {
  const { base, head } = pair
  if (base.partial || head.partial) return false
  if (base.integral !== head.integral) return false
  // Whether null is allowed is distinguished from everything else, unless single values are listed.
  const listed = [base, head].some((view) => view.words.has('enum') || view.words.has('const'))
  if (base.mask !== head.mask && (listed || pair.use.textual || (base.mask ^ head.mask) !== typeBit.null)) return false
  for (const word of new Set([...base.words.keys(), ...head.words.keys()])) {
    if (isDocsWord(word) || remarks.has(word)) continue
    if (nested.has(word)) return false
    if (!isSameValue(base.words.get(word)?.value, head.words.get(word)?.value)) return false
  }
  if (!hasSameTag(pair)) return false
  if (base.items.length > 0 !== head.items.length > 0) return false
  const [a, b] = [base.additional, head.additional]
  if (a.length !== b.length || a.length > 1) return false
  if (a.length === 1 && typeof a[0]!.value !== 'object' && a[0]!.value !== b[0]!.value) return false
  if (a.length === 1 && typeof a[0]!.value !== typeof b[0]!.value) return false
  return sameBranches(pair)
}

/** Whether what a discriminator goes by is the same: only values that select something are sent, which the part does not know. */
const hasSameTag = ({ base, head, schemas, use }: SchemaPair): boolean => {
  const [given, other] = [base, head].map((view) => view.words.get('discriminator')?.value)
  if (isObject(given) && isObject(other) && given.defaultMapping !== other.defaultMapping) return false
  const tag = isObject(given) ? given.propertyName : given
  if (typeof tag !== 'string') return true
  return schemas.equal(base.properties.get(tag) ?? [], head.properties.get(tag) ?? [], use.direction)
}

const sameBranches = (pair: SchemaPair): boolean => {
  const { base, head } = pair
  if (base.unions.length !== head.unions.length) return false
  for (const word of ['oneOf', 'anyOf'] as const) {
    const left = base.unions.filter((it) => it.word === word)
    const right = head.unions.filter((it) => it.word === word)
    if (left.length !== right.length || left.length > 1) return false
    if (left.length === 0) continue
    // A value must not match two branches of a plain oneOf: that is not a matter of single branches.
    if (word === 'oneOf' && !(base.words.has('discriminator') && head.words.has('discriminator'))) return false
    const { gone, fresh } = matchBranches(pair, left[0]!, right[0]!)
    if (gone.length + fresh.length > 0) return false
  }
  return true
}

/** Keywords beside which every value of a property or item has its place in some value of the whole. */
const passing: ReadonlySet<string> = new Set([
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minProperties',
  'minItems',
])

/** Whether one of the branches asks for a property that the other does not know: who sends that one does not send it. */
const asksForMore = (one: View, other: View): boolean =>
  [...one.required.keys()].some((name) => !other.properties.has(name))

/** Whether what is sent as one of the branches is never taken for another. */
const areToldApart = ({ schemas, use }: SchemaPair, side: Side, { branches }: Union): boolean =>
  branches.every((branch, i) =>
    branches.slice(i + 1).every((other) => {
      if (!schemas.effort.walk()) return false
      if (schemas.areApart(side, branch, other, use.direction)) return true
      const [one, another] = [viewOf(side, [branch]), viewOf(side, [other])]
      return asksForMore(one, another) && asksForMore(another, one)
    }),
  )

/** Whether nothing beside the parts of a pair can make up for one that breaks: then the whole breaks with it. */
export const isTransparent = (pair: SchemaPair): boolean =>
  (
    [
      [pair.base, pair.sides.base],
      [pair.head, pair.sides.head],
    ] as const
  ).every(
    ([view, side]) =>
      view.unions.every((union) => areToldApart(pair, side, union)) &&
      [...view.words.keys()].every((word) => isDocsWord(word) || remarks.has(word) || passing.has(word)),
  )
