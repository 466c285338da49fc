import { and, isNotNull } from 'drizzle-orm'
import { after } from '../conditions.ts'
import type { Reader } from '../database.ts'
import { objectTables } from './objects.ts'
import { keyOf, type ListedObject, objectKinds, type ObjectName } from './store.ts'

const rowsAtOnce = 1000

/** The objects that rows refer to, each once, in the order of their keys. */
export async function* referredObjects(read: Reader): AsyncGenerator<ObjectName> {
  for (const kind of objectKinds) {
    const table = objectTables[kind]
    for (let last: { readonly tenantId: string; readonly object: string | null } | undefined; ;) {
      const place = last && after([table.tenantId, last.tenantId], [table.object, last.object])
      const rows = await read
        .selectDistinct({ tenantId: table.tenantId, object: table.object })
        .from(table)
        .where(and(isNotNull(table.object), place))
        .orderBy(table.tenantId, table.object)
        .limit(rowsAtOnce)
      for (const { tenantId, object } of rows) if (object !== null) yield { kind, tenantId, sha256: object }
      last = rows.at(-1)
      if (rows.length < rowsAtOnce) break
    }
  }
}

/** A reference, an object, or both. */
export interface Paired {
  readonly name: ObjectName
  readonly isReferred: boolean
  /** Null: the store does not list it. */
  readonly listed: ListedObject | null
}

/**
 * Goes through references and objects side by side, without holding either of them.
 * @param references in the order of their keys, as those of the store are
 */
export async function* paired(
  references: AsyncGenerator<ObjectName> | Generator<ObjectName>,
  objects: AsyncIterable<ListedObject>,
): AsyncGenerator<Paired> {
  const listing = objects[Symbol.asyncIterator]()
  let [reference, listed] = [await references.next(), await listing.next()]
  while (reference.done !== true || listed.done !== true) {
    const own = reference.done === true ? null : keyOf(reference.value)
    const theirs = listed.done === true ? null : keyOf(listed.value.name)
    if (own !== null && (theirs === null || own < theirs)) {
      yield { name: reference.value as ObjectName, isReferred: true, listed: null }
      reference = await references.next()
    } else {
      const object = listed.value as ListedObject
      yield { name: object.name, isReferred: own === theirs, listed: object }
      if (own === theirs) reference = await references.next()
      listed = await listing.next()
    }
  }
}
