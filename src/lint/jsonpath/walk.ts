/**
 * One walk for many paths. References are followed as edges of a graph: what a reference leads to is visited once for
 * each state of the automaton, so that cycles end and shared components cost nothing.
 */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { Automaton, type State, type Transition } from './automaton.ts'
import type { Scope } from './evaluate.ts'
import type { JsonPath } from './path.ts'

/** Where a reference leads in the end: to a place of a document. */
export interface MatchedNode {
  readonly document: Document
  readonly path: Path
  readonly value: Json
}

/** Resolves a reference; null if that is not possible. */
export type Follow = (reference: string, from: Document, holder: Json) => MatchedNode | null

/** A node as a walk met it. */
export interface Node {
  readonly value: Json
  readonly key: string | number
  readonly up: Node | null
  /** Set where the walk came here by a reference: then this is the node's own place. */
  readonly target: MatchedNode | null
  readonly document: Document
}

/** The path of a node in its own document. */
export function placeOf(node: Node): Path {
  const path: (string | number)[] = []
  for (let at: Node | null = node; at !== null; at = at.up) {
    if (at.target !== null) return [...at.target.path, ...path.reverse()]
    if (at.up !== null) path.push(at.key)
  }
  return path.reverse()
}

/** The way from the root of a walk to a node, through references. */
export function wayOf(node: Node): Path {
  const way: (string | number)[] = []
  for (let at: Node | null = node; at !== null && at.up !== null; at = at.up) way.push(at.key)
  return way.reverse()
}

const bracketed = (path: Path): string =>
  `$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `['${step}']`)).join('')}`

/** `keys` is true where the key of the node is meant ("~"), not the node. */
export type OnMatch = (path: number, node: Node, keys: boolean) => void

const isReference = (value: Json): value is JsonObject & { $ref: string } =>
  isObject(value) && typeof value.$ref === 'string'

interface Compiled {
  readonly path: JsonPath
  /** How far the automaton goes: up to the first "^". */
  readonly prefix: JsonPath['segments']
  readonly rest: JsonPath['segments']
}

const compile = (path: JsonPath): Compiled => {
  const at = path.segments.findIndex((it) => it.kind === 'parent')
  if (at === -1) return { path, prefix: path.segments, rest: [] }
  return { path, prefix: path.segments.slice(0, at), rest: path.segments.slice(at) }
}

export interface WalkOptions {
  /** All possible targets of references, if known: nodes elsewhere are visited only once. */
  readonly targets?: ReadonlySet<Json> | null
  /** Called at each object and list with the numbers of the paths that may match below it; may throw to end the walk. */
  readonly onVisit?: ((paths: () => readonly number[]) => void) | null
  /** Only the node at this path of the root, what is below it, and what that refers to; what is above it matches nothing. */
  readonly within?: Path
  /**
   * What several references lead to is met on each of these ways, as those see it who look at the way too; a way that leads back to
   * itself ends there. Beyond `mostWays` nodes, each is met once again.
   */
  readonly everyWay?: boolean
  /** Called where the walk met more nodes than it follows on every way. */
  readonly onExhausted?: () => void
  /** Called with the numbers of the paths that would have matched above `within`. */
  readonly onPassed?: (path: number) => void
}

/** Paths, compiled for any number of walks. */
export class PathSet {
  private readonly compiled: readonly Compiled[]
  private readonly automaton: Automaton

  constructor(paths: readonly JsonPath[]) {
    this.compiled = paths.map(compile)
    this.automaton = new Automaton(this.compiled.map(({ prefix }) => ({ segments: prefix })))
  }

  /**
   * Finds every match below a node, the node itself included.
   * @param follow null to take references as they are written
   */
  walk(root: Node, follow: Follow | null, onMatch: OnMatch, options: WalkOptions = {}): void {
    new Walk(this.automaton, root, follow, options, (index, node) => {
      const { path, rest } = this.compiled[index] as Compiled
      if (rest.length === 0) onMatch(index, node, path.keys)
      else this.goOn(rest, node, follow, (at) => onMatch(index, at, path.keys))
    }).start()
  }

