/** One try of a step: its call or its workflow, its criteria, and its outputs. */
import { objectOf, type Json, type JsonObject, textOf } from '../kernel/json.ts'
import { checkAnswer, mismatchText, readAnswer, type Mismatch, type ReadAnswer } from './answer.ts'
import { checkCriteria, type CriterionResult } from './criterion.ts'
import { combined, objectsOf, textsOf } from './document.ts'
import { NoAnswer, RequestImpossible, SelectorInvalid, ValueMissing } from './faults.ts'
import { findOperation, type Called } from './openapi.ts'
import { bodyOf, type Body } from './payload.ts'
import { baseOf, messageOf, missingIn, requestOf, type GivenParameter, type Request } from './request.ts'
import type { StepResult, WorkflowResult } from './result.ts'
import type { Exchange, Scope } from './scope.ts'
import { withCredentials } from './security.ts'
import type { StepOwner } from './session.ts'
import { valueOf } from './values.ts'

/** What a try says of its step. */
export type ToldAttempt = Omit<StepResult, 'id' | 'attempts' | 'action' | 'place'>

/** What one try came to. */
export interface Attempt {
  readonly told: ToldAttempt
  /** What the criteria of its actions see. */
  readonly scope: Scope
  /** What the answer says of when to try again, in milliseconds; null where it says nothing. */
  readonly retryAfterMs: number | null
}

type Tried = ToldAttempt & {
  readonly scope: Scope
  readonly retryAfterMs: number | null
}

/** The report of a step that did not run. */
export const untold: Omit<ToldAttempt, 'status'> = {
  outputs: {},
  reason: null,
  unanswered: false,
  target: null,
  source: null,
  request: null,
  answer: null,
  criteria: [],
  mismatches: [],
  warnings: [],
  workflow: null,
}

type Told = Omit<Tried, 'status' | 'scope'>

const nothing: Told = { ...untold, retryAfterMs: null }

/** Seconds, or a date: relative to the date of the answer itself, because clocks differ (RFC 9110, section 10.2.3). */
export function retryAfter(headers: Readonly<Record<string, string>>): number | null {
  const { 'retry-after': text, date } = headers
  if (text === undefined) return null
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000
  const [then, now] = [Date.parse(text), Date.parse(date ?? '')]
  return Number.isNaN(then) || Number.isNaN(now) ? null : Math.max(0, then - now)
}

const isExpected = (error: unknown): error is Error =>
  error instanceof ValueMissing || error instanceof SelectorInvalid || error instanceof RequestImpossible

/** Tries a step of a workflow once. */
export class StepAttempt {
  readonly #owner: StepOwner
  readonly #step: JsonObject

  constructor(owner: StepOwner, step: JsonObject) {
    this.#owner = owner
    this.#step = step
  }

  async run(): Promise<Attempt> {
    const { scope, retryAfterMs, ...told } = await this.#try()
    return { told, scope, retryAfterMs }
  }

