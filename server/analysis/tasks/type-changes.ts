import type { Json } from '../../../src/kernel/json.ts'
import { compareThrough, compareTypes, type TypeChange } from '../../../src/types/compare.ts'

interface Pair {
  readonly key: string
  /** The schemas as JSON text. */
  readonly before: string
  readonly after: string
}

type Texts = Readonly<Record<string, string>>

const registryOf = (texts: Texts): Map<string, Json> =>
  new Map(Object.entries(texts).map(([key, text]) => [key, JSON.parse(text) as Json]))

/** What each pair of schemas changes; null where both describe the same values. */
export function run(input: {
  readonly pairs: readonly Pair[]
  /** The registered types that the schemas refer to, before and after. */
  readonly before: Texts
  readonly after: Texts
  readonly bases: readonly string[]
}): readonly { readonly key: string; readonly change: TypeChange | null }[] {
  const before = registryOf(input.before)
  const after = registryOf(input.after)
  return input.pairs.map((pair) => ({
    key: pair.key,
    change:
      pair.before === pair.after
        ? compareThrough(JSON.parse(pair.before) as Json, { before, after }, input.bases)
        : compareTypes(
            { schema: JSON.parse(pair.before) as Json, registry: before },
            { schema: JSON.parse(pair.after) as Json, registry: after },
            input.bases,
          ),
  }))
}
