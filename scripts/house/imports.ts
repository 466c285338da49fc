import { join } from 'node:path'
import { roomOf, targetOf, type Neighbours } from './neighbours.ts'

const specifiers = /(?:from\s+|import\(\s*|import\s+)['"](\.[^'"]+)['"]/g

/**
 * Reads from the sources which room imports which: static, dynamic and type imports.
 * @param root the checkout
 * @returns every room with its neighbours, sorted
 */
export async function readNeighbours(root: string): Promise<Neighbours> {
  const found: Record<string, Map<string, Set<string>>> = { src: new Map(), server: new Map() }
  for (const [top, rooms] of Object.entries(found))
    for await (const path of new Bun.Glob('**/*.ts').scan({ cwd: join(root, top) })) {
      const file = `${top}/${path.replaceAll('\\', '/')}`
      const room = roomOf(file)?.room
      if (room === null || room === undefined) continue
      const neighbours = rooms.get(room) ?? new Set<string>()
      rooms.set(room, neighbours)
      for (const [, specifier = ''] of (await Bun.file(join(root, file)).text()).matchAll(specifiers)) {
        const to = roomOf(targetOf(file, specifier) ?? '')
        if (to?.top === top && to.room !== null && to.room !== room) neighbours.add(to.room)
      }
    }
  return Object.fromEntries(
    Object.entries(found).map(([top, rooms]) => [
      top,
      Object.fromEntries(
        [...rooms].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([room, neighbours]) => [room, [...neighbours].sort()]),
      ),
    ]),
  )
}

/**
 * The rooms in levels: each room uses rooms of lower levels only.
 * @returns the lowest level first
 * @throws Error with the rooms of a circle
 */
export function levelsOf(rooms: Readonly<Record<string, readonly string[]>>): string[][] {
  const level = new Map<string, number>()
  const visit = (room: string, path: readonly string[]): number => {
    if (path.includes(room)) throw new Error(`rooms in a circle: ${[...path, room].join(' → ')}`)
    const known = level.get(room)
    if (known !== undefined) return known
    const below = (rooms[room] ?? []).map((neighbour) => visit(neighbour, [...path, room]))
    const own = Math.max(-1, ...below) + 1
    level.set(room, own)
    return own
  }
  for (const room of Object.keys(rooms)) visit(room, [])
  const levels: string[][] = []
  for (const [room, own] of level) (levels[own] ??= []).push(room)
  return levels.map((names) => names.sort())
}

/** Each room with the neighbours that it does not reach through another one: what a picture needs. */
export function reduced(rooms: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const reach = new Map<string, ReadonlySet<string>>()
  const reached = (room: string): ReadonlySet<string> => {
    const known = reach.get(room)
    if (known !== undefined) return known
    const all = new Set<string>()
    for (const neighbour of rooms[room] ?? []) for (const far of [neighbour, ...reached(neighbour)]) all.add(far)
    reach.set(room, all)
    return all
  }
  return Object.fromEntries(
    Object.entries(rooms).map(([room, neighbours]) => [
      room,
      neighbours.filter((one) => !neighbours.some((other) => other !== one && reached(other).has(one))),
    ]),
  )
}
