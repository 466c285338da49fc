import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatPointer, getPath, parseFragment } from '../kernel/pointer.ts'

/** A definition with what it refers to inside its document, nearest first. */
export interface Part {
  /** JSON Pointer of the definition. */
  readonly pointer: string
  readonly value: Json
  /** By the `$ref` text, as far as the limit reached. */
  readonly referenced: Readonly<Record<string, Json>>
  /** `$ref` texts of definitions beyond the limit, as far as a definition within the limit has them. */
  readonly omitted: readonly string[]
  /** How many definitions belong to it, itself included and those beyond the limit too. */
  readonly total: number
}

/** The local references of a value, in the order of the value. */
export function localRefs(value: Json, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) localRefs(item, found)
  else if (isObject(value)) {
    const { $ref } = value
    if (typeof $ref === 'string' && $ref.startsWith('#')) found.add($ref)
    for (const child of Object.values(value)) localRefs(child, found)
  }
  return found
}

const resolve = (document: Json, ref: string): Json | undefined => {
  const path = parseFragment(ref)
  return path === null ? undefined : getPath(document, path)
}

/**
 * Gathers what a definition refers to, level by level, until the JSON of it reaches `limitBytes`. From there on the
 * references are only named, and those of what was left out only counted.
 */
export function gatherPart(document: Json, pointer: string, value: Json, limitBytes: number): Part {
  const referenced: Record<string, Json> = {}
  const omitted: string[] = []
  const seen = new Set<string>()
  let size = 0
  let level = [...localRefs(value)]
  while (level.length > 0) {
    const next: string[] = []
    for (const ref of level) {
      if (seen.has(ref)) continue
      seen.add(ref)
      const target = resolve(document, ref)
      if (target === undefined) continue
      // Measured in characters: close enough to bytes for a limit, and far cheaper than encoding.
      size += JSON.stringify(target).length
      if (size > limitBytes) {
        omitted.push(ref)
        continue
      }
      referenced[ref] = target
      next.push(...localRefs(target))
    }
    level = next
  }
  const shown = 1 + Object.keys(referenced).length
  return { pointer, value, referenced, omitted, total: shown + countReached(document, omitted, seen) }
}

/** How many definitions some references lead to, with what those refer to; `seen` are counted already or among the references. */
function countReached(document: Json, refs: readonly string[], seen: Set<string>): number {
  const waiting = [...refs]
  let count = 0
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    const target = resolve(document, ref)
    if (target === undefined) continue
    count++
    for (const inner of localRefs(target)) {
      if (seen.has(inner)) continue
      seen.add(inner)
      waiting.push(inner)
    }
  }
  return count
}

/**
 * An operation as a caller needs it: the parameters of its path item come first (its own win by name and place), and
 * where it says nothing of security, what the document says of all operations. `path` leads to it: `['paths', '/pets', 'get']`.
 */
export function operationAt(document: Json, path: Path): JsonObject | null {
  const operation = getPath(document, path)
  const item = getPath(document, path.slice(0, -1))
  if (!isObject(operation)) return null
  const key = (parameter: Json): string => {
    const target =
      isObject(parameter) && typeof parameter.$ref === 'string' ? resolve(document, parameter.$ref) : parameter
    return isObject(target) ? `${String(target.in)} ${String(target.name)}` : ''
  }
  const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])
  const own = list(operation.parameters)
  const shared = list(isObject(item) ? item.parameters : undefined).filter(
    (parameter) => !own.some((other) => key(other) === key(parameter)),
  )
  const security = operation.security ?? (isObject(document) ? document.security : undefined)
  return {
    ...operation,
    ...(shared.length + own.length > 0 && { parameters: [...shared, ...own] }),
    ...(security !== undefined && { security }),
  }
}

const schemaPlaces: readonly Path[] = [['components', 'schemas'], ['definitions'], ['$defs']]

/** A named schema, or what a `$ref` text (`#/…`) names. Null if there is none. */
export function definitionAt(document: Json, name: string): { readonly pointer: string; readonly value: Json } | null {
  const places = name.startsWith('#') ? [parseFragment(name)] : schemaPlaces.map((place) => [...place, name])
  for (const path of places) {
    const value = path === null ? undefined : getPath(document, path)
    if (path !== null && value !== undefined) return { pointer: formatPointer(path), value }
  }
  return null
}