  /** How many states walks have met so far: what is kept of them. */
  get size(): number {
    return this.automaton.size
  }

  private readonly tails = new Map<JsonPath['segments'], PathSet>()

  /** Takes the steps behind a "^". */
  private goOn(rest: JsonPath['segments'], node: Node, follow: Follow | null, found: (node: Node) => void): void {
    let at: Node | null = node
    let taken = 0
    while (rest[taken]?.kind === 'parent' && at !== null) {
      at = at.up
      taken++
    }
    if (at === null) return
    if (taken === rest.length) return found(at)
    let tail = this.tails.get(rest)
    if (tail === undefined) {
      tail = new PathSet([{ text: '', segments: rest.slice(taken), keys: false }])
      this.tails.set(rest, tail)
    }
    tail.walk(at, follow, (_, inner) => found(inner))
  }
}

const deepest = 1000

/** How many nodes a walk may meet again on other ways. */
const mostWays = 2_000_000

class Walk {
  /** By the number of a state, the nodes that were visited in it: to which a reference led, and those where they are written. */
  private readonly met: Set<object>[] = []
  private readonly written: Set<object>[] = []
  private depth = 0
  private readonly waiting: { readonly node: Node; readonly state: State }[] = []
  private readonly automaton: Automaton
  private readonly root: Node
  private readonly follow: Follow | null
  private readonly targets: ReadonlySet<Json> | null
  private readonly onVisit: NonNullable<WalkOptions['onVisit']> | null
  private readonly within: Path
  private readonly onPassed: NonNullable<WalkOptions['onPassed']>
  private readonly emit: (path: number, node: Node) => void
  private ways: number
  private readonly onExhausted: () => void
  /** What holds the node where the walk is, through references; kept where each way counts. */
  private readonly open = new Set<object>()

  constructor(
    automaton: Automaton,
    root: Node,
    follow: Follow | null,
    { targets, onVisit, within = [], onPassed = () => {}, everyWay = false, onExhausted = () => {} }: WalkOptions,
    emit: (path: number, node: Node) => void,
  ) {
    this.automaton = automaton
    this.root = root
    this.follow = follow
    this.targets = targets ?? null
    this.onVisit = onVisit ?? null
    this.within = within
    this.onPassed = onPassed
    this.emit = emit
    this.ways = everyWay ? mostWays : 0
    this.onExhausted = onExhausted
  }

  start(): void {
    const first = this.descend()
    if (first !== null) this.visit(first.node, first.state, false, this.targets === null)
    for (let next = this.waiting.pop(); next !== undefined; next = this.waiting.pop())
      this.visit(next.node, next.state, true, true)
  }

  /** The node at `within` with the state in which a walk of everything would come there; null where it would not. */
  private descend(): { readonly node: Node; readonly state: State } | null {
    let node = this.root
    let state = this.automaton.start
    for (const step of this.within) {
      for (const path of state.matches) this.onPassed(path)
      const { value } = node
      if (typeof value !== 'object' || value === null || state.dead) return null
      const written = (value as { readonly [key: string | number]: Json | undefined })[step]
      if (written === undefined || (this.follow !== null && isReference(written))) return null
      const { automaton } = this
      const isOther = Array.isArray(value) && !state.indexed
      const edge = isOther ? automaton.otherEdge(state) : automaton.edge(state, String(step))
      state = automaton.asks(edge, written)
        ? automaton.filtered(edge, new EdgeScope(node, step, written, this.root.value))
        : edge.plain
      node = { value: written, key: step, up: node, target: null, document: node.document }
    }
    return { node, state }
  }

  /** Whether the walk was here before. The same value at two places of a tree (a YAML alias) is two nodes. */
  private wasHere(value: object, { id }: State, referred: boolean): boolean {
    const { met, written } = this
    const known = (met[id] ??= new Set())
    if (known.has(value)) return true
    const own = (written[id] ??= new Set())
    if (!referred) own.add(value)
    else if (own.has(value)) return true
    else known.add(value)
    return false
  }

