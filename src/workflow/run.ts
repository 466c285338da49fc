/** Runs workflows: which one is next, with which inputs, and what it gives back. Requests are sent by who calls it. */
import { objectOf, isObject, type JsonObject, textOf } from '../kernel/json.ts'
import {
  findWorkflow,
  objectsOf,
  orderedSteps,
  sourceObjects,
  textsOf,
  workflowsIn,
  type WorkflowDocument,
} from './document.ts'
import { checkInputs, secretInputs, withDefaults } from './inputs.ts'
import type { Description } from './openapi.ts'
import { SelectorInvalid, ValueMissing } from './faults.ts'
import type { RunResult, StepResult, WorkflowResult } from './result.ts'
import type { Scope, WorkflowValues } from './scope.ts'
import { StepRun, type Ran } from './step.ts'
import { valueOf } from './values.ts'
import type { Credentials } from './security.ts'
import { Session, type RunLimits, type StepOwner, type World } from './session.ts'

const deepestCall = 20

const descriptionsOf = ({ sources }: WorkflowDocument): ReadonlyMap<string, Description> =>
  new Map([...sources].flatMap(([name, it]) => (it.kind === 'openapi' ? [[name, it.description] as const] : [])))

/** Where a step goes from here. */
type Next = { readonly to: number } | { readonly to: 'end'; readonly failed: boolean } | { readonly to: WorkflowResult }

/** One run of one workflow. */
class WorkflowRun implements StepOwner {
  readonly session: Session
  readonly document: WorkflowDocument
  readonly workflow: JsonObject
  readonly inputs: JsonObject
  readonly descriptions: ReadonlyMap<string, Description>
  readonly outputs = new Map<string, JsonObject>()
  readonly #depth: number
  readonly #steps: readonly JsonObject[]
  readonly #results: StepResult[] = []

  constructor(session: Session, document: WorkflowDocument, workflow: JsonObject, inputs: JsonObject, depth: number) {
    this.session = session
    this.document = document
    this.workflow = workflow
    this.inputs = withDefaults(document.root, workflow, inputs)
    this.descriptions = descriptionsOf(document)
    this.#depth = depth
    this.#steps = orderedSteps(workflow)
    for (const it of secretInputs(document.root, workflow, this.inputs)) session.secrets.add(it)
  }

  get id(): string {
    return textOf(this.workflow.workflowId)
  }

  /** What expressions of this workflow see. */
  scope(): Scope {
    const { root } = this.document
    return {
      self: typeof root.$self === 'string' ? root.$self : null,
      inputs: this.inputs,
      outputs: {},
      exchange: null,
      steps: this.outputs,
      workflows: this.session.values.get(this.document) ?? new Map(),
      sources: sourceObjects(this.document),
      components: objectOf(root.components),
    }
  }

  /** Runs another workflow for a step or an action of this one. */
  async call(id: string, inputs: JsonObject): Promise<WorkflowResult | string> {
    if (this.#depth >= deepestCall) return `Workflows call each other more than ${deepestCall} deep`
    const found = findWorkflow(this.document, id)
    if (typeof found === 'string') return found
    return new WorkflowRun(this.session, found.document, found.workflow, inputs, this.#depth + 1).run()
  }

  /** Runs another step of this workflow on the way of a retry. */
  async visitStep(stepId: string): Promise<string | null> {
    const step = this.#steps.find((it) => it.stepId === stepId)
    if (step === undefined) return `There is no step "${stepId}"`
    const refusal = this.session.visit()
    if (refusal !== null) return refusal
    const { result } = await new StepRun(this, step, this.placeOf(step)).run()
    this.#results.push(result)
    return null
  }

  placeOf(step: JsonObject): StepResult['place'] {
    return {
      document: this.document.name,
      workflow: workflowsIn(this.document).indexOf(this.workflow),
      step: objectsOf(this.workflow.steps).indexOf(step),
    }
  }

  async run(): Promise<WorkflowResult> {
    const { root } = this.document
    this.#keep({})
    const faults = checkInputs(root, this.workflow, this.inputs)
    if (faults.length > 0) return this.#end('failed', {}, faults.join('; '))
    for (const id of textsOf(this.workflow.dependsOn)) {
      const before = await this.#dependency(id)
      if (typeof before === 'string') return this.#end('skipped', {}, before)
    }
    return this.#follow()
  }

  async #dependency(id: string): Promise<WorkflowResult | string> {
    const found = findWorkflow(this.document, id)
    if (typeof found === 'string') return found
    const known = this.session.ended.get(found.document)?.get(textOf(found.workflow.workflowId))
    // It may declare inputs of its own, which this workflow does not have.
    const own = found.document === this.session.chosen.document ? this.session.chosen.inputsOf(found.workflow) : {}
    const result = known ?? (await this.call(id, { ...own, ...this.inputs }))
    if (typeof result === 'string' || result.status === 'passed') return result
    return `The workflow "${id}", which has to be completed before, ${result.status === 'failed' ? 'failed' : 'was skipped'}`
  }

  async #follow(): Promise<WorkflowResult> {
    let at = 0
    let failure: string | null = null
    while (at < this.#steps.length) {
      const step = this.#steps[at] as JsonObject
      const refusal = this.session.visit()
      if (refusal !== null) {
        failure = refusal
        break
      }
      const ran = await new StepRun(this, step, this.placeOf(step)).run()
      this.#results.push(ran.result)
      const next = this.#next(ran, at)
      if (next.to === 'end') {
        failure = next.failed
          ? `The step "${ran.result.id}" ${ran.result.status === 'skipped' ? 'was skipped' : 'failed'}`
          : null
        break
      }
      if (typeof next.to === 'object') return this.#transferred(next.to)
      at = next.to
    }
    return this.#complete(failure)
  }

