/** What sentences of changes claim, checked against both documents as they are written. */
import type { Change } from '../../../../src/diff/change.ts'
import { isObject } from '../../../../src/kernel/json.ts'
import type { Json } from '../../../../src/kernel/json.ts'

type Fields = { readonly [key: string]: Json }

const fields = (value: Json | undefined): Fields => (isObject(value) ? value : {})
const items = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))

const at = (document: Json, steps: readonly string[]): Json | undefined =>
  steps.reduce<Json | undefined>(
    (place, step) => (Array.isArray(place) ? (place as readonly Json[])[Number(step)] : fields(place)[step]),
    document,
  )

/** A schema and all that hold for the same value: references, members, branches, conditions. */
const layersOf = (document: Json, schema: Json | undefined, level = 0): readonly Fields[] => {
  const own = fields(schema)
  if (level > 6) return [own]
  const inner = [
    ...(typeof own.$ref === 'string' ? [at(document, stepsOf(own.$ref.slice(1)))] : []),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((word) => items(own[word])),
    own.then,
    own.else,
    ...Object.values(fields(own.dependentSchemas)),
  ]
  return [own, ...inner.filter((it) => isObject(it)).flatMap((it) => layersOf(document, it, level + 1))]
}

/** The steps of a pointer to the schema at its beginning, and from there to a property; null where it goes through a branch. */
const splitAt = (
  steps: readonly string[],
): { readonly root: readonly string[]; readonly within: readonly string[] } | null => {
  const named = steps.findIndex((it, i) => (it === 'schemas' && steps[i - 1] === 'components') || it === 'definitions')
  const end = named >= 0 ? named + 2 : steps.indexOf('schema') + 1
  if (end === 0) return null
  const within = steps
    .slice(end)
    .filter((it, i, all) => it !== 'allOf' && !(all[i - 1] === 'allOf' && /^\d+$/.test(it)))
  return within.some((it) => ['oneOf', 'anyOf', 'then', 'else', 'dependentSchemas', 'prefixItems'].includes(it))
    ? null
    : { root: steps.slice(0, end), within }
}

/** Whether the other document lists the property that a sentence is about, in whatever way. */
const isListed = (document: Json, pointer: string, message: string): boolean => {
  const split = splitAt(stepsOf(pointer))
  if (split === null || split.within.length < 2) return false
  // A sentence that does not name the schema is about the place that refers to it.
  const name = split.root.at(-1)!
  if (name !== 'schema' && !message.includes(`\`${name}`)) return false
  const status = split.root[split.root.indexOf('responses') + 1]!
  if (split.root.includes('responses') && !message.includes(`the ${status} response`)) return false
  let layers = layersOf(document, at(document, split.root))
  for (let i = 0; i < split.within.length; i++) {
    const word = split.within[i]!
    if (word === 'properties') {
      const name = split.within[++i]!
      layers = layers.flatMap((it) =>
        fields(it.properties)[name] === undefined ? [] : layersOf(document, fields(it.properties)[name]),
      )
    } else layers = layers.flatMap((it) => (it[word] === undefined ? [] : layersOf(document, it[word])))
  }
  return layers.length > 0
}

/** Why a sentence is untrue; null where nothing is against it. */
export const untrue = (change: Change, base: Json, head: Json): string | null => {
  const { id, message } = change
  if (
    /^schema-(required|optional)-property-removed$/.test(id) &&
    change.base &&
    isListed(head, change.base.pointer, message)
  )
    return 'the head lists it'
  if (
    /^schema-(required|optional)-property-added$/.test(id) &&
    change.head &&
    isListed(base, change.head.pointer, message)
  )
    return 'the base lists it'
  const [, before, after] = /changed from (.+) to (.+)$/.exec(message) ?? []
  return before !== undefined && before === after ? 'nothing changed in it' : null
}
