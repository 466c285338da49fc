/** What all workflows of one run share, and what a run needs of the world. */
import type { JsonObject } from '../kernel/json.ts'
import type { Received } from './answer.ts'
import { CoverageCount } from './coverage.ts'
import type { WorkflowDocument } from './document.ts'
import type { Called, Description } from './openapi.ts'
import type { Request } from './request.ts'
import type { Call, WorkflowResult } from './result.ts'
import type { Credentials } from './security.ts'
import type { Scope, WorkflowValues } from './scope.ts'

/** What a request was made of. */
export interface Made {
  readonly called: Called
  readonly step: JsonObject
}

/** What a run needs of the world. */
export interface World {
  /**
   * Sends a request and reads its answer; redirects are answers.
   * @throws NoAnswer
   */
  send(request: Request, timeoutMs: number, made: Made): Promise<Received>
  /** The server of sources that name none; null where there has to be one. */
  readonly server: string | null
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>
  /** Milliseconds that only increase. */
  now(): number
}

/** What bounds a run. */
export interface RunLimits {
  /** All of it together. */
  readonly deadlineMs: number
  /** One request, where its step says nothing. */
  readonly requestMs: number
  /** So many visits of steps, those of called workflows included. */
  readonly maxSteps: number
}

/** What a person chose for the run. */
export interface Chosen {
  readonly document: WorkflowDocument
  /** The inputs of a workflow of the document. */
  readonly inputsOf: (workflow: JsonObject) => JsonObject
  /** By the name of the source. */
  readonly servers: ReadonlyMap<string, string>
  readonly credentials?: Credentials
}

/** Contents of answers are kept for reports up to so many bytes in a run; later ones are left out. */
const maxKept = 64_000_000

/** Everything that one run shares. */
export class Session {
  readonly world: World
  readonly limits: RunLimits
  readonly chosen: Chosen
  /** Servers that were chosen, by the name of the source. */
  readonly servers: ReadonlyMap<string, string>
  readonly #calls: Call[] = []
  #kept = 0
  readonly coverage = new CoverageCount()
  readonly secrets = new Set<string>()
  /** Workflows that ran, by document and id: what depends on one that ran does not run it again. */
  readonly ended = new Map<WorkflowDocument, Map<string, WorkflowResult>>()
  readonly values = new Map<WorkflowDocument, Map<string, WorkflowValues>>()
  #steps = 0
  readonly #begun: number

  /** By source and security scheme. */
  readonly credentials: Credentials

  constructor(world: World, limits: RunLimits, chosen: Chosen) {
    const { servers, credentials = new Map() } = chosen
    this.credentials = credentials
    for (const it of credentials.values()) this.secrets.add(it)
    this.world = world
    this.limits = limits
    this.chosen = chosen
    this.servers = servers
    this.#begun = world.now()
  }

  get calls(): readonly Call[] {
    return this.#calls
  }

  /** Keeps a call for reports. */
  keep(call: Omit<Call, 'isWhole'>): void {
    const { received } = call
    const size = received?.body.byteLength ?? 0
    const isWhole = this.#kept + size <= maxKept
    if (isWhole) this.#kept += size
    const left = received === null || isWhole ? received : { ...received, body: new Uint8Array() }
    this.#calls.push({ ...call, received: left, isWhole })
  }

  /** Milliseconds since the run began. */
  elapsed(): number {
    return this.world.now() - this.#begun
  }

  left(): number {
    return this.limits.deadlineMs - this.elapsed()
  }

  /** Counts a visit of a step. @returns why there may be none */
  visit(): string | null {
    if (this.left() <= 0) return `The run took longer than ${this.limits.deadlineMs / 1000} s`
    this.#steps++
    const { maxSteps } = this.limits
    return this.#steps > maxSteps ? `The run visited more than ${maxSteps} steps; a loop of goto may have no end` : null
  }
}

/** The workflow that a step belongs to, as the step sees it. */
export interface StepOwner {
  readonly id: string
  readonly session: Session
  readonly document: WorkflowDocument
  readonly workflow: JsonObject
  /** By the name of their source. */
  readonly descriptions: ReadonlyMap<string, Description>
  /** The outputs of steps that passed. */
  readonly outputs: Map<string, JsonObject>
  /** What expressions of the workflow see. */
  scope(): Scope
  /** Runs another workflow. @returns its result, or why it cannot run */
  call(id: string, inputs: JsonObject): Promise<WorkflowResult | string>
  /** Runs another step of the workflow on the way of a retry. @returns why it cannot run, or null */
  visitStep(stepId: string): Promise<string | null>
}
