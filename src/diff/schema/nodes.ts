import type { Json } from '../../kernel/json.ts'
import { NodeFactory } from '../../schema/node.ts'
import type { Node } from '../../schema/node.ts'
import { Normaliser } from '../../schema/normalise.ts'
import type { Direction, Reading } from '../../schema/schema-source.ts'
import { Unfolding } from '../../schema/unfold.ts'
import type { Sameness } from '../sameness.ts'
import { Selector } from '../selector.ts'
import { pointerOf } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'

/** A schema that a reference names, and how it is read. */
interface Target {
  readonly side: Side
  readonly direction: Direction
  readonly reading: Reading
  readonly schema: Json
  readonly unsent: ReadonlySet<string> | undefined
}

/** The schemas of both documents as nodes of one algebra. */
export class Nodes {
  readonly factory = new NodeFactory()
  readonly selectors: { readonly base: Selector; readonly head: Selector }
  private readonly sameness: Sameness
  private readonly formats: 'asserted' | 'remarks'
  private readonly normalisers = new Map<string, Normaliser>()
  private readonly targets = new Map<string, Target>()
  private readonly unfolding: Unfolding
  private shared: ReadonlySet<string> | null = null

  constructor(base: Side, head: Side, sameness: Sameness, formats: 'asserted' | 'remarks') {
    this.sameness = sameness
    this.formats = formats
    this.selectors = { base: new Selector(base), head: new Selector(head) }
    this.unfolding = new Unfolding(this.factory, (key) => this.read(key))
  }

  /** The values of discriminators that select something in both documents, each with its property. */
  get sharedValues(): ReadonlySet<string> {
    this.shared ??= this.selectors.base.uses.intersection(this.selectors.head.uses)
    return this.shared
  }

  /** The target of a reference. */
  readonly resolve = (key: string): Node => this.unfolding.resolve(key)

  private normaliser(side: Side, direction: Direction, reading: Reading): Normaliser {
    const key = `${side.name} ${direction} ${reading}`
    const known = this.normalisers.get(key)
    if (known) return known
    const made = new Normaliser(
      this.factory,
      {
        dialect: side.dialect,
        isForeign: side.isForeign,
        name: side.name,
        formats: this.formats,
        selection: (schema, known) => this.selectors[side.name].selectionOf(schema, known ? null : this.sharedValues),
        resolve: (ref, unsent) => {
          const place = side.find(ref)
          if (!place) return null
          const shared = this.sameness.isClean(ref)
          // The name says what is the same in both documents; the first to name it resolves it.
          const schema = place.value
          const towards = side.isDirected(schema) ? direction : null
          const how = towards === null && reading === 'tolerant' && !side.hasNullable ? 'exact' : reading
          const without = unsent === undefined || towards === null ? '' : ` without ${[...unsent].sort().join(' ')}`
          const name = `${shared ? '' : side.name} ${towards ?? ''} ${how} #${pointerOf(place.path)}${without}`
          if (!this.targets.has(name))
            this.targets.set(name, { side, direction: towards, reading: how, schema, unsent })
          return { key: name, schema }
        },
      },
      direction,
      (key) => key,
      reading,
    )
    this.normalisers.set(key, made)
    return made
  }

  private read(key: string): Node {
    const from = this.targets.get(key)
    if (!from) return this.factory.opaque(key)
    return this.normaliser(from.side, from.direction, from.reading).node(from.schema, from.unsent)
  }

  /** The values that all of the places allow together. */
  of(side: Side, places: readonly PlacedValue[], direction: Direction, reading: Reading = 'exact'): Node {
    const directed = direction !== null && places.some((place) => side.isDirected(place.value))
    const how = !directed && reading === 'tolerant' && !side.hasNullable ? 'exact' : reading
    const normaliser = this.normaliser(side, directed ? direction : null, how)
    return this.factory.all(places.map((place) => normaliser.node(place.value)))
  }
}
