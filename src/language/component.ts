/** Definitions that have a name and are used by it. */
import { isObject, type Json, type Path } from '../kernel/json.ts'

/** A definition of a document: the path of it, which ends with its name. */
export interface Component {
  readonly path: Path
  /** What it is: "schemas", "parameters", "definitions", "$defs" … */
  readonly kind: string
  readonly name: string
}

const swaggerKinds = new Set(['definitions', 'parameters', 'responses', 'securityDefinitions'])

/** How many steps lead to the names of definitions, by the first of them. */
function depthOf(value: Json, path: Path): number {
  const [first] = path
  if (!isObject(value)) return 0
  if (first === 'components') return 3
  if (first === '$defs' || first === 'definitions') return 2
  return value.swagger !== undefined && swaggerKinds.has(String(first)) ? 2 : 0
}

/** The definition that a path leads to or into; null where it leads to none. */
export function componentAt(value: Json, path: Path): Component | null {
  const depth = depthOf(value, path)
  if (depth === 0 || path.length < depth) return null
  const own = path.slice(0, depth)
  return { path: own, kind: String(own.at(-2)), name: String(own.at(-1)) }
}

/** All definitions of a document, in its order. */
export function componentsOf(value: Json): Component[] {
  if (!isObject(value)) return []
  const found: Component[] = []
  const add = (map: Json | undefined, path: Path): void => {
    if (!isObject(map)) return
    for (const name of Object.keys(map)) found.push({ path: [...path, name], kind: String(path.at(-1)), name })
  }
  if (isObject(value.components))
    for (const kind of Object.keys(value.components)) add(value.components[kind], ['components', kind])
  for (const key of ['$defs', 'definitions']) add(value[key], [key])
  if (value.swagger !== undefined) for (const key of swaggerKinds) if (key !== 'definitions') add(value[key], [key])
  return found
}
