import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import type { Context, NamedArea } from '../context.ts'
import { isSameValue } from '../sameness.ts'
import { objectAt, textAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'

/** The entries of a list by the word that tells them apart. */
const byWord = (side: Side, list: PlacedValue | null, word: string): ReadonlyMap<string, PlacedValue> =>
  new Map(
    side
      .elements(list)
      .flatMap((it): [string, PlacedValue][] => (textAt(it, word) === null ? [] : [[textAt(it, word)!, it]])),
  )

const listOf = (side: Side, name: string): PlacedValue | null =>
  side.at([name]) ?? side.at(['result', name]) ?? side.at(['server', name])

/** Pairs the entries of a list on both sides; those that are on one side only are reported at once. */
const paired = (
  context: Context,
  area: NamedArea,
  list: string,
  word: string,
): readonly (readonly [string, PlacedValue, PlacedValue])[] => {
  const base = byWord(context.base, listOf(context.base, list), word)
  const head = byWord(context.head, listOf(context.head, list), word)
  const pairs: [string, PlacedValue, PlacedValue][] = []
  for (const name of [...new Set([...base.keys(), ...head.keys()])].sort()) {
    const a = base.get(name)
    const b = head.get(name)
    if (a && b) pairs.push([name, a, b])
    else context.appeared(area, name, a, b)
  }
  return pairs
}

const isRequired = (place: PlacedValue | undefined): boolean =>
  objectAt(place ?? null).required === true || objectAt(place ?? null).isRequired === true

/** Inputs that a person or a host fills in: what is asked for in addition stops those who do not know it. */
const compareInputs = (
  context: Context,
  operation: string,
  subject: string,
  base: ReadonlyMap<string, PlacedValue>,
  head: ReadonlyMap<string, PlacedValue>,
  places: readonly [PlacedValue, PlacedValue],
): void => {
  for (const name of [...new Set([...base.keys(), ...head.keys()])].sort()) {
    const a = base.get(name)
    const b = head.get(name)
    context.docs(operation, a ?? null, b ?? null, ['title', 'placeholder'])
    const common = {
      direction: 'request',
      area: 'argument',
      base: a ?? places[0],
      head: b ?? places[1],
      subject: `\`${name}\` of ${subject}`,
      before: a ? name : null,
      after: b ? name : null,
    } as const
    if (!a || !b) {
      const breaking = a ? subject.startsWith('prompt') : isRequired(b)
      context.note(operation, { ...common, kind: 'itself', action: a ? 'removed' : 'added', breaking })
    } else if (isRequired(a) !== isRequired(b)) {
      context.note(operation, {
        ...common,
        kind: 'required',
        action: isRequired(b) ? 'added' : 'removed',
        breaking: isRequired(b),
      })
    }
  }
}

const comparePrompts = (context: Context): void => {
  for (const [name, a, b] of paired(context, 'prompt', 'prompts', 'name')) {
    context.docs(name, a, b, ['title'])
    const [base, head] = [
      byWord(context.base, context.base.member(a, 'arguments'), 'name'),
      byWord(context.head, context.head.member(b, 'arguments'), 'name'),
    ]
    compareInputs(context, name, `prompt \`${name}\``, base, head, [a, b])
  }
}

const compareResources = (context: Context): void => {
  for (const [list, word] of [
    ['resources', 'uri'],
    ['resourceTemplates', 'uriTemplate'],
  ] as const)
    for (const [name, a, b] of paired(context, 'resource', list, word)) {
      context.docs(name, a, b, ['title', 'name', 'size', 'annotations'])
      const [before, after] = [objectAt(a).mimeType, objectAt(b).mimeType]
      if (isSameValue(before, after)) continue
      context.note(name, {
        direction: 'response',
        area: 'resource',
        kind: 'media-type',
        action: 'changed',
        base: a,
        head: b,
        subject: `resource \`${name}\``,
        before: before ?? null,
        after: after ?? null,
        breaking: before !== undefined && after !== undefined,
      })
    }
}

/** An identifier without the version behind it: a new image is not another package. */
const withoutVersion = (name: string): string => name.replace(/:[^:/]*$/, '')

const rename = (list: PlacedValue | null): PlacedValue | null =>
  list && Array.isArray(list.value)
    ? {
        path: list.path,
        value: (list.value as readonly Json[]).map((it) =>
          isObject(it) && typeof it.identifier === 'string' ? { ...it, identifier: withoutVersion(it.identifier) } : it,
        ),
      }
    : null

const inputsOf = (side: Side, place: PlacedValue): ReadonlyMap<string, PlacedValue> =>
  new Map([
    ...byWord(side, side.member(place, 'environmentVariables'), 'name'),
    ...byWord(side, side.member(place, 'environment_variables'), 'name'),
    ...byWord(side, side.member(place, 'headers'), 'name'),
  ])

/** How a server is reached: addresses and packages, and what they ask of anyone who starts or calls them. */
const compareWays = (context: Context): void => {
  for (const [area, list, word] of [
    ['remote', 'remotes', 'url'],
    ['package', 'packages', 'identifier'],
  ] as const) {
    const [base, head] = [
      byWord(context.base, rename(listOf(context.base, list)), word),
      byWord(context.head, rename(listOf(context.head, list)), word),
    ]
    for (const name of [...new Set([...base.keys(), ...head.keys()])].sort()) {
      const a = base.get(name)
      const b = head.get(name)
      if (!a || !b) context.appeared(area, name, a, b)
      else
        compareInputs(context, name, `${area} \`${name}\``, inputsOf(context.base, a), inputsOf(context.head, b), [
          a,
          b,
        ])
    }
  }
}

/** Compares what an MCP server offers besides tools: prompts, resources, and the ways to reach it. */
export const compareOffers = (context: Context): void => {
  comparePrompts(context)
  compareResources(context)
  compareWays(context)
}
