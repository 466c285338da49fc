/** Where nodes of the same content are: one walk for all that are looked for. */
import { isObject, type Json, type Path } from '../kernel/json.ts'

const weightOf = (text: string): number => text.length * 31 + (text.codePointAt(0) ?? 0)

// A cheap number that equal nodes share, whatever the order of their keys; few others have the same.
function sketchOf(node: Json): number {
  if (Array.isArray(node)) return -1 - node.length
  let sum = 0
  for (const key in node as Record<string, Json>) {
    const child = (node as Record<string, Json>)[key] as Json
    sum += weightOf(key) * 1009
    if (typeof child === 'string') sum += weightOf(child)
    else if (Array.isArray(child)) sum += child.length + 3
    else sum += typeof child === 'object' && child !== null ? 7 : 1
  }
  return sum
}

/** Whether two values are equal: objects by members whatever their order. */
export function isEqual(a: Json, b: Json): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    const [left, right] = [a as readonly Json[], b as readonly Json[]]
    return Array.isArray(b) && left.length === right.length && left.every((it, at) => isEqual(it, right[at] as Json))
  }
  if (!isObject(a)) return a === b
  if (!isObject(b)) return false
  let count = 0
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !isEqual(a[key] as Json, b[key] as Json)) return false
    count++
  }
  for (const _ in b) count--
  return count === 0
}

/** A value that is looked for, and where it was found: at most two paths, as a second shows that there is not one only. */
interface Wanted {
  readonly value: Json
  readonly paths: Path[]
}

/**
 * Finds the paths of all nodes that equal one of the values, at most two for each.
 * @param values objects and lists
 * @returns in the order of the values
 */
export function findEqual(document: Json, values: readonly Json[]): readonly (readonly Path[])[] {
  const wanted = values.map((value): Wanted => ({ value, paths: [] }))
  const bySketch = Map.groupBy(wanted, (it) => sketchOf(it.value))
  const trail: (string | number)[] = []
  const visit = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return
    for (const it of bySketch.get(sketchOf(node)) ?? [])
      if (it.paths.length < 2 && isEqual(it.value, node)) it.paths.push([...trail])
    const enter = (step: string | number, child: Json): void => {
      trail.push(step)
      visit(child)
      trail.pop()
    }
    if (!isObject(node)) node.forEach((child, at) => enter(at, child))
    else for (const key in node) enter(key, node[key] as Json)
  }
  visit(document)
  return wanted.map((it) => it.paths)
}
