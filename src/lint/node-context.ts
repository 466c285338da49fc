import type { Document } from '../document/document.ts'
import type { Json, Path } from '../document/json.ts'
import type { Documents } from '../document/reference.ts'
import type { CheckBudget } from './check-budget.ts'
import type { FormatName } from './formats.ts'
import type { Graph } from './graph.ts'
import { placeOf, type Node } from './jsonpath/walk.ts'
import type { FunctionContext } from './rule.ts'

const itself = (value: Json): Json => value

/** The context of a function for a node. Few functions need the path, so it is computed on demand. */
export class NodeContext implements FunctionContext {
  readonly document: Document
  readonly entry: Json
  readonly formats: ReadonlySet<FormatName>
  readonly documents: Documents
  readonly budget: CheckBudget
  private readonly node: Node
  private readonly steps: Path
  private readonly graph: Graph | null
  private known: Path | null = null

  constructor(
    node: Node,
    steps: Path,
    { entry, formats, documents, budget }: Pick<FunctionContext, 'entry' | 'formats' | 'documents' | 'budget'>,
    graph: Graph | null,
  ) {
    this.document = node.document
    this.entry = entry
    this.formats = formats
    this.documents = documents
    this.budget = budget
    this.node = node
    this.steps = steps
    this.graph = graph
  }

  get root(): Json {
    return this.document.value
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
