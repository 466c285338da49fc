import { isMethod } from '../kernel/methods.ts'
import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
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
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) collect(value[at] as Json, into)
    return
  }
  const map = value as JsonObject
  for (const key in map) {
    const inner = map[key] as Json
    if (key === '$ref' && typeof inner === 'string') into.add(inner)
    else if (typeof inner === 'object') collect(inner, into)
  }
}

/** Every operation, component and path with what it refers to. */
function graphOf(root: Json): { links: Map<string, Set<string>>; operations: string[] } {
  const links = new Map<string, Set<string>>()
  const operations: string[] = []
  const units = new Map<string, string>()
  const add = (place: string, value: Json): void => {
    const references = new Set<string>()
    collect(value, references)
    const to = new Set<string>()
    for (const it of references) {
      let unit = units.get(it)
      if (unit === undefined) units.set(it, (unit = it.startsWith('#/') ? unitOf(it.slice(1)) : ''))
      if (unit !== '') to.add(unit)
    }
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
 * The places in an order in which each group of those that reach each other is together, and what a group reaches is before it
 * (Tarjan's algorithm, without recursion: chains of references are long). The numbers of the groups, by place, rise in this order.
 */
function groupsOf(next: readonly (readonly number[])[]): { readonly order: Int32Array; readonly group: Int32Array } {
  const count = next.length
  const [order, group] = [new Int32Array(count), new Int32Array(count).fill(-1)]
  const [number, lowest] = [new Int32Array(count).fill(-1), new Int32Array(count)]
  const [open, child] = [new Int32Array(count), new Int32Array(count)]
  const way: number[] = []
  let [numbers, opened, placed, groups] = [0, 0, 0, 0]
  const enter = (place: number): void => {
    number[place] = lowest[place] = numbers++
    open[opened++] = place
    way.push(place)
  }
  const leave = (place: number): void => {
    way.pop()
    const above = way.at(-1)
    if (above !== undefined) lowest[above] = Math.min(lowest[above]!, lowest[place]!)
    if (lowest[place] !== number[place]) return
    for (let member = -1; member !== place;) {
      member = open[--opened]!
      group[member] = groups
      order[placed++] = member
    }
    groups++
  }
  for (let start = 0; start < count; start++) {
    if (number[start] === -1) enter(start)
    for (let place = way.at(-1); place !== undefined; place = way.at(-1)) {
      const to = next[place]![child[place]!++]
      if (to === undefined) leave(place)
      else if (number[to] === -1) enter(to)
      else if (group[to] === -1) lowest[place] = Math.min(lowest[place]!, number[to]!)
    }
  }
  return { order, group }
}

const bitsIn = (word: number): number => {
  let count = 0
  for (let left = word; left !== 0; left &= left - 1) count++
  return count
}

/**
 * How many operations reach each place of a document, itself or through references: what a finding there touches.
 * @returns a function from a JSON pointer to a count; 0 for what belongs to no operation
 */
export function reachOf(document: Document): (pointer: string) => number {
  const { links, operations } = graphOf(document.value)
  const ids = new Map([...links.keys()].map((place, id) => [place, id]))
  const next = [...links.values()].map((to) => [...to].flatMap((it) => ids.get(it) ?? []))
  const { order, group } = groupsOf(next)
  const counts = new Int32Array(next.length)
  // By group, a bit for each of 32 operations at a time.
  const reached = new Int32Array(next.length)
  for (let first = 0; first < operations.length; first += 32) {
    reached.fill(0)
    for (let at = first; at < Math.min(first + 32, operations.length); at++)
      reached[group[ids.get(operations[at]!) ?? 0]!]! |= 1 << (at - first)
    for (let at = order.length - 1; at >= 0; at--) {
      const place = order[at]!
      const bits = reached[group[place]!]!
      if (bits === 0) continue
      counts[place]! += bitsIn(bits)
      for (const it of next[place]!) reached[group[it]!]! |= bits
    }
  }
  return (pointer) => counts[ids.get(unitOf(pointer)) ?? -1] ?? 0
}