  #next({ result, goto }: Ran, at: number): Next {
    if (goto === null) return result.status === 'passed' ? { to: at + 1 } : { to: 'end', failed: true }
    if (goto.kind === 'end') return { to: 'end', failed: result.status !== 'passed' }
    if (goto.kind === 'workflow') return { to: goto.result }
    const index = this.#steps.findIndex(({ stepId }) => stepId === goto.id)
    return index === -1 ? { to: 'end', failed: true } : { to: index }
  }

  // A transfer goes one way: what the other workflow comes to is what this one comes to.
  async #transferred(other: WorkflowResult): Promise<WorkflowResult> {
    const own = await this.#complete(other.status === 'passed' ? null : `The workflow "${other.id}" failed`)
    return { ...own, outputs: { ...other.outputs, ...own.outputs } }
  }

  async #complete(failure: string | null): Promise<WorkflowResult> {
    const outputs: Record<string, Awaited<ReturnType<typeof valueOf>>> = {}
    const missing: string[] = []
    for (const [name, written] of Object.entries(objectOf(this.workflow.outputs)))
      try {
        outputs[name] = await valueOf(written, this.scope())
      } catch (error) {
        if (!(error instanceof ValueMissing || error instanceof SelectorInvalid)) throw error
        missing.push(`The output "${name}" has no value: ${error.message}`)
      }
    // Where a workflow ended early, outputs of steps that did not run are not expected.
    const isWhole = this.#steps.every((step) =>
      this.#results.some(({ id, status }) => id === step.stepId && status === 'passed'),
    )
    const reason = failure ?? (isWhole && missing.length > 0 ? missing.join('; ') : null)
    return this.#end(reason === null ? 'passed' : 'failed', outputs, reason)
  }

  #keep(outputs: JsonObject): void {
    const { values } = this.session
    const ofDocument = values.get(this.document) ?? new Map<string, WorkflowValues>()
    values.set(this.document, ofDocument.set(this.id, { inputs: this.inputs, outputs }))
  }

  #end(status: WorkflowResult['status'], outputs: JsonObject, reason: string | null): WorkflowResult {
    this.#keep(outputs)
    const visited = new Set(this.#results.map(({ id }) => id))
    const skipped = this.#steps
      .filter((step) => !visited.has(textOf(step.stepId)))
      .map((step) => StepRun.skipped(step, this.placeOf(step)))
    const result = {
      id: this.id,
      document: this.document.name,
      status,
      outputs,
      reason,
      steps: [...this.#results, ...skipped],
    }
    const ofDocument = this.session.ended.get(this.document) ?? new Map<string, WorkflowResult>()
    this.session.ended.set(this.document, ofDocument.set(this.id, result))
    return result
  }
}

/** What is asked of a run. */
export interface RunRequest {
  readonly document: WorkflowDocument
  /** The workflows to run, in this order. */
  readonly workflows: readonly string[]
  /** The inputs of each. */
  readonly inputsOf: (workflow: JsonObject) => JsonObject
  readonly servers: ReadonlyMap<string, string>
  /** For the security schemes of the sources; none where they are left out. */
  readonly credentials?: Credentials
  readonly limits: RunLimits
}

/**
 * Runs workflows, each after those that it depends on; one that ran already as a dependency does not run again.
 * @returns the workflows in the order in which they ended; workflows that steps called are within their steps
 */
export async function runWorkflows(
  { document, workflows, inputsOf, servers, credentials, limits }: RunRequest,
  world: World,
): Promise<RunResult> {
  const chosen = { document, inputsOf, servers, ...(credentials === undefined ? {} : { credentials }) }
  const session = new Session(world, limits, chosen)
  const ofDocument = new Map<string, WorkflowResult>()
  for (const id of workflows) {
    if (session.ended.get(document)?.has(id) === true) continue
    const found = findWorkflow(document, id)
    if (typeof found === 'string') continue
    const { workflow } = found
    ofDocument.set(
      id,
      await new WorkflowRun(session, document, workflow, isObject(workflow) ? inputsOf(workflow) : {}, 0).run(),
    )
  }
  const before = dependenciesOf(document, workflows)
  const results = [...before, ...workflows].flatMap((id) => {
    const result = ofDocument.get(id) ?? session.ended.get(document)?.get(id)
    return result === undefined ? [] : [result]
  })
  const coverage = [...descriptionsOf(document).values()].map((it) => session.coverage.of(it))
  return { workflows: [...new Set(results)], calls: session.calls, coverage, secrets: session.secrets }
}

/** The workflows of the document itself that workflows depend on, directly or through each other, first those without dependencies. */
export function dependenciesOf(document: WorkflowDocument, workflows: readonly string[]): readonly string[] {
  const ordered = new Set<string>()
  const seen = new Set<string>()
  const visit = (id: string): void => {
    if (seen.has(id)) return
    seen.add(id)
    const found = findWorkflow(document, id)
    if (typeof found === 'string' || found.document !== document) return
    for (const before of textsOf(found.workflow.dependsOn)) {
      visit(before)
      if (!before.startsWith('$')) ordered.add(before)
    }
  }
  for (const id of workflows) visit(id)
  return [...ordered]
}
