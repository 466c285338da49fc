/** A visit of a step: its tries, and the action that follows. */
import { type JsonObject, textOf } from '../kernel/json.ts'
import { StepAttempt, type Attempt, type ToldAttempt, untold } from './attempt.ts'
import { checkCriteria } from './criterion.ts'
import { combined, objectsOf } from './document.ts'
import type { StepResult, WorkflowResult } from './result.ts'
import type { StepOwner } from './session.ts'
import { valueOf } from './values.ts'

/** Where a run continues: null for the next step. */
export type Goto =
  | { readonly kind: 'end' }
  | { readonly kind: 'step'; readonly id: string }
  | { readonly kind: 'workflow'; readonly result: WorkflowResult }
  | null

/** A step that ran, and where the run continues. */
export interface Ran {
  readonly result: StepResult
  readonly goto: Goto
}

const limitOf = ({ retryLimit }: JsonObject): number => (typeof retryLimit === 'number' ? retryLimit : 1)

/** One visit of a step. */
export class StepRun {
  readonly #owner: StepOwner
  readonly #step: JsonObject
  readonly #place: StepResult['place']
  readonly #retries = new Map<JsonObject, number>()
  #attempts = 0

  constructor(owner: StepOwner, step: JsonObject, place: StepResult['place']) {
    this.#owner = owner
    this.#step = step
    this.#place = place
  }

  /** The result of a step that was never visited. */
  static skipped(step: JsonObject, place: StepResult['place']): StepResult {
    return {
      id: textOf(step.stepId),
      ...untold,
      status: 'skipped',
      reason: 'It did not run',
      attempts: 0,
      action: null,
      place,
    }
  }

  async run(): Promise<Ran> {
    for (;;) {
      this.#attempts++
      const attempt = await new StepAttempt(this.#owner, this.#step).run()
      const { told } = attempt
      if (told.status === 'passed') this.#owner.outputs.set(textOf(this.#step.stepId), told.outputs)
      const action = told.status === 'skipped' ? null : await this.#actionAfter(attempt)
      if (action === null) return this.#ran(told, null, null)
      if (action.type === 'end') return this.#ran(told, { kind: 'end' }, 'end')
      if (action.type === 'goto') return this.#go(attempt, action)
      const refusal = await this.#prepareRetry(attempt, action)
      if (refusal !== null) return this.#ran({ ...told, reason: refusal }, null, null)
    }
  }

  #ran(told: ToldAttempt, goto: Goto, action: string | null): Ran {
    const result = { ...told, id: textOf(this.#step.stepId), attempts: this.#attempts, action, place: this.#place }
    return { result, goto }
  }

  // The first action whose criteria are all met; a retry counts until its limit is reached.
  async #actionAfter({ told: { status }, scope }: Attempt): Promise<JsonObject | null> {
    const { document, workflow } = this.#owner
    const isPassed = status === 'passed'
    const list = isPassed
      ? combined(document.root, this.#step.onSuccess, workflow.successActions)
      : combined(document.root, this.#step.onFailure, workflow.failureActions)
    for (const action of list) {
      if (action.type === 'retry' && (isPassed || (this.#retries.get(action) ?? 0) >= limitOf(action))) continue
      const criteria = await checkCriteria(objectsOf(action.criteria), { ...scope, steps: this.#owner.outputs })
      if (criteria.every(({ met }) => met)) return action
    }
    return null
  }

  async #go(attempt: Attempt, action: JsonObject): Promise<Ran> {
    if (typeof action.stepId === 'string')
      return this.#ran(attempt.told, { kind: 'step', id: action.stepId }, `goto ${action.stepId}`)
    const id = textOf(action.workflowId)
    const called = await this.#callFor(attempt, action, id)
    if (typeof called === 'string') return this.#ran({ ...attempt.told, status: 'failed', reason: called }, null, null)
    return this.#ran({ ...attempt.told, workflow: called }, { kind: 'workflow', result: called }, `goto ${id}`)
  }

  async #callFor({ scope }: Attempt, action: JsonObject, id: string): Promise<WorkflowResult | string> {
    const inputs: Record<string, Awaited<ReturnType<typeof valueOf>>> = {}
    try {
      for (const it of combined(this.#owner.document.root, action.parameters, undefined))
        inputs[textOf(it.name)] = await valueOf(it.value ?? null, scope)
    } catch (error) {
      return (error as Error).message
    }
    return this.#owner.call(id, inputs)
  }

  // Waits, and runs what an action wants to run before the step is tried again. Returns why it is not tried again.
  async #prepareRetry(attempt: Attempt, action: JsonObject): Promise<string | null> {
    this.#retries.set(action, (this.#retries.get(action) ?? 0) + 1)
    const { session } = this.#owner
    const asked = typeof action.retryAfter === 'number' ? action.retryAfter * 1000 : 0
    const ms = attempt.retryAfterMs ?? asked
    if (ms >= session.left())
      return `${attempt.told.reason ?? ''}; waiting ${ms / 1000} s to try again would exceed the time of the run`
    if (ms > 0) await session.world.wait(ms)
    if (typeof action.workflowId === 'string') {
      const called = await this.#callFor(attempt, action, action.workflowId)
      if (typeof called === 'string') return called
      if (called.status !== 'passed') return `The workflow "${called.id}", which runs before another try, failed`
    }
    if (typeof action.stepId === 'string') {
      const refusal = await this.#owner.visitStep(action.stepId)
      if (refusal !== null) return refusal
    }
    return session.visit()
  }
}
