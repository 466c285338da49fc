import { isObject } from '../../kernel/json.ts'
import type { Json } from '../../kernel/json.ts'
import type { Context } from '../context.ts'
import { canonical } from '../../schema/node.ts'
import { isSameValue } from '../sameness.ts'
import type { PlacedValue, Side } from '../side.ts'
import { compareReferences } from './references.ts'

const infoWords = ['version', 'contact', 'license', 'termsOfService'] as const

/** Compares what concerns the document as a whole. */
export const compareDocument = (context: Context): void => {
  const base = context.base.at([])
  const head = context.head.at([])
  context.docs(null, base, head)
  context.docs(null, base && context.base.member(base, 'info'), head && context.head.member(head, 'info'), infoWords)
  compareTags(context)
  compareComponents(context)
  compareReferences(context)
}

const namesOf = (tags: PlacedValue | null): string =>
  canonical(
    (Array.isArray(tags?.value) ? (tags.value as readonly Json[]) : [])
      .map((tag) => (isObject(tag) ? (tag.name ?? null) : tag))
      .sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1)),
  )

const compareTags = (context: Context): void => {
  const before = context.base.at(['tags'])
  const after = context.head.at(['tags'])
  if (isSameValue(before?.value, after?.value)) return
  context.note(null, {
    direction: null,
    area: 'document',
    kind: 'tags',
    action: before ? (after ? 'changed' : 'removed') : 'added',
    base: before,
    head: after,
    subject: 'the tags of the document',
    // The same names with other texts.
    docs: namesOf(before) === namesOf(after),
    before: before?.value ?? null,
    after: after?.value ?? null,
  })
}

/** The named schemas of a document. */
export const namedSchemas = (side: Side): ReadonlyMap<string, PlacedValue> => {
  const place = side.at(side.dialect === 'swagger-2.0' ? ['definitions'] : ['components', 'schemas'])
  return new Map(
    place && isObject(place.value)
      ? Object.entries(place.value).map(([name, value]) => [name, { value, path: [...place.path, name] }])
      : [],
  )
}

/** The names that only moved: what is under a gone name is under a fresh one as it was, references included. */
const renamed = (
  before: ReadonlyMap<string, PlacedValue>,
  after: ReadonlyMap<string, PlacedValue>,
): ReadonlySet<string> => {
  const gone = [...before.keys()].filter((name) => !after.has(name))
  const fresh = [...after.keys()].filter((name) => !before.has(name))
  if (gone.length === 0 || fresh.length === 0) return new Set()
  const moved = new Set([...gone, ...fresh])
  const textOf = (place: PlacedValue): string =>
    canonical(place.value).replaceAll(
      /"\$ref":"#\/(?:components\/schemas|definitions)\/([^"/]*)/g,
      (ref, name: string) => (moved.has(name) ? '"$ref":"#moved' : ref),
    )
  const free = new Map<string, string[]>()
  for (const name of fresh) {
    const text = textOf(after.get(name)!)
    const names = free.get(text)
    if (names) names.push(name)
    else free.set(text, [name])
  }
  const result = new Set<string>()
  for (const name of gone) {
    const other = free.get(textOf(before.get(name)!))?.shift()
    if (other !== undefined) result.add(name).add(other)
  }
  return result
}

const compareComponents = (context: Context): void => {
  const before = namedSchemas(context.base)
  const after = namedSchemas(context.head)
  const moved = renamed(before, after)
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const a = before.get(name) ?? null
    const b = after.get(name) ?? null
    if (a && b) continue
    context.note(null, {
      direction: null,
      area: 'schema',
      kind: 'component',
      action: a ? 'removed' : 'added',
      base: a,
      head: b,
      subject: `schema \`${name}\``,
      before: a ? name : null,
      after: b ? name : null,
      // A name is for readers: clients that exchange the values do not see it.
      ...(moved.has(name) ? { docs: true } : {}),
    })
  }
}
