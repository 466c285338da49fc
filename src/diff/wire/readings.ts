import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import type { Separator } from './forms.ts'

/** How the writer and the reader separate the items of an array in a text. */
export interface Separating {
  readonly from: Separator
  readonly to: Separator
}

/** As many readings of one message are looked at. */
const mostReadings = 200

const numberText = /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

/** What the text of a single value can be read as. */
export const readingsOf = (value: Json): readonly Json[] => {
  if (typeof value === 'number' || typeof value === 'boolean') return [value, String(value)]
  if (typeof value !== 'string') return [value]
  if (value === 'true' || value === 'false') return [value, value === 'true']
  return numberText.test(value) ? [value, Number(value)] : [value]
}

/** Every list with one of each choice, as many as are looked at. */
const combinations = (choices: readonly (readonly Json[])[]): readonly (readonly Json[])[] =>
  choices.reduce<readonly (readonly Json[])[]>(
    (lists, own) => lists.flatMap((list) => own.map((it) => [...list, it])).slice(0, mostReadings),
    [[]],
  )

const isScalar = (value: Json): boolean => typeof value !== 'object'
const isCharacter = (separator: Separator): boolean => separator !== 'none' && separator !== 'repeat'

/** What a list can be read as: items of other types, its only item, and the one text that it is. */
const readingsOfList = (items: readonly Json[], { from }: Separating): readonly Json[] => {
  const read: Json[] = combinations(items.map((it) => readingsOf(it))).map((it): Json => [...it])
  if (!items.every(isScalar)) return read
  const texts = isCharacter(from) && items.length > 1 ? [items.map(String).join(from)] : []
  const single = from !== 'none' && items.length === 1 ? readingsOf(items[0]!) : []
  return [...read, ...single, ...texts.flatMap(readingsOf)]
}

const readingsOfObject = (value: { readonly [name: string]: Json }, { from }: Separating): readonly Json[] => {
  const names = Object.keys(value)
  const read = combinations(names.map((name) => readingsOf(value[name]!))).map((own): Json =>
    Object.fromEntries(own.map((it, i) => [names[i]!, it])),
  )
  const isFlat = isCharacter(from) && names.length > 0 && Object.values(value).every(isScalar)
  return isFlat ? [...read, Object.entries(value).flat().map(String).join(from)] : read
}

/** What the text of a value can be read as: the value itself, values of other types, lists and texts. */
export const readingsOfText = (value: Json, by: Separating): readonly Json[] => {
  if (Array.isArray(value)) return readingsOfList(value as readonly Json[], by)
  if (isObject(value)) return readingsOfObject(value, by)
  const own = readingsOf(value)
  // A text with a separator would be several items, which is something else than the one that was meant.
  const isOne = by.to !== 'none' && !(isCharacter(by.to) && String(value).includes(by.to))
  return isOne ? [...own, ...own.map((it): Json => [it])] : own
}

/** What a form can be read as, whose properties of `parts` travel as texts. */
export const readingsOfForm = (value: Json, parts: ReadonlyMap<string, Separating>): readonly Json[] => {
  if (!isObject(value)) return [value]
  const names = Object.keys(value)
  const own = names.map((name) => {
    const part = parts.get(name)
    return part ? readingsOfText(value[name]!, part) : [value[name]!]
  })
  return combinations(own).map((list) => Object.fromEntries(list.map((it, i) => [names[i]!, it])))
}
