import type { Json } from '../document/json.ts'
import { Comparer } from '../schema/containment.ts'
import { allTypes, NodeFactory, typeBit } from '../schema/node.ts'
import type { Node } from '../schema/node.ts'
import { Normaliser } from '../schema/normalise.ts'
import type { Direction } from '../schema/normalise.ts'
import type { Classification, Witness } from './change.ts'
import type { Sameness } from './sameness.ts'
import { pointerOf } from './side.ts'
import type { Place, Side } from './side.ts'

/** Where a schema is used: on the way to the service or back, and who writes the value. */
export interface Use {
  readonly direction: Direction
  /** The client writes the value: a request, or the answer to a webhook. */
  readonly fromClient: boolean
  /** The value travels as text (a parameter, a header): what accepts every text accepts every number. */
  readonly textual?: boolean
  /** A single text is read as a list of one (`style: form` with `explode`). */
  readonly lists?: boolean
}

/** What containment says about a pair of schemas in a use. */
export interface Judgement {
  readonly verdict: Classification
  readonly witness: Witness | null
  readonly reason: string | null
  /** It is safe because no value exists at all. */
  readonly vacuous?: boolean
}

/** Whether `oneOf` is taken at its word or as `anyOf`. */
type Choices = 'exact' | 'loose'

export interface SchemasOptions {
  readonly undeclared: 'yes' | 'no'
  /** Sets are sets: what contains nothing is contained, and nothing is concluded from the parts. */
  readonly strict: boolean
  readonly formats: 'asserted' | 'remarks'
  /** Checks a witness by other means: true where `value` is valid on that side. Null where it cannot tell. */
  readonly validate: (side: Side, places: readonly Place[], value: Json, direction: Direction) => boolean | null
}

const safe: Judgement = { verdict: 'safe', witness: null, reason: null }

/** The schemas of both documents in one algebra, and the questions that are asked of them. */
export class Schemas {
  readonly factory = new NodeFactory()
  private readonly comparer: Comparer
  private readonly normalisers = new Map<string, Normaliser>()
  private readonly resolvers = new Map<
    string,
    { readonly side: Side; readonly direction: Direction; readonly choices: Choices }
  >()
  private readonly base: Side
  private readonly head: Side
  private readonly sameness: Sameness
  readonly options: SchemasOptions

  constructor(base: Side, head: Side, sameness: Sameness, options: SchemasOptions) {
    this.base = base
    this.head = head
    this.sameness = sameness
    this.options = options
    this.comparer = new Comparer(this.factory, (key) => this.resolve(key), options.undeclared)
  }

  private normaliser(side: Side, direction: Direction, choices: Choices): Normaliser {
    const key = `${side.name} ${direction} ${choices}`
    const known = this.normalisers.get(key)
    if (known) return known
    const made = new Normaliser(
      this.factory,
      {
        dialect: side.dialect,
        formats: this.options.formats,
        resolve: (ref) => {
          const place = side.find(ref)
          if (!place) return null
          const shared = this.sameness.isClean(ref)
          // The name tells what is the same in both documents; the first to name it resolves it.
          const name = `${shared ? '' : side.name} ${direction ?? ''} ${choices} #${pointerOf(place.path)}`
          if (!this.resolvers.has(name)) this.resolvers.set(name, { side, direction, choices })
          return { key: name, schema: place.value }
        },
      },
      direction,
      (key) => key,
      choices,
    )
    this.normalisers.set(key, made)
    return made
  }

  private resolve(key: string): Node {
    const from = this.resolvers.get(key)
    if (!from) return this.factory.opaque(key)
    const normaliser = this.normaliser(from.side, from.direction, from.choices)
    return normaliser.node(normaliser.targets.get(key))
  }

  /** The values that all of the places allow together. */
  node(side: Side, places: readonly Place[], direction: Direction, choices: Choices = 'exact'): Node {
    const normaliser = this.normaliser(side, direction, choices)
    return this.factory.all(places.map((place) => normaliser.node(place.value)))
  }