  async #try(): Promise<Tried> {
    const scope = this.#owner.scope()
    try {
      const skip = this.#messages()
      if (skip !== null) return { ...nothing, status: 'skipped', reason: skip, scope }
      const waiting = this.#unmet()
      if (waiting !== null) return { ...nothing, status: 'failed', reason: waiting, scope }
      return typeof this.#step.workflowId === 'string'
        ? await this.#workflow(this.#step.workflowId, scope)
        : await this.#operation(scope)
    } catch (error) {
      if (!isExpected(error)) throw error
      return { ...nothing, status: 'failed', reason: error.message, scope }
    }
  }

  // Steps that send or receive messages, by what they say and by the source that they name.
  #messages(): string | null {
    const { action, channelPath, operationId, operationPath } = this.#step
    const [, name] =
      /^\{?\$sourceDescriptions\.([A-Za-z0-9_-]+)/.exec(textOf(operationId) || textOf(operationPath)) ?? []
    const source = name === undefined ? undefined : this.#owner.document.sources.get(name)
    if (source?.kind === 'missing') throw new RequestImpossible(`The source "${name}" was not read: ${source.reason}`)
    return action === undefined && channelPath === undefined && source?.kind !== 'asyncapi'
      ? null
      : 'It sends or receives messages, which svc does not'
  }

  // An operation that no source has may be in one that was not read.
  #notRead(): string {
    const missing = [...this.#owner.document.sources].flatMap(([name, it]) =>
      it.kind === 'missing' ? [`; the source "${name}" was not read: ${it.reason}`] : [],
    )
    return missing.join('')
  }

  #unmet(): string | null {
    const { session, document } = this.#owner
    for (const id of textsOf(this.#step.dependsOn)) {
      const [, workflow, step] = /^\$workflows\.([^.]+)\.steps\.([^.]+)$/.exec(id) ?? []
      if (workflow === undefined && id.startsWith('$'))
        return `It waits for ${id}, which is in another document and did not run`
      const ended = workflow === undefined ? undefined : session.ended.get(document)?.get(workflow)
      const isPassed =
        workflow === undefined
          ? this.#owner.outputs.has(id)
          : ended?.steps.some((it) => it.id === step && it.status === 'passed') === true
      if (!isPassed) return `It waits for the step ${id}, which did not pass`
    }
    return null
  }

  async #parameters(scope: Scope, isOfWorkflow: boolean): Promise<GivenParameter[]> {
    const { document, workflow } = this.#owner
    const given: GivenParameter[] = []
    for (const it of combined(document.root, this.#step.parameters, workflow.parameters)) {
      const place = textOf(it.in)
      // What has a place is for operations, and what has none for workflows: a workflow has both for all of its steps.
      if ((place === '') !== isOfWorkflow) continue
      given.push({ name: textOf(it.name), in: place, value: await valueOf(it.value ?? null, scope) })
    }
    return given
  }

  async #workflow(id: string, scope: Scope): Promise<Tried> {
    const given = await this.#parameters(scope, true)
    const called = await this.#owner.call(id, Object.fromEntries(given.map(({ name, value }) => [name, value])))
    if (typeof called === 'string') throw new RequestImpossible(called)
    const inner: Scope = { ...this.#owner.scope(), outputs: called.outputs }
    const fault = called.status === 'passed' ? null : `The workflow "${called.id}" failed`
    return this.#judged(inner, { ...nothing, target: id, workflow: called, unanswered: isUnanswered(called) }, fault)
  }

  async #operation(scope: Scope): Promise<Tried> {
    const called = findOperation(this.#step, this.#owner.descriptions)
    if (typeof called === 'string') throw new RequestImpossible(`${called}${this.#notRead()}`)
    const named = { target: `${called.method} ${called.path}`, source: called.source }
    try {
      const own = await this.#parameters(scope, false)
      const given = withCredentials(called, own, this.#owner.session.credentials)
      const body = await bodyOf(this.#step, called, scope)
      const description = this.#owner.descriptions.get(called.source)
      const { session } = this.#owner
      const chosen = session.servers.get(called.source) ?? null
      const base = baseOf(called, description?.address ?? '', chosen, session.world.server)
      return await this.#call(called, requestOf(called, base, given, body), given, body, scope)
    } catch (error) {
      if (!isExpected(error)) throw error
      return { ...nothing, ...named, status: 'failed', reason: error.message, scope }
    }
  }

  async #call(
    called: Called,
    request: Request,
    given: readonly GivenParameter[],
    body: Body | null,
    scope: Scope,
  ): Promise<Tried> {
    const target = `${called.method} ${called.path}`
    const { method, url } = request
    const told = { ...nothing, target, source: called.source, request: { method, url } }
    const exchange: Exchange = { method, url, request: messageOf(request, given, body), response: null }
    const warnings = missingIn(called, given, body)
    const sent = await this.#send(called, request)
    if ('reason' in sent)
      return { ...told, status: 'failed', ...sent, unanswered: true, warnings, scope: { ...scope, exchange } }
    const { answer, ms } = sent
    this.#owner.session.coverage.add(called, answer.status)
    const { mismatches, undecided } = await checkAnswer(called, answer)
    const inner: Scope = { ...scope, exchange: { ...exchange, response: answer } }
    return this.#judged(
      inner,
      {
        ...told,
        answer: { status: answer.status, ms },
        mismatches,
        warnings: [...warnings, ...undecided],
        retryAfterMs: retryAfter(answer.headers),
      },
      null,
    )
  }

  async #send(
    called: Called,
    request: Request,
  ): Promise<{ readonly answer: ReadAnswer; readonly ms: number } | { readonly reason: string }> {
    const { session } = this.#owner
    const { timeout } = this.#step
    const asked = typeof timeout === 'number' ? timeout : session.limits.requestMs
    const at = session.elapsed()
    const told = {
      workflow: this.#owner.id,
      step: textOf(this.#step.stepId),
      source: called.source,
      operation: `${called.method} ${called.path}`,
      at,
      request,
    }
    try {
      const timeoutMs = Math.max(1, Math.min(asked, session.left()))
      const received = await session.world.send(request, timeoutMs, { called, step: this.#step })
      const ms = session.elapsed() - at
      session.keep({ ...told, ms, received })
      return { answer: readAnswer(received), ms }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      session.keep({ ...told, ms: session.elapsed() - at, received: null })
      return { reason: error.message }
    }
  }

  async #judged(scope: Scope, told: Told, fault: string | null): Promise<Tried> {
    const criteria = await checkCriteria(objectsOf(this.#step.successCriteria), scope)
    const reason = fault ?? this.#failure(criteria, told.mismatches, scope)
    if (reason !== null) return { ...told, criteria, status: 'failed', reason, scope }
    const { outputs, missing } = await this.#outputs(scope)
    return { ...told, criteria, status: 'passed', outputs, warnings: [...told.warnings, ...missing], scope }
  }

  /** Why a step failed: a criterion that is not met, an answer that is not described; without criteria, an error of HTTP. */
  #failure(criteria: readonly CriterionResult[], mismatches: readonly Mismatch[], scope: Scope): string | null {
    const unmet = criteria.filter(({ met }) => !met)
    const said = [
      ...unmet.map(({ condition, reason }) => `${condition} is not met${reason === null ? '' : `: ${reason}`}`),
      ...mismatches.map(mismatchText),
    ]
    const status = scope.exchange?.response?.status ?? 0
    if (criteria.length === 0 && status >= 400) said.unshift(`The server answered ${status}`)
    return said.length === 0 ? null : said.join('; ')
  }

  async #outputs(scope: Scope): Promise<{ readonly outputs: JsonObject; readonly missing: readonly string[] }> {
    const outputs: Record<string, Json> = {}
    const missing: string[] = []
    for (const [name, written] of Object.entries(objectOf(this.#step.outputs)))
      try {
        outputs[name] = await valueOf(written, scope)
      } catch (error) {
        if (!isExpected(error)) throw error
        missing.push(`The output "${name}" has no value: ${error.message}`)
      }
    return { outputs, missing }
  }
}

const isUnanswered = ({ steps }: WorkflowResult): boolean => steps.some((it) => it.unanswered && it.status === 'failed')
