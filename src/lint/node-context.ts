import type { Document } from '../document/document.ts'
import type { Json, Path } from '../kernel/json.ts'
import type { Documents } from '../document/reference.ts'
import type { Beside } from '../mcp-catalogue/beside.ts'
import type { CheckBudget } from './check-budget.ts'
import type { FormatName } from './formats.ts'
import type { Graph } from './graph.ts'
import { placeOf, wayOf, type Node } from './jsonpath/walk.ts'
import type { FunctionContext, Rule, Ruleset } from './rule.ts'

/** What the contexts of one run share; `document` is the linted one. */
interface Linting extends Pick<FunctionContext, 'document' | 'entry' | 'formats' | 'documents' | 'budget' | 'beside'> {
  readonly ruleset: Ruleset
}

const itself = (value: Json): Json => value

/** The context of a function for a node. Few functions need the path, so it is computed on demand. */
export class NodeContext implements FunctionContext {
  readonly document: Document
  readonly entry: Json
  readonly formats: ReadonlySet<FormatName>
  readonly documents: Documents
  readonly budget: CheckBudget
  readonly beside: Beside | null
  readonly linted: Document
  readonly rule: string
  private readonly ruleset: Ruleset
  private readonly node: Node
  private readonly steps: Path
  private readonly graph: Graph | null
  private known: Path | null = null

  constructor(
    node: Node,
    steps: Path,
    rule: string,
    { document, entry, formats, documents, budget, beside, ruleset }: Linting,
    graph: Graph | null,
  ) {
    this.document = node.document
    this.linted = document
    this.rule = rule
    this.entry = entry
    this.formats = formats
    this.documents = documents
    this.budget = budget
    this.beside = beside
    this.ruleset = ruleset
    this.node = node
    this.steps = steps
    this.graph = graph
  }

  get root(): Json {
    return this.document.value
  }

  get definition(): Rule {
    return this.ruleset[this.rule] as Rule
  }

  get isResolved(): boolean {
    return this.graph !== null
  }

  get way(): Path {
    return [...wayOf(this.node), ...this.steps]
  }

  get path(): Path {
    if (this.known === null) {
      const base = placeOf(this.node)
      this.known = this.steps.length === 0 ? base : [...base, ...this.steps]
    }
    return this.known
  }

  get deref(): (value: Json) => Json {
    return this.graph === null ? itself : this.graph.derefIn(this.document)
  }
}
