/** What a document has under another name or in another place: found so that an overlay copies it, and does not write it again. */
import { isEqual } from '../anchors/equal-nodes.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'

/** A node and its place. */
export interface Placed {
  readonly path: Path
  readonly value: Json
}

/** A node of the base that gets a second place, or its only one there. */
export interface Copy {
  readonly from: Path
  readonly to: Path
  readonly value: Json
}

/** Less than that is not worth two actions. */
const fewestCharacters = 120
/** What an empty node and a copy into it take beside their queries. */
const ofActions = 60
/** So many nodes are looked at as what was renamed or moved. */
const mostSources = 2000
/** More pairs are not compared: then only equal nodes are found. */
const mostPairs = 20_000
/** Of the nodes that have the keys of another one, so many are compared with it. */
const mostAlike = 50

const sizeOf = (value: Json): number => JSON.stringify(value).length

const isContainer = (value: Json): boolean => typeof value === 'object' && value !== null

const childrenOf = ({ path, value }: Placed): readonly Placed[] =>
  isObject(value) ? Object.entries(value).map(([key, child]) => ({ path: [...path, key], value: child })) : []

const shapeOf = (value: Json): string =>
  Array.isArray(value) ? `[${value.length}` : Object.keys(value as JsonObject).join('\n')

/** Nodes of the base by their keys, of those shapes alone that are asked for. */
function nodesByShape(base: Json, shapes: ReadonlySet<string>): ReadonlyMap<string, readonly Placed[]> {
  const found = new Map<string, Placed[]>()
  const waiting: Placed[] = [{ path: [], value: base }]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { path, value } = node
    if (!isContainer(value)) continue
    const shape = shapeOf(value)
    const known = shapes.has(shape) ? (found.get(shape) ?? []) : null
    if (known !== null && known.length < mostAlike) found.set(shape, [...known, node])
    for (const [key, child] of Object.entries(value as JsonObject))
      if (isContainer(child)) waiting.push({ path: [...path, Array.isArray(value) ? Number(key) : key], value: child })
  }
  return found
}

/** What went away, and what was in it, as far as it is large enough. */
function sourcesIn(removed: readonly Placed[]): readonly Placed[] {
  const sources: Placed[] = []
  const waiting = [...removed]
  for (let node = waiting.shift(); node !== undefined && sources.length < mostSources; node = waiting.shift()) {
    if (!isContainer(node.value) || sizeOf(node.value) < fewestCharacters) continue
    sources.push(node)
    waiting.push(...childrenOf(node))
  }
  return sources
}

/** How much of a node another one has at the same places, in characters. */
function sharedSize(value: Json, other: Json): number {
  if (isEqual(value, other)) return sizeOf(value)
  if (!isObject(value) || !isObject(other)) return 0
  return Object.entries(value).reduce(
    (size, [key, child]) => size + (Object.hasOwn(other, key) ? sharedSize(child, other[key]!) : 0),
    0,
  )
}

const mostLike = (value: Json, sources: readonly Placed[]): Placed | null => {
  let best: Placed | null = null
  let most = 0
  for (const source of sources) {
    const size = sharedSize(value, source.value)
    if (size > most) [best, most] = [source, size]
  }
  return best
}

const leadsTo = (path: Path, other: Path): boolean => path.every((step, at) => step === other[at])

/**
 * The copies that make an overlay smaller.
 * @param added what the head has under new keys, at its places in the base
 * @param removed what the base has under keys that are gone
 * @param costOf the size of the actions that make one value of another
 */
export function copiesFor(
  base: Json,
  added: readonly Placed[],
  removed: readonly Placed[],
  costOf: (before: Json, after: Json) => number,
): readonly Copy[] {
  const wanted: Placed[] = []
  const collect = (node: Placed): void => {
    if (!isContainer(node.value) || sizeOf(node.value) < fewestCharacters) return
    wanted.push(node)
    childrenOf(node).forEach(collect)
  }
  added.forEach(collect)
  if (wanted.length === 0) return []
  const equals = nodesByShape(base, new Set(wanted.map(({ value }) => shapeOf(value))))
  const all = sourcesIn(removed)
  const sources = wanted.length * all.length > mostPairs ? [] : all
  const copies: Copy[] = []
  const done: Path[] = []
  for (const { path, value } of wanted) {
    // What is in a copy comes with it.
    if (done.some((it) => leadsTo(it, path))) continue
    const equal = equals.get(shapeOf(value))?.find((it) => isEqual(it.value, value))
    const source = equal ?? mostLike(value, sources)
    if (source === null) continue
    const cost = ofActions + sizeOf([source.path, path, path]) + costOf(source.value, value)
    if (cost >= sizeOf(value)) continue
    copies.push({ from: source.path, to: path, value: source.value })
    done.push(path)
  }
  // A node that gets something new itself is another one when it is copied.
  return copies.filter(({ from }) => !copies.some(({ to }) => leadsTo(from, to)))
}
