/** Carries releases into the engine: `src/gateway/agent/state.ts` decides what is done, this does it and keeps the state on disk. */
import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { misdirected, readBundle, type Bundle } from '../../../src/gateway/agent/bundle.ts'
import { errorText } from '../../../src/gateway/agent/error-text.ts'
import {
  afterOutcome,
  initialState,
  resume,
  stepOf,
  type Outcome,
  type Ref,
  type ReleaseState,
  type Step,
} from '../../../src/gateway/agent/state.ts'
import { causeOf } from '../../file-cause.ts'
import type { RunCommand } from './commands.ts'
import { writeCheck, type EngineSetup } from './engines.ts'
import type { Folder } from './folder.ts'
import type { Watch } from './watch.ts'

const ref = Type.Object({ releaseId: Type.String(), digest: Type.String({ pattern: '^[0-9a-f]{64}$' }) })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(it: T) => Type.Union([it, Type.Null()])
const Saved = Type.Object({
  format: Type.Literal(1),
  publicKey: Type.String(),
  /** The last release that was taken; agents of before did not keep it. */
  taken: Type.Optional(
    orNull(Type.Object({ environmentId: Type.String(), number: Type.Number(), releaseId: Type.String() })),
  ),
  etag: orNull(Type.String()),
  release: Type.Object({
    phase: Type.Union([Type.Literal('idle'), Type.Literal('swap'), Type.Literal('watch'), Type.Literal('return')]),
    active: orNull(ref),
    candidate: orNull(ref),
    failed: orNull(Type.Composite([ref, Type.Object({ error: Type.String(), breaks: Type.Boolean() })])),
  }),
  /** Which release the engine used from which instant on, newest last. */
  history: Type.Array(Type.Object({ digest: Type.String(), releaseId: Type.String(), fromMs: Type.Number() })),
})
export type Saved = Static<typeof Saved>
const checker = TypeCompiler.Compile(Saved)
const stateName = 'agent.json'

/** @returns null: there is none, or none that can be read */
export function loadState(folder: Folder): Saved | null {
  const text = folder.read(stateName)
  try {
    const value: unknown = text === null ? null : JSON.parse(text)
    return checker.Check(value) ? value : null
  } catch {
    return null
  }
}

/** Says that something happened: one line, and the same as data. */
export type Tell = (
  event: string,
  data: Readonly<Record<string, string | number | boolean | null>>,
  level?: 'info' | 'warn',
) => void

export interface ReleasesOptions {
  readonly folder: Folder
  readonly setup: EngineSetup
  readonly publicKey: string
  /** How releases for this gateway name it: see `recipientOf`. */
  readonly recipient: string
  /** The next release may have a lower number than the last one. */
  readonly acceptOlder: boolean
  readonly run: RunCommand
  readonly watch: Watch
  readonly keep: number
  readonly now: () => number
  readonly secrets: readonly string[]
  readonly tell: Tell
}

const validateMs = 120_000
const reloadMs = 60_000
const mostHistory = 50
const short = (it: Ref | null): string => (it === null ? 'none' : it.releaseId)

export class Releases {
  readonly #options: ReleasesOptions
  #saved: Saved
  #offered: Bundle | null = null
  #acceptsOlder: boolean
  /** The site answered before the candidate was used. */
  #answered = false

  constructor(options: ReleasesOptions) {
    this.#options = options
    this.#acceptsOlder = options.acceptOlder
    const { folder, publicKey } = options
    const loaded = loadState(folder)
    const release = resume(loaded?.release ?? initialState, (it) => folder.isWhole(it.digest))
    this.#saved = { format: 1, etag: null, history: [], ...loaded, publicKey, release }
    // A release that is asked for again has to be sent again.
    if (loaded !== null && JSON.stringify(loaded.release) !== JSON.stringify(release))
      this.#saved = { ...this.#saved, etag: null }
    if (loaded?.publicKey !== publicKey) this.#keep({})
  }

  get state(): ReleaseState {
    return this.#saved.release
  }
  get etag(): string | null {
    return this.#saved.etag
  }
  get history(): Saved['history'] {
    return this.#saved.history
  }
  /** Whether something is to be done without an answer of the service. */
  get isBusy(): boolean {
    return stepOf(this.state).kind !== 'wait'
  }

  /** Keeps a state on disk; without it the step is not done. */
  #save(change: Partial<Saved>): void {
    const next = { ...this.#saved, ...change }
    this.#options.folder.replace(stateName, `${JSON.stringify(next)}\n`)
    this.#saved = next
  }

