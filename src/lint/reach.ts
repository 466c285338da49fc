import { isMethod } from '../kernel/methods.ts'
import type { Document } from '../document/document.ts'
import { isObject, type Json } from '../kernel/json.ts'
import { escapeToken } from '../kernel/pointer.ts'

/** The place that a pointer belongs to: an operation, a component, or a path with its own fields. */
const unitOf = (pointer: string): string => {
  const steps = pointer.split('/')
  const [, first, second, third] = steps
  if (first === 'paths' || first === 'webhooks')
    return third !== undefined && isMethod(third) ? steps.slice(0, 4).join('/') : steps.slice(0, 3).join('/')
  if (first === 'components') return third === undefined ? `/components/${second ?? ''}` : steps.slice(0, 4).join('/')
  return steps.slice(0, 3).join('/')
}

function collect(value: Json, into: Set<string>): void {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) collect(item, into)
  else if (isObject(value))
    for (const key of Object.keys(value)) {
      const inner = value[key] as Json
      if (key === '$ref' && typeof inner === 'string') {
        if (inner.startsWith('#/')) into.add(unitOf(inner.slice(1)))
      } else collect(inner, into)
    }
}

/** Every operation, component and path with what it refers to. */
function graphOf(root: Json): { links: Map<string, Set<string>>; operations: string[] } {
  const links = new Map<string, Set<string>>()
  const operations: string[] = []
  const add = (place: string, value: Json): void => {
    const to = new Set<string>()
    collect(value, to)
    links.set(place, to)
  }
  if (!isObject(root)) return { links, operations }
  for (const area of ['paths', 'webhooks']) {
    const items = root[area]
    for (const [path, item] of Object.entries(isObject(items) ? items : {})) {
      const at = `/${area}/${escapeToken(path)}`
      if (!isObject(item)) continue
      add(at, Object.fromEntries(Object.entries(item).filter(([key]) => !isMethod(key))))
      for (const key of Object.keys(item).filter((it) => isMethod(it))) {
        add(`${at}/${key}`, item[key] as Json)
        links.get(`${at}/${key}`)?.add(at)
        operations.push(`${at}/${key}`)
      }
    }
  }
  const groups = isObject(root.components)
    ? Object.entries(root.components).map(([name, group]): [string, Json] => [`/components/${name}`, group])
    : ['definitions', 'parameters', 'responses'].map((name): [string, Json] => [`/${name}`, root[name] ?? null])
  for (const [at, group] of groups)
    for (const [name, value] of Object.entries(isObject(group) ? group : {})) add(`${at}/${escapeToken(name)}`, value)
  return { links, operations }
}

/**
 * How many operations reach each place of a document, itself or through references: what a finding there touches.
 * @returns a function from a JSON pointer to a count; 0 for what belongs to no operation
 */
export function reachOf(document: Document): (pointer: string) => number {
  const { links, operations } = graphOf(document.value)
  const ids = new Map([...links.keys()].map((place, id) => [place, id]))
  const next = [...links.values()].map((to) => [...to].flatMap((it) => ids.get(it) ?? []))
  const counts = new Int32Array(next.length)
  // Who came by last: no place counts twice for one operation.
  const visited = new Int32Array(next.length).fill(-1)
  for (const [turn, operation] of operations.entries()) {
    const waiting = [ids.get(operation) ?? 0]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (visited[at] === turn) continue
      visited[at] = turn
      counts[at] = (counts[at] ?? 0) + 1
      for (const it of next[at] ?? []) if (visited[it] !== turn) waiting.push(it)
    }
  }
  return (pointer) => counts[ids.get(unitOf(pointer)) ?? -1] ?? 0
}
