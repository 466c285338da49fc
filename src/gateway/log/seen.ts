/** Counts calls by operation and minute. A path of no operation is counted by its shape, if the server answered it. */
import type { Access } from './access.ts'
import { idOf } from './event.ts'
import type { SeenRecord } from './model.ts'
import { methodOf, type Routes } from './routes.ts'
import { pathShapeOf } from './shape.ts'

/** A client can ask for any number of paths: this many shapes are reported for one part of a log. */
const mostShapes = 100
const minuteMs = 60_000
/** Answers of something that is there. Scanners ask for thousands of paths that are not. */
const isAnswered = (status: number): boolean => (status >= 200 && status < 400) || status === 401 || status >= 500

export interface Seen {
  readonly records: readonly SeenRecord[]
  /** Calls of further paths, which are not reported. */
  readonly dropped: number
}

/**
 * @param origin names the part of the log that the lines are from: the same part gives the same ids
 * @param routes of the release; null: none is known, every path is reported by its shape
 */
export function seenOf(lines: readonly Access[], routes: Routes | null, origin: string): Seen {
  const counts = new Map<
    string,
    { minute: number; method: string; route: string | null; shape: string | null; count: number }
  >()
  const shapes = new Set<string>()
  let dropped = 0
  for (const line of lines) {
    const method = methodOf(line.method)
    const route = routes?.find(method, line.path) ?? null
    if (route === null && !isAnswered(line.status)) continue
    const shape = route === null ? pathShapeOf(line.path, routes?.segments) : null
    if (shape !== null && !shapes.has(shape)) {
      if (shapes.size >= mostShapes) {
        dropped++
        continue
      }
      shapes.add(shape)
    }
    const minute = Math.floor(line.atMs / minuteMs) * minuteMs
    const key = JSON.stringify([minute, method, route, shape])
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { minute, method, route, shape, count: 1 })
    else known.count++
  }
  const records = [...counts].map(([key, it]): SeenRecord => ({
    kind: 'seen',
    id: idOf('seen', origin, key),
    at: new Date(it.minute).toISOString(),
    method: it.method,
    route: it.route,
    pathShape: it.shape,
    count: it.count,
  }))
  return { records, dropped }
}
