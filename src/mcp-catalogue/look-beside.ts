import type { Beside } from './beside.ts'
import { compareSurfaces } from './compare.ts'
import type { Surface } from './types.ts'

/** The names of servers by the names of their tools, each server once. */
export function toolsOfOthers(servers: Readonly<Record<string, readonly string[]>>): Beside['others'] {
  const found = new Map<string, Set<string>>()
  for (const [server, tools] of Object.entries(servers))
    for (const tool of tools) found.set(tool, (found.get(tool) ?? new Set()).add(server))
  return Object.fromEntries([...found].map(([tool, names]) => [tool, [...names].sort()]))
}

/**
 * What the rules need to know beside a surface.
 * @param approved what was approved; null where nothing was
 * @param servers the tools of other servers, by the names of the servers
 */
export const lookBeside = (
  surface: Surface,
  approved: Surface | null,
  servers: Readonly<Record<string, readonly string[]>> = {},
): Beside => ({
  drift: approved === null ? null : compareSurfaces(approved, surface, Number.POSITIVE_INFINITY),
  others: toolsOfOthers(servers),
})
