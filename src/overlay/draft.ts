/** A value that is changed step by step: only what leads to a change is copied, and copied once. */
import { isObject, type Json, type Path } from '../kernel/json.ts'

type Container = Json[] | Record<string, Json>

const copyOf = (value: Json): Container =>
  Array.isArray(value) ? [...(value as readonly Json[])] : { ...(value as Record<string, Json>) }

export class Draft {
  #root: Json
  /** Containers that are of this draft alone. */
  #own = new WeakSet<object>()

  constructor(root: Json) {
    this.#root = root
  }

  get value(): Json {
    return this.#root
  }

  /** Shares what the draft has so far: the next change copies it, so that a part of it can be put into another place. */
  share(): void {
    this.#own = new WeakSet()
  }

  /** The containers from the root to the one that a path leads to, all of this draft; null where there is none. */
  #open(path: Path): Container | null {
    if (typeof this.#root !== 'object' || this.#root === null) return null
    let at = this.#owned(this.#root, (it) => (this.#root = it))
    for (const step of path) {
      const holder = at as Record<string | number, Json>
      const child = Object.hasOwn(holder, step) ? holder[step] : undefined
      if (typeof child !== 'object' || child === null) return null
      at = this.#owned(child, (it) => (holder[step] = it))
    }
    return at
  }

  #owned(value: Json, put: (copy: Json) => void): Container {
    if (this.#own.has(value as object)) return value as Container
    const copy = copyOf(value)
    this.#own.add(copy)
    put(copy)
    return copy
  }

  /** Puts a value in the place of the one at a path. */
  replace(path: Path, value: Json): void {
    const step = path.at(-1)
    if (step === undefined) {
      this.#root = value
      return
    }
    const holder = this.#open(path.slice(0, -1)) as Record<string | number, Json> | null
    // A key of this name is defined, and not the prototype set.
    if (holder !== null)
      Object.defineProperty(holder, step, { value, writable: true, enumerable: true, configurable: true })
  }

  /** Puts members into the object at a path, in the place of those of the same names: many updates of one object copy it once. */
  assign(path: Path, members: Iterable<readonly [string, Json]>): void {
    const holder = this.#open(path)
    if (holder === null) return
    for (const [key, value] of members)
      Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
  }

  /** Takes the nodes at some paths out of what contains them, as if at once. */
  remove(paths: readonly Path[]): void {
    const byHolder = new Map<Container, Set<string | number>>()
    for (const path of paths) {
      const holder = this.#open(path.slice(0, -1))
      const step = path.at(-1)
      if (holder === null || step === undefined) continue
      const steps = byHolder.get(holder)
      if (steps === undefined) byHolder.set(holder, new Set([step]))
      else steps.add(step)
    }
    for (const [holder, steps] of byHolder) {
      if (isObject(holder)) for (const step of steps) delete holder[step]
      else holder.splice(0, holder.length, ...holder.filter((_, at) => !steps.has(at)))
    }
  }
}
