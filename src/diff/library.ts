import { isObject } from '../kernel/json.ts'
import type { Fact } from './fact.ts'
import type { PlacedValue, Side } from './side.ts'

const keywords = ['$defs', 'definitions'] as const
// What a schema says of itself and not of values.
const remarks: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$comment', '$anchor', 'title', 'description'])

/** The named schemas of a document that says nothing of values by itself: they are what it is for. Null for any other schema. */
export const libraryOf = ({ root }: Side): ReadonlyMap<string, PlacedValue> | null => {
  if (!isObject(root)) return null
  const named = keywords.filter((it) => isObject(root[it]))
  if (named.length === 0 || Object.keys(root).some((key) => !remarks.has(key) && !keywords.some((it) => it === key)))
    return null
  return new Map(
    named.flatMap((keyword) => {
      const schemas = root[keyword]
      return isObject(schemas)
        ? Object.entries(schemas).map(([name, value]): [string, PlacedValue] => [
            name,
            { value, path: [keyword, name] },
          ])
        : []
    }),
  )
}

/** Two schemas of one name, or one that only one of the documents has. */
export interface NamedPair {
  readonly name: string
  readonly base: PlacedValue | null
  readonly head: PlacedValue | null
}

/** The schemas of two libraries by name, in order; none where one of the documents is not a library. */
export const pairsOf = (base: Side, head: Side): readonly NamedPair[] => {
  const [before, after] = [libraryOf(base), libraryOf(head)]
  if (!before || !after) return []
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((name) => ({ name, base: before.get(name) ?? null, head: after.get(name) ?? null }))
}

/** That a library has a schema no more, or a new one; `missed` where values were evaluated by the one that is not there. */
export const nameFact = ({ name, base, head }: NamedPair, missed: boolean): Fact => ({
  direction: null,
  area: 'schema',
  kind: 'component',
  action: base ? 'removed' : 'added',
  base: base?.path ?? null,
  head: head?.path ?? null,
  before: base ? name : null,
  after: head ? name : null,
  subject: `schema \`${name}\``,
  verdict: missed ? 'unknown' : 'safe',
  reason: missed ? 'references to it cannot be resolved' : null,
  witness: null,
})
