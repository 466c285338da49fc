import type { Context } from '../context.ts'
import { partsOf, pathsOf, shapeOf } from '../model/openapi.ts'
import { serversOf } from '../model/servers.ts'
import { readUrl } from '../model/url.ts'
import { objectAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'

/** A template of each side; null where the other side has no such path. */
export type PathPair = readonly [base: string | null, head: string | null]

interface Paths {
  readonly items: ReadonlyMap<string, PlacedValue>
  /** The whole paths of a template: with the paths of its servers before it, without the names of parameters. */
  readonly whole: (template: string) => ReadonlySet<string>
}

const readPaths = (side: Side): Paths => {
  const items = pathsOf(side)
  const known = new Map<string, ReadonlySet<string>>()
  const whole = (template: string): ReadonlySet<string> => {
    const made =
      known.get(template) ??
      new Set(
        ownersIn(side, items.get(template)!).flatMap((owners) =>
          serversOf(side, owners).list.flatMap(({ urls }) =>
            urls.map((url) => `${readUrl(url).path}${shapeOf(template)}`),
          ),
        ),
      )
    known.set(template, made)
    return made
  }
  return { items, whole }
}

/** Who can say where the operations of a path item are: the item, and each operation with servers of its own. */
const ownersIn = (side: Side, item: PlacedValue): readonly (readonly PlacedValue[])[] => {
  const parts = partsOf(side, item)
  const operations = parts.flatMap((part) => side.members(part).map(([, it]) => it))
  return [parts, ...operations.filter((it) => objectAt(it).servers !== undefined).map((it) => [it, ...parts])]
}

const serverPaths = (side: Side): string =>
  [...new Set(serversOf(side, []).list.flatMap(({ urls }) => urls.map((url) => readUrl(url).path)))].sort().join(' ')

/**
 * Pairs the path templates of both sides: by the whole path of their URLs where the servers differ (a prefix may move between the
 * server and the template), then by their text, then without the names of path parameters, which are not part of a request.
 */
export const pairPaths = (context: Context): readonly PathPair[] => {
  const [base, head] = [readPaths(context.base), readPaths(context.head)]
  const pairs: PathPair[] = []
  const free = new Set([...head.items.keys()].sort())
  let open = [...base.items.keys()].sort()
  const take = (candidate: (template: string) => string | undefined): void => {
    open = open.filter((template) => {
      const other = candidate(template)
      if (other === undefined) return true
      free.delete(other)
      pairs.push([template, other])
      return false
    })
  }
  const isMoved = open.some((it) => !free.has(it)) && [...free].some((it) => !base.items.has(it))
  if (isMoved || serverPaths(context.base) !== serverPaths(context.head)) {
    const byWhole = new Map<string, string[]>()
    for (const template of free)
      for (const path of head.whole(template)) byWhole.set(path, [...(byWhole.get(path) ?? []), template])
    take((template) => {
      const found = [...base.whole(template)].flatMap((path) => byWhole.get(path) ?? []).filter((it) => free.has(it))
      return found.find((it) => it === template) ?? found[0]
    })
  }
  take((template) => (free.has(template) ? template : undefined))
  const byShape = new Map<string, string[]>()
  for (const template of free) byShape.set(shapeOf(template), [...(byShape.get(shapeOf(template)) ?? []), template])
  take((template) => byShape.get(shapeOf(template))?.find((it) => free.has(it)))
  return [
    ...pairs.sort(([a], [b]) => (a! < b! ? -1 : 1)),
    ...open.map((template): PathPair => [template, null]),
    ...[...free].map((template): PathPair => [null, template]),
  ]
}
