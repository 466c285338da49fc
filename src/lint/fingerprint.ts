import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatPointer } from '../kernel/pointer.ts'
import { xxHash32, xxHash64 } from '../host/engine.ts'

/** The fields that tell an item of a list from its neighbours, the most telling first. */
const telling = [
  '$ref',
  'operationId',
  'stepId',
  'workflowId',
  'id',
  'name',
  'key',
  'url',
  'parameterName',
  'target',
  'const',
  'title',
  'type',
] as const

// A parameter is identified by its name and location; an object without a name by the names of its fields.
function nameOf(item: JsonObject): string {
  const field = telling.find((it) => typeof item[it] === 'string')
  const names = field === 'type' || field === undefined ? Object.keys(item).toSorted().join(',') : ''
  const place = typeof item.in === 'string' ? item.in : ''
  return `${field ?? ''}=${field === undefined ? '' : String(item[field])} ${place} ${names}`
}

const known = new WeakMap<object, readonly string[]>()

/** A key for each item of a list instead of its index, which does not change when items are added, removed or moved. */
function identitiesOf(list: readonly Json[]): readonly string[] {
  let identities = known.get(list)
  if (identities === undefined) {
    const seen = new Map<string, number>()
    identities = list.map((item) => {
      const name = isObject(item) ? nameOf(item) : Array.isArray(item) ? '[]' : JSON.stringify(item)
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      return before === 0 ? `[${name}]` : `[${name}]#${before}`
    })
    known.set(list, identities)
  }
  return identities
}

// How a parameter of an address is called says nothing of which address it is.
const withoutNames = (key: string): string => (key.startsWith('/') ? key.replaceAll(/\{[^{}]*\}/g, '{}') : key)

/** The steps of a path with items by what they are and addresses without the names of their parameters. */
function steadyPath(path: Path, root: Json): Path {
  let at: Json | undefined = root
  return path.map((step, index) => {
    const holder: Json | undefined = at
    if (Array.isArray(holder)) {
      at = (holder as readonly Json[])[Number(step)]
      return identitiesOf(holder as readonly Json[])[Number(step)] ?? step
    }
    at = isObject(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined
    return index === 1 && typeof step === 'string' ? withoutNames(step) : step
  })
}

/**
 * A fingerprint that is stable across runs and edits elsewhere: 8 hex digits of the source, then 16 of the rule and the place.
 * @param root the value of the document; with it, array items are identified by content instead of index
 */
export const fingerprintOf = (code: string, source: string, path: Path, root: Json = null): string =>
  xxHash32(source) + xxHash64(`${code}\n${formatPointer(steadyPath(path, root))}`)

/** The fingerprint of the same finding where its document has another name. */
export const fingerprintIn = (source: string, fingerprint: string): string => xxHash32(source) + placePrint(fingerprint)

/** The part of a fingerprint that says which rule found something at which place, whatever the document is called. */
export const placePrint = (fingerprint: string): string => fingerprint.slice(8)
