import { placesOf } from '../../../src/gateway/positive/index.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** More prefixes of one operation than these are not kept. */
const mostPrefixes = 20

/** Prefixes, each list once, and which list each operation has. */
export interface Places {
  readonly lists: readonly (readonly string[])[]
  readonly operations: readonly (readonly [method: string, path: string, list: number])[]
}

/** What the paths of each operation of a document begin with at a gateway. */
export function run(
  published: { readonly basePaths: readonly string[]; readonly stripPrefix: string | null },
  desk: Desk,
): Places {
  const lists = new Map<string, number>()
  const operations = placesOf(desk.engine.trusted(onlyOne(desk)).value, published).map(
    ({ method, path, prefixes }): Places['operations'][number] => {
      const key = JSON.stringify(prefixes.slice(0, mostPrefixes))
      const list = lists.get(key) ?? lists.size
      lists.set(key, list)
      return [method, path, list]
    },
  )
  return { lists: [...lists.keys()].map((it) => JSON.parse(it) as string[]), operations }
}
