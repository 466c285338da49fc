import type { Path } from '../../kernel/json.ts'
import { subjectOf } from '../describe.ts'
import { writtenPath } from '../link.ts'
import { textAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'

type SideName = 'base' | 'head'

/** A pair that is being compared: where each side begins, before references are followed, and what is compared. */
interface Frame {
  readonly sites: Readonly<Record<SideName, Path | null>>
  readonly components: Readonly<Record<SideName, ReadonlySet<string>>>
}

/** How many steps lead to a named schema: `components/schemas/Pet`, `definitions/Pet`; 0 for a path that begins elsewhere. */
const stepsToName = (path: Path): number => {
  if (path[0] === 'components' && path[1] === 'schemas' && path.length > 2) return 3
  return path[0] === 'definitions' && path.length > 1 ? 2 : 0
}

const componentOf = (path: Path): string | null => {
  const steps = stepsToName(path)
  return steps === 0 ? null : String(path[steps - 1])
}

const componentsIn = (places: readonly PlacedValue[]): ReadonlySet<string> =>
  new Set(places.flatMap(({ path }) => componentOf(writtenPath(path)) ?? []))

/** How exact the status of a response is: one status, a range of them, or whatever is not listed; 3 outside of responses. */
const exactness = (path: Path): number => {
  const at = path.lastIndexOf('responses')
  if (at < 0) return 3
  const status = String(path[at + 1])
  return status === 'default' ? 0 : Number(/^\d{3}$/.test(status)) + 1
}

/**
 * Names what a schema change is about. A named schema is called by its name as long as both sides are that schema; where one of
 * them is another one now, the sentence is about the place that refers to it, not about a schema that did not change.
 */
export class Subjects {
  private readonly frames: Frame[] = []
  private readonly sides: Readonly<Record<SideName, Side>>
  private readonly names: Readonly<Record<SideName, ReadonlySet<string>>>

  constructor(base: Side, head: Side) {
    this.sides = { base, head }
    const namesOf = (side: Side): ReadonlySet<string> => new Set(side.namedSchemas().map(([name]) => name))
    this.names = { base: namesOf(base), head: namesOf(head) }
  }

  /** Begins with a pair: `from` are its places before references are followed, `seen` all that are compared in it. */
  enter(
    from: Readonly<Record<SideName, readonly PlacedValue[]>>,
    seen: Readonly<Record<SideName, readonly PlacedValue[]>>,
  ): void {
    const siteOf = (places: readonly PlacedValue[]): Path | null => (places[0] ? writtenPath(places[0].path) : null)
    this.frames.push({
      sites: { base: siteOf(from.base), head: siteOf(from.head) },
      components: { base: componentsIn(seen.base), head: componentsIn(seen.head) },
    })
  }

  leave(): void {
    this.frames.pop()
  }

  /** What is at a path of one side, as a person would call it. */
  of(path: Path, side: SideName): string {
    const at = this.placed(writtenPath(path), side, this.frames.length)
    return subjectOf(this.byStatus(at, side), (place) => textAt(this.sides[side].at(place), 'name'))
  }

  /** The path in the response of the more exact status, where what was described by one status is described by another now. */
  private byStatus(path: Path, side: SideName): Path {
    const own = this.frames[0]?.sites[side]
    const other = this.frames[0]?.sites[side === 'base' ? 'head' : 'base']
    if (!own || !other || !own.every((step, i) => path[i] === step)) return path
    return exactness(other) > exactness(own) ? [...other, ...path.slice(own.length)] : path
  }

  /** The path as it is reached from the message, as long as it leads through a schema that only one side is. */
  private placed(path: Path, side: SideName, depth: number): Path {
    const name = componentOf(path)
    const frame = this.frames[depth - 1]
    if (name === null || frame === undefined) return path
    const other = side === 'base' ? 'head' : 'base'
    if (!this.names[other].has(name) || frame.components[other].has(name)) return path
    for (let at = depth; at > 0; at--) {
      const site = this.frames[at - 1]!.sites[side]
      if (site === null || componentOf(site) === name) continue
      return this.placed([...site, ...path.slice(stepsToName(path))], side, at - 1)
    }
    return path
  }
}