  /** Whether a value written by one party for the other still is understood. */
  judge(base: readonly Place[], head: readonly Place[], use: Use): Judgement {
    const a = this.node(this.base, base, use.direction)
    const b = this.node(this.head, head, use.direction)
    const [sent, outer] = use.fromClient ? [a, this.lexical(b, use, a)] : [b, this.lexical(a, use, b)]
    const inner = this.written(sent, use.fromClient ? this.base : this.head)
    const answer = this.comparer.contains(outer, inner)
    if (answer.is === 'contained') {
      return !this.options.strict && this.comparer.isEmpty(inner) ? this.judgeLoosely(base, head, use) : safe
    }
    if (answer.is === 'unknown') return { verdict: 'unknown', witness: null, reason: answer.why }
    const acceptedBy = use.fromClient ? 'base' : 'head'
    const accepted = use.fromClient
      ? this.options.validate(this.base, base, answer.value, use.direction)
      : this.options.validate(this.head, head, answer.value, use.direction)
    const refused = use.fromClient
      ? this.options.validate(this.head, head, answer.value, use.direction)
      : this.options.validate(this.base, base, answer.value, use.direction)
    if (accepted === false || refused === true) {
      return { verdict: 'unknown', witness: null, reason: 'the counterexample could not be confirmed independently' }
    }
    const reason = use.fromClient
      ? 'the base document accepts this value and the head refuses it'
      : 'the head document may send this value and the base rules it out'
    return { verdict: 'breaking', witness: { value: answer.value, acceptedBy, reason }, reason: null }
  }

  /**
   * A schema that accepts nothing as written (a `oneOf` whose branches all overlap, a pattern against a length) contains
   * nothing that could break, and yet services behind it answer. So `oneOf` is read as `anyOf`, and where even that is
   * empty the parts have to be judged one by one.
   */
  private judgeLoosely(base: readonly Place[], head: readonly Place[], use: Use): Judgement {
    const a = this.node(this.base, base, use.direction, 'loose')
    const b = this.node(this.head, head, use.direction, 'loose')
    const [inner, outer] = use.fromClient ? [a, this.lexical(b, use, a)] : [b, this.lexical(a, use, b)]
    if (inner.op === 'false') return safe
    const answer = this.comparer.contains(outer, inner)
    if (answer.is === 'contained') return this.comparer.isEmpty(inner) ? { ...safe, vacuous: true } : safe
    return {
      verdict: 'unknown',
      witness: null,
      reason: 'as written the schema accepts nothing; with oneOf read as anyOf it breaks',
    }
  }

  /** Before OpenAPI 3.1 null has to be announced by `nullable`: a schema without any type does not mean to send it. */
  private written(sent: Node, side: Side): Node {
    const announced = side.dialect !== 'openapi-3.0' && side.dialect !== 'swagger-2.0'
    if (announced || this.comparer.solver.survey.typesOf(sent.id) !== allTypes) return sent
    return this.factory.all([sent, this.factory.types(allTypes & ~typeBit.null)])
  }

  /** What travels as text is read by its type: a text takes every number, a list takes a single item. */
  private lexical(outer: Node, use: Use, inner: Node): Node {
    if (!use.textual) return outer
    const { factory } = this
    const types = this.comparer.solver.survey.typesOf(inner.id)
    const parts = outer.op === 'all' ? outer.parts : [outer]
    const items = parts.find((part) => part.op === 'items')
    const list = (this.comparer.solver.survey.typesOf(outer.id) & typeBit.array) !== 0 && (types & typeBit.array) === 0
    if (list && use.lists && !parts.some((part) => part.op === 'minItems' && part.count > 1)) {
      return factory.any([outer, items?.op === 'items' ? (items.prefix[0] ?? items.rest) : factory.always])
    }
    const texts = factory.types(typeBit.string)
    if ((types & typeBit.string) !== 0 || this.comparer.contains(outer, texts).is !== 'contained') return outer
    return factory.any([outer, factory.types(typeBit.number | typeBit.boolean)])
  }

  /** Whether two places stand for the same set of values. */
  equal(base: readonly Place[], head: readonly Place[], direction: Direction): boolean {
    return this.node(this.base, base, direction) === this.node(this.head, head, direction)
  }

  /** A schema made up for a comparison, as a place of its own. */
  made(value: Json): Place {
    return { value, path: [] }
  }
}
