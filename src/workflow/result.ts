/** What a run of workflows comes to. */
import type { JsonObject } from '../kernel/json.ts'
import type { Mismatch, Received } from './answer.ts'
import type { CriterionResult } from './criterion.ts'
import type { Request } from './request.ts'

export type Status = 'passed' | 'failed' | 'skipped'

/** One visit of a step. */
export interface StepResult {
  readonly id: string
  readonly status: Status
  readonly outputs: JsonObject
  /** Why it failed or was skipped; null where it passed. */
  readonly reason: string | null
  /** Whether it failed because a server did not answer. */
  readonly unanswered: boolean
  /** How often it was tried. */
  readonly attempts: number
  /** "POST /orders" of an operation, the id of a workflow; null where it names none that was found. */
  readonly target: string | null
  /** The name of the source of its operation. */
  readonly source: string | null
  readonly request: { readonly method: string; readonly url: string } | null
  readonly answer: { readonly status: number; readonly ms: number } | null
  readonly criteria: readonly CriterionResult[]
  /** How the answer differs from its description. */
  readonly mismatches: readonly Mismatch[]
  /** What did not fail it, and may be wrong. */
  readonly warnings: readonly string[]
  /** The workflow that it called. */
  readonly workflow: WorkflowResult | null
  /** The action that was taken after it: "goto pay". */
  readonly action: string | null
  /** Where it is written: the index of its workflow and its own one in the document. */
  readonly place: { readonly document: string; readonly workflow: number; readonly step: number }
}

export interface WorkflowResult {
  readonly id: string
  /** The document that has it. */
  readonly document: string
  readonly status: Status
  readonly outputs: JsonObject
  readonly reason: string | null
  readonly steps: readonly StepResult[]
}

/** A request that was sent, with its answer. */
export interface Call {
  readonly workflow: string
  readonly step: string
  readonly source: string
  /** The method and the template of the path. */
  readonly operation: string
  /** When it began and how long it took, in milliseconds since the run began. */
  readonly at: number
  readonly ms: number
  readonly request: Request
  /** Null where none came. */
  readonly received: Received | null
  /** Whether the content of the answer was kept. */
  readonly isWhole: boolean
}

/** Operations and answers of one source that the run saw. */
export interface Coverage {
  readonly source: string
  readonly operations: { readonly called: number; readonly total: number }
  readonly answers: { readonly seen: number; readonly total: number }
  /** Operations that no step called, as "GET /pets". */
  readonly missed: readonly string[]
}

export interface RunResult {
  readonly workflows: readonly WorkflowResult[]
  readonly calls: readonly Call[]
  readonly coverage: readonly Coverage[]
  /** Values that no report may show: inputs of the format "password". */
  readonly secrets: ReadonlySet<string>
}

/** Every step of workflows, those of called workflows included. */
export const stepsOf = (workflows: readonly WorkflowResult[]): readonly StepResult[] =>
  workflows.flatMap(({ steps }) =>
    steps.flatMap((step) => [step, ...(step.workflow === null ? [] : stepsOf([step.workflow]))]),
  )
