/** The two loops of an agent: releases come in, log records go out. Neither waits for the other, and traffic waits for none of them. */
import { backoffMs, reportOf, type Report } from '../../../src/gateway/agent/state.ts'
import { causeOf } from '../../file-cause.ts'
import { pause } from '../../pause.ts'
import type { Releases, Tell } from './releases.ts'
import { ServiceFailure, type EngineReport, type Service } from './service.ts'
import type { Shipper } from './ship.ts'

export interface AgentOptions {
  readonly service: Service
  readonly releases: Releases
  /** Null: no logs are sent. */
  readonly shipper: Shipper | null
  readonly engine: EngineReport
  readonly tell: Tell
  /** Seconds that the service may keep a poll open. */
  readonly waitSeconds: number
  /** How often logs are looked at. */
  readonly logsEveryMs: number
  readonly random: () => number
  readonly firstPauseMs: number
  readonly mostPauseMs: number
  /** Asks the gateway whether it uses a release; a sentence where it does not. Null: it cannot be asked. */
  readonly confirm: ((digest: string, signal: AbortSignal) => Promise<string | null>) | null
}

/** As many times in a row the gateway has to answer without the release before it is reported: old workers are still there for a moment. */
const doubtsBeforeReport = 3
const refusals = new Set([401, 403])
/** Before the first release the service answers at once: it is asked again after some seconds. */
const attemptsWithoutRelease = 3

/** A full disk or a bug: the agent says so and tries again; traffic does not depend on it. */
const reasonOf = (error: unknown): string => {
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') return causeOf(error)
  return error instanceof Error ? error.message : String(error)
}

export class Agent {
  readonly #options: AgentOptions
  #reported: Report | null = null
  #failures = 0
  /** The last problem with the service: it is said once, and once that it is over. */
  #problem: string | null = null
  /** Why the gateway does not seem to use the active release, and how often in a row it was so. */
  #doubt: { readonly reason: string; readonly times: number } | null = null

  constructor(options: AgentOptions) {
    this.#options = options
  }

  /** Works until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#releases(signal), this.#logs(signal)])
  }

  /**
   * Asks the service once, carries its release into the engine, and sends what the logs have.
   * @throws ServiceFailure where the service cannot be asked
   */
  async once(signal: AbortSignal): Promise<void> {
    await this.#carry(signal)
    await this.#poll(0, signal)
    await this.#carry(signal)
    await this.#report(signal)
    const { shipper, releases, service } = this.#options
    if (shipper === null) return
    while (shipper.read(releases.history) && !signal.aborted) continue
    while (!signal.aborted && (await shipper.send(service, signal))) continue
  }

