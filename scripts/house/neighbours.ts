/**
 * Which room may import which: what the linter's rule `house/rooms` decides. A room is a folder directly below `src/` or
 * `server/`; `rooms.json` names its neighbours. Files that are directly in `server/` are the wiring: they import every
 * room, and no room imports them.
 */
import { posix } from 'node:path'

/** The rooms that each room of `src` and `server` may import, by top folder and room. */
export type Neighbours = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/**
 * The room of a file, by its path from the root of the checkout.
 * @param path "src/lint/rules/info.ts"
 * @returns "src" and "lint"; `room` is null directly in `src/` or `server/`; null elsewhere
 */
export function roomOf(path: string): { readonly top: 'src' | 'server'; readonly room: string | null } | null {
  const [top, room, ...rest] = path.split('/')
  if (top !== 'src' && top !== 'server') return null
  return { top, room: rest.length === 0 ? null : (room ?? null) }
}

/**
 * The file that an import names.
 * @param importer path of the importing file from the root
 * @param specifier "../diff/door.ts"
 * @returns its path from the root; null where the import names a package
 */
export const targetOf = (importer: string, specifier: string): string | null =>
  specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(importer), specifier)) : null

/**
 * A room of the server is entered by its door, or by the door for code that reads documents, which only analysis processes
 * load. Rooms of src are entered by any file.
 */
const isEntrance = (target: string): boolean =>
  !target.startsWith('server/') || /^server\/[^/]+\/(analysis-)?door\.ts$/.test(target)

/**
 * What is wrong with an import.
 * @param importer path of the importing file from the root
 * @param specifier what it imports
 * @param rooms the neighbours that each room may import
 * @returns a sentence that says what to do instead; null where the import is allowed
 */
export function problemOf(importer: string, specifier: string, rooms: Neighbours): string | null {
  const target = targetOf(importer, specifier)
  const to = target === null ? null : roomOf(target)
  const from = roomOf(importer)
  if (target === null || to === null || from === null || from.room === null) return null
  if (from.top !== to.top || from.room === to.room) return null
  // A file directly in src/, such as the catalogue of errors, belongs to everyone.
  if (to.room === null && to.top === 'src') return null
  if (to.room === null)
    return `${target} wires the rooms together. Move what ${from.top}/${from.room} needs of it to a room below.`
  const allowed = rooms[from.top]?.[from.room]
  if (allowed === undefined)
    return `rooms.json does not list ${from.top}/${from.room}. Add it with the rooms that it may import.`
  if (!allowed.includes(to.room))
    return `rooms.json does not let ${from.top}/${from.room} import ${to.top}/${to.room}. Move the file to the room it belongs to, take a function from the wiring, or listen to an event.`
  return isEntrance(target) ? null : `Import ${to.top}/${to.room}/door.ts: a room of the server is entered by its door.`
}
