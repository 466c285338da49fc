import type { Context } from '../context.ts'
import { partsOf, pathsOf, shapeOf } from '../model/openapi.ts'
import { serversOf } from '../model/servers.ts'
import type { Servers } from '../model/api.ts'
import { normalPath, readUrl } from '../model/url.ts'
import { objectAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'

/** A template of each side; null where the other side has no such path. */
export type PathPair = readonly [base: string | null, head: string | null]

const known = new WeakMap<Side, Map<string, readonly string[]>>()

/** The whole paths of a template: with the paths of its servers before it, in their one spelling, without the names of parameters. */
export const fullPathsOf = (side: Side, template: string): readonly string[] => {
  let ofSide = known.get(side)
  if (!ofSide) known.set(side, (ofSide = new Map()))
  const found = ofSide.get(template)
  if (found) return found
  const item = pathsOf(side).get(template)
  const path = normalPath(shapeOf(template))
  const made = new Set((item ? ownersIn(side, item) : []).flatMap((owners) => pathsOfServers(serversOf(side, owners))))
  const paths = [...made].map((it) => `${it}${path}`)
  ofSide.set(template, paths)
  return paths
}

const serverPathsKnown = new WeakMap<Servers, readonly string[]>()

const pathsOfServers = (servers: Servers): readonly string[] => {
  const found = serverPathsKnown.get(servers)
  if (found) return found
  const made = [...new Set(servers.list.flatMap(({ urls }) => urls.map((url) => readUrl(url).path)))]
  serverPathsKnown.set(servers, made)
  return made
}

/** Who can say where the operations of a path item are: the item, and each operation with servers of its own. */
const ownersIn = (side: Side, item: PlacedValue): readonly (readonly PlacedValue[])[] => {
  const parts = partsOf(side, item)
  const operations = parts.flatMap((part) => side.members(part).map(([, it]) => it))
  return [parts, ...operations.filter((it) => objectAt(it).servers !== undefined).map((it) => [it, ...parts])]
}

const serverPaths = (side: Side): string => pathsOfServers(serversOf(side, [])).toSorted().join(' ')

const append = (lists: Map<string, string[]>, key: string, it: string): void => {
  const list = lists.get(key)
  if (list) list.push(it)
  else lists.set(key, [it])
}

/**
 * Pairs the path templates of both sides: by the whole path of their URLs where the servers differ (a prefix may move between the
 * server and the template), then by their text, then without the names of path parameters, which are not part of a request.
 */
export const pairPaths = (context: Context): readonly PathPair[] => {
  const [base, head] = [pathsOf(context.base), pathsOf(context.head)]
  const pairs: PathPair[] = []
  const free = new Set([...head.keys()].sort())
  let open = [...base.keys()].sort()
  const take = (candidate: (template: string) => string | undefined): void => {
    open = open.filter((template) => {
      const other = candidate(template)
      if (other === undefined) return true
      free.delete(other)
      pairs.push([template, other])
      return false
    })
  }
  const isMoved = open.some((it) => !free.has(it)) && [...free].some((it) => !base.has(it))
  if (isMoved || serverPaths(context.base) !== serverPaths(context.head)) {
    const byWhole = new Map<string, string[]>()
    for (const template of free) for (const path of fullPathsOf(context.head, template)) append(byWhole, path, template)
    take((template) => {
      const found = fullPathsOf(context.base, template)
        .flatMap((path) => byWhole.get(path) ?? [])
        .filter((it) => free.has(it))
      return found.find((it) => it === template) ?? found[0]
    })
  }
  take((template) => (free.has(template) ? template : undefined))
  const byShape = new Map<string, string[]>()
  for (const template of free) append(byShape, shapeOf(template), template)
  take((template) => byShape.get(shapeOf(template))?.find((it) => free.has(it)))
  return [
    ...pairs.sort(([a], [b]) => (a! < b! ? -1 : 1)),
    ...open.map((template): PathPair => [template, null]),
    ...[...free].map((template): PathPair => [null, template]),
  ]
}