  async #releases(signal: AbortSignal): Promise<void> {
    const { releases, waitSeconds } = this.#options
    while (!signal.aborted) {
      const isDone = await this.#carry(signal)
      if (!isDone) {
        // Going back did not succeed: the engine is asked again after a while.
        await this.#report(signal).catch(() => undefined)
        await this.#wait(++this.#failures, signal)
        continue
      }
      try {
        await this.#confirm(signal)
        await this.#report(signal)
        const kind = await this.#poll(waitSeconds, signal)
        this.#recovered()
        // What failed is tried again, later each time: once its cause is corrected, the agent need not be touched.
        const { failed } = releases.state
        if ((failed !== null && !failed.breaks) || kind === 'unusable') await this.#wait(++this.#failures, signal)
        else this.#failures = 0
        if (kind === 'none') await this.#wait(attemptsWithoutRelease, signal)
      } catch (error) {
        if (signal.aborted) return
        await this.#failed(error, signal)
      }
    }
  }

  /** Does all steps that are to be done. @returns false: one has to be repeated later */
  async #carry(signal: AbortSignal): Promise<boolean> {
    const { releases } = this.#options
    while (!signal.aborted && releases.isBusy) if (!(await releases.step(signal))) return signal.aborted
    return true
  }

  async #poll(waitSeconds: number, signal: AbortSignal): Promise<'taken' | 'unchanged' | 'none' | 'unusable'> {
    const { service, releases, tell } = this.#options
    const offer = await service.bundle(releases.etag, waitSeconds, signal)
    if (offer.kind !== 'release') return offer.kind
    const problem = releases.offer(offer.body, offer.etag)
    if (problem === null) return 'taken'
    tell('release-not-used', { reason: problem }, 'warn')
    return 'unusable'
  }

  async #report(signal: AbortSignal): Promise<void> {
    const { service, releases, engine, tell } = this.#options
    const known = reportOf(releases.state)
    const report =
      known?.state === 'active' && this.#isDoubted
        ? { ...known, state: 'failed' as const, error: this.#doubt?.reason ?? null }
        : known
    if (report === null || JSON.stringify(report) === JSON.stringify(this.#reported)) return
    try {
      await service.status(report, engine, signal)
    } catch (error) {
      // What the service will not take must not stop the polls: a release that it removed meanwhile, say.
      if (!(error instanceof ServiceFailure) || ![400, 404, 409, 422].includes(error.status ?? 0)) throw error
      tell('status-refused', { release: report.releaseId, reason: error.message }, 'warn')
    }
    this.#reported = report
  }

  get #isDoubted(): boolean {
    return (this.#doubt?.times ?? 0) >= doubtsBeforeReport
  }

  /** Someone may take the release out of the site at any time: what was confirmed once is asked again. */
  async #confirm(signal: AbortSignal): Promise<void> {
    const { confirm, releases, tell } = this.#options
    const { active, phase } = releases.state
    if (confirm === null || active === null || phase !== 'idle') return
    const reason = await confirm(active.digest, signal)
    if (signal.aborted) return
    const before = this.#isDoubted
    this.#doubt = reason === null ? null : { reason, times: (this.#doubt?.times ?? 0) + 1 }
    if (!before && this.#isDoubted) tell('release-not-seen', { release: active.releaseId, reason }, 'warn')
    if (before && reason === null) tell('release-seen', { release: active.releaseId })
  }

  #recovered(): void {
    if (this.#problem === null) return
    this.#options.tell('service-reached', {})
    this.#problem = null
  }

  async #failed(error: unknown, signal: AbortSignal): Promise<void> {
    const { tell } = this.#options
    const known = error instanceof ServiceFailure ? error : null
    const reason = known?.message ?? reasonOf(error)
    if (this.#problem !== reason) tell('service-not-reached', { reason, status: known?.status ?? null }, 'warn')
    this.#problem = reason
    this.#failures++
    // A key that is refused stays refused for a while: it is not asked every few seconds.
    const attempt = refusals.has(known?.status ?? 0) ? this.#failures + 5 : this.#failures
    await this.#wait(attempt, signal, known?.retryAfterMs ?? null)
  }

  async #wait(attempt: number, signal: AbortSignal, leastMs: number | null = null): Promise<void> {
    const { random, firstPauseMs, mostPauseMs } = this.#options
    const ms = backoffMs(attempt, random(), mostPauseMs, firstPauseMs)
    await pause(Math.max(ms, leastMs ?? 0), signal).catch(() => undefined)
  }

  async #logs(signal: AbortSignal): Promise<void> {
    const { shipper, releases, logsEveryMs } = this.#options
    if (shipper === null) return
    const sending = this.#sending(shipper, signal)
    while (!signal.aborted) {
      // More is there: it is read at once, but not without letting others work.
      const isAny = shipper.read(releases.history)
      await pause(isAny ? Math.min(10, logsEveryMs) : logsEveryMs, signal).catch(() => undefined)
    }
    await sending
  }

  /** Sends beside the reading: a service that does not answer delays nothing but itself. */
  async #sending(shipper: Shipper, signal: AbortSignal): Promise<void> {
    const { service, logsEveryMs } = this.#options
    let failures = 0
    while (!signal.aborted) {
      try {
        const isAny = await shipper.send(service, signal)
        failures = 0
        if (!isAny) await pause(logsEveryMs, signal).catch(() => undefined)
      } catch (error) {
        if (signal.aborted) return
        const known = error instanceof ServiceFailure ? error : null
        if (known === null) this.#options.tell('records-not-sent', { reason: reasonOf(error) }, 'warn')
        await this.#wait(++failures, signal, known?.retryAfterMs ?? null)
      }
    }
  }
}