  /** Whether nothing is to be done for a node: it was met before, and on each way where these count. */
  private isDone(value: object, state: State, referred: boolean): boolean {
    if (!this.wasHere(value, state, referred)) return false
    if (this.ways <= 0 || this.open.has(value)) return true
    this.ways--
    if (this.ways === 0) this.onExhausted()
    return false
  }

  private hasSiblings({ up, key }: Node): boolean {
    const holder = up === null ? null : ((up.value as { readonly [key: string | number]: Json })[key] ?? null)
    return isObject(holder) && Object.keys(holder).length > 1
  }

  /** `above`: references may lead to what holds the node. */
  private visit(node: Node, state: State, referred: boolean, above: boolean): void {
    const { value } = node
    const isContainer = typeof value === 'object' && value !== null
    const seen = referred && isContainer && this.isDone(value, state, true)
    // Siblings of a reference make its holder a separate node, even if its target was visited before.
    if (seen && !this.hasSiblings(node)) return
    for (const path of state.matches) this.emit(path, node)
    if (seen) return
    if (state.dead || !isContainer) return
    const reached = this.follow !== null && (above || this.targets?.has(value) !== false)
    if (!referred && reached && this.isDone(value, state, false)) return
    const opens = this.ways > 0 && !this.open.has(value)
    if (opens) this.open.add(value)
    this.children(node, value, state, reached)
    if (opens) this.open.delete(value)
  }

  private children(node: Node, value: object, state: State, reached: boolean): void {
    if (this.onVisit !== null) this.onVisit(() => state.positions.map(({ path }) => path))
    if (Array.isArray(value)) {
      const { automaton } = this
      const other = automaton.otherEdge(state)
      for (let key = 0; key < value.length; key++)
        this.child(node, key, value[key] as Json, state.indexed ? automaton.edge(state, String(key)) : other, reached)
      return
    }
    const map = value as JsonObject
    for (const key in map) this.child(node, key, map[key] as Json, this.automaton.edge(state, key), reached)
  }

  private child(up: Node, key: string | number, written: Json, edge: Transition, reached: boolean): void {
    const isContainer = typeof written === 'object' && written !== null
    // Most children are texts that nothing asks about.
    if (!isContainer && edge.members !== null && edge.plain.matches.length === 0) return
    const target =
      isContainer && this.follow !== null && isReference(written)
        ? this.follow(written.$ref, up.document, written)
        : null
    const value = target === null ? written : target.value
    const next = this.automaton.asks(edge, value)
      ? this.automaton.filtered(edge, new EdgeScope(up, key, value, this.root.value))
      : edge.plain
    if (next.matches.length === 0 && (next.dead || typeof value !== 'object' || value === null)) return
    const node: Node = { value, key, up, target, document: target?.document ?? up.document }
    // Chains of references may be far longer than texts are deep: what the far ones lead to waits.
    if (target !== null && this.depth > deepest) return void this.waiting.push({ node, state: next })
    this.depth++
    this.visit(node, next, target !== null, reached || target !== null)
    this.depth--
  }
}

/** What a filter sees; most filters look at the value alone, so nothing else is made ahead. */
class EdgeScope implements Scope {
  readonly value: Json
  readonly property: string | number
  readonly root: Json
  private readonly up: Node
  constructor(up: Node, property: string | number, value: Json, root: Json) {
    this.up = up
    this.property = property
    this.value = value
    this.root = root
  }
  get container(): Json {
    return this.up.value
  }
  get parent(): Json {
    return this.up.up?.value ?? null
  }
  get parentProperty(): string | number | null {
    return this.up.up === null ? null : this.up.key
  }
  path(): string {
    return bracketed([...placeOf(this.up), this.property])
  }
}

/** A node from which a walk can begin. */
export const rootNode = (value: Json, document: Document): Node => ({
  value,
  key: '',
  up: null,
  target: null,
  document,
})