  /** Keeps a state in memory where the disk refuses it: the link already says what is in use. */
  #keep(change: Partial<Saved>): void {
    try {
      this.#save(change)
    } catch (error) {
      this.#saved = { ...this.#saved, ...change }
      this.#options.tell('state-not-saved', { reason: causeOf(error) }, 'warn')
    }
  }

  /**
   * Takes what the service sent.
   * @returns a sentence where it cannot be used
   */
  offer(body: unknown, etag: string | null): string | null {
    const bundle = readBundle(body, this.#options.publicKey)
    if (typeof bundle === 'string') return bundle
    const taken = this.#acceptsOlder ? null : (this.#saved.taken ?? null)
    const problem = misdirected(bundle, this.#options.recipient, taken)
    if (problem !== null) return problem
    const { dialect, name } = this.#options.setup.engine
    const given = { releaseId: bundle.releaseId, digest: bundle.digest }
    if (bundle.engine !== dialect.name) return `it is for ${bundle.engine}, but --engine ${name} reads ${dialect.name}`
    // While one is being used or left, another one waits for the next poll.
    if (this.state.phase !== 'idle') return null
    this.#offered = bundle
    const release = afterOutcome(this.state, { kind: 'offered', ref: given })
    if (release.active?.digest === bundle.digest && release.candidate === null) this.#adopt(bundle)
    this.#acceptsOlder = false
    const { releaseId, number, environment } = bundle
    this.#keep({ release, etag, taken: { environmentId: environment.id, number, releaseId } })
    return null
  }

  /** The files in use under another release: only what the agent knows of it changes. */
  #adopt(bundle: Bundle): void {
    const { folder, now } = this.#options
    try {
      folder.store(bundle)
      this.#note({ releaseId: bundle.releaseId, digest: bundle.digest }, now())
    } catch (error) {
      this.#options.tell('state-not-saved', { reason: causeOf(error) }, 'warn')
    }
  }

  #note(it: Ref, fromMs: number): void {
    const last = this.#saved.history.at(-1)
    if (last?.releaseId === it.releaseId) return
    this.#keep({ history: [...this.#saved.history, { ...it, fromMs }].slice(-mostHistory) })
  }

  /** Does the next step. @returns whether there was one */
  async step(signal: AbortSignal): Promise<boolean> {
    const step = stepOf(this.state)
    if (step.kind === 'wait') return false
    const before = this.state
    const outcome = await this.#do(step, signal)
    if (outcome === null) return false
    const release = afterOutcome(before, outcome)
    this.#report(before, release, outcome)
    if (release.phase === 'swap') {
      // The engine may read the candidate from now on: after a crash this has to be known.
      try {
        this.#save({ release })
      } catch (error) {
        this.#keep({ release: afterOutcome(before, { kind: 'failed', error: causeOf(error) }), etag: null })
      }
      return true
    }
    const isFailure = outcome.kind === 'failed'
    this.#keep({
      release,
      ...(release.phase === 'idle' && release.failed !== null && !release.failed.breaks ? { etag: null } : {}),
    })
    if (outcome.kind === 'watched') this.#prune()
    return !(isFailure && before.phase === 'return')
  }

  #report(before: ReleaseState, after: ReleaseState, outcome: Outcome): void {
    const { tell } = this.#options
    if (outcome.kind === 'failed' && before.phase === 'return')
      tell('return-failed', { release: short(before.active), error: outcome.error }, 'warn')
    else if (outcome.kind === 'failed')
      tell(
        'release-failed',
        { release: short(before.candidate), active: short(after.active), error: outcome.error },
        'warn',
      )
    else if (outcome.kind === 'used' && before.phase === 'return') tell('returned', { active: short(after.active) })
    else if (outcome.kind === 'used') tell('release-used', { release: short(before.candidate) })
    else if (outcome.kind === 'watched') tell('release-active', { release: short(after.active) })
  }

  async #do(step: Exclude<Step, { kind: 'wait' }>, signal: AbortSignal): Promise<Outcome | null> {
    if (step.kind === 'prepare') return this.#prepare(step.ref)
    if (step.kind === 'use') {
      const { active } = this.state
      this.#answered = step.ref !== null && (await this.#options.watch.answers(active?.digest ?? null, signal)) === true
      return this.#use(step.ref)
    }
    const problem = await this.#options.watch.watch(step.ref.digest, signal)
    // It was interrupted: the next start watches again.
    if (signal.aborted) return null
    return problem === null
      ? { kind: 'watched' }
      : {
          kind: 'failed',
          error: this.#redact(problem.error),
          breaks: problem.isSilent && this.#answered,
        }
  }

  #redact(text: string): string {
    return errorText(text, this.#options.secrets, this.#options.folder.path)
  }

  async #prepare(ref: Ref): Promise<Outcome> {
    const { folder, setup, run } = this.#options
    const bundle = this.#offered
    if (bundle?.digest !== ref.digest) return { kind: 'failed', error: 'the release is to be fetched again' }
    let check: string | null
    try {
      folder.store(bundle)
      check = writeCheck(folder, setup.engine, ref.digest)
    } catch (error) {
      return { kind: 'failed', error: this.#redact(`The release could not be written: ${causeOf(error)}`) }
    }
    if (setup.validate === null) return { kind: 'prepared' }
    const env = { SVC_RELEASE: folder.at('releases', ref.digest), ...(check === null ? {} : { SVC_CHECK: check }) }
    const ran = await run(setup.validate, env, validateMs)
    return ran.ok
      ? { kind: 'prepared' }
      : { kind: 'failed', error: this.#redact(`The engine does not accept the release.\n${ran.output}`) }
  }

  async #use(ref: Ref | null): Promise<Outcome> {
    const { folder, setup, run, now } = this.#options
    try {
      folder.point(ref?.digest ?? null)
    } catch (error) {
      return { kind: 'failed', error: this.#redact(`The link could not be replaced: ${causeOf(error)}`) }
    }
    if (setup.reload !== null) {
      const ran = await run(setup.reload, { SVC_RELEASE: folder.at('current') }, reloadMs)
      if (!ran.ok) return { kind: 'failed', error: this.#redact(`The engine did not reload.\n${ran.output}`) }
    }
    if (ref !== null) this.#note(ref, now())
    return { kind: 'used' }
  }

  #prune(): void {
    const { folder, keep, tell } = this.#options
    const recent = [...new Set(this.#saved.history.toReversed().map((it) => it.digest))].slice(0, keep)
    try {
      folder.prune(recent)
    } catch (error) {
      tell('prune-failed', { reason: causeOf(error) }, 'warn')
    }
  }
}
