import { isObject } from '../../kernel/json.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Separator } from './forms.ts'

/** How the writer and the reader separate the items of an array in a text. */
export interface Separating {
  readonly from: Separator
  readonly to: Separator
}

/** What a text can be read as. */
export interface Readings {
  readonly values: readonly Json[]
  /** Whether these are all: of a long list only some are made. */
  readonly isComplete: boolean
}

/** As many readings of one message are made. */
const mostReadings = 200

const numberText = /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

/** What the text of a single value can be read as. */
export const readingsOf = (value: Json): readonly Json[] => {
  if (typeof value === 'number' || typeof value === 'boolean') return [value, String(value)]
  if (typeof value !== 'string') return [value]
  if (value === 'true' || value === 'false') return [value, value === 'true']
  return numberText.test(value) ? [value, Number(value)] : [value]
}

/** Lists with one of each choice, as many as are made. */
function combinations(choices: readonly (readonly Json[])[]): {
  readonly lists: readonly (readonly Json[])[]
  readonly isComplete: boolean
} {
  let lists: readonly (readonly Json[])[] = [[]]
  let isComplete = true
  for (const own of choices) {
    const longer = lists.flatMap((list) => own.map((it) => [...list, it]))
    isComplete &&= longer.length <= mostReadings
    lists = longer.slice(0, mostReadings)
  }
  return { lists, isComplete }
}

const complete = (values: readonly Json[]): Readings => ({ values, isComplete: true })

const isScalar = (value: Json): boolean => typeof value !== 'object'
const isCharacter = (separator: Separator): boolean => separator !== 'none' && separator !== 'repeat'

/** What a list can be read as: items of other types, its only item, and the one text that it is. */
function readingsOfList(items: readonly Json[], { from }: Separating): Readings {
  const { lists, isComplete } = combinations(items.map((it) => readingsOf(it)))
  const read = lists.map((it): Json => [...it])
  if (!items.every(isScalar)) return { values: read, isComplete }
  const texts = isCharacter(from) && items.length > 1 ? [items.map(String).join(from)] : []
  const single = from !== 'none' && items.length === 1 ? readingsOf(items[0]!) : []
  return { values: [...read, ...single, ...texts.flatMap(readingsOf)], isComplete }
}

/** Objects with one reading of each property. */
function readingsOfMembers(names: readonly string[], own: readonly Readings[]): Readings {
  const { lists, isComplete } = combinations(own.map(({ values }) => values))
  return {
    values: lists.map((list) => Object.fromEntries(list.map((it, i) => [names[i]!, it]))),
    isComplete: isComplete && own.every((it) => it.isComplete),
  }
}

function readingsOfObject(value: JsonObject, { from }: Separating): Readings {
  const names = Object.keys(value)
  const read = readingsOfMembers(
    names,
    names.map((name) => complete(readingsOf(value[name]!))),
  )
  const isFlat = isCharacter(from) && names.length > 0 && Object.values(value).every(isScalar)
  return isFlat ? { ...read, values: [...read.values, Object.entries(value).flat().map(String).join(from)] } : read
}

/** What the text of a value can be read as: the value itself, values of other types, lists and texts. */
export function readingsOfText(value: Json, by: Separating): Readings {
  if (Array.isArray(value)) return readingsOfList(value as readonly Json[], by)
  if (isObject(value)) return readingsOfObject(value, by)
  const own = readingsOf(value)
  // A text with a separator would be several items, which is something else than the one that was meant.
  const isOne = by.to !== 'none' && !(isCharacter(by.to) && String(value).includes(by.to))
  return complete(isOne ? [...own, ...own.map((it): Json => [it])] : own)
}

/** What a form can be read as, whose properties of `parts` travel as texts. */
export function readingsOfForm(value: Json, parts: ReadonlyMap<string, Separating>): Readings {
  if (!isObject(value)) return complete([value])
  const names = Object.keys(value)
  return readingsOfMembers(
    names,
    names.map((name) => {
      const part = parts.get(name)
      return part ? readingsOfText(value[name]!, part) : complete([value[name]!])
    }),
  )
}
