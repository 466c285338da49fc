/** So many refusals of a hook are written one by one; then one in each interval is, for all that came meanwhile. */
const atOnce = 5
const everyMs = 10_000
/** Hooks that are remembered; the oldest go first. */
const mostHooks = 10_000

interface Room {
  /** How many may be written now, and since when that is known. */
  left: number
  since: number
  /** Those that came since the last one that was written. */
  waiting: number
}

/** Decides which refusals of hooks are written. */
export class Writing {
  readonly #rooms = new Map<string, Room>()

  /** @returns how many refusals are to be written as one now; 0: this one is only counted */
  take(hookId: string, now: number): number {
    const room = this.#rooms.get(hookId) ?? { left: atOnce, since: now, waiting: 0 }
    this.#rooms.delete(hookId)
    this.#rooms.set(hookId, room)
    if (this.#rooms.size > mostHooks)
      for (const oldest of this.#rooms.keys()) {
        this.#rooms.delete(oldest)
        break
      }
    const gained = Math.floor((now - room.since) / everyMs)
    room.left = Math.min(atOnce, room.left + gained)
    room.since += gained * everyMs
    room.waiting += 1
    if (room.left === 0) return 0
    room.left -= 1
    const { waiting } = room
    room.waiting = 0
    return waiting
  }
}
