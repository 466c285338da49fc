import { useEffect, useRef, useState } from 'react'
import { editsApi } from '../../../../../src/api/edits.ts'
import type { Input, Output } from '../../../../../src/api/endpoint.ts'
import { call } from '../../../call.ts'
import type { DocumentEditor, Snapshot } from '../../../editor/document.ts'
import { versionParams, type VersionRef } from '../../catalog/versions.ts'

/** Does work again after each touch, once things have rested for a moment: one at a time, and never for what is outdated. */
class Rested {
  readonly #work: () => Promise<void>
  readonly #delayMs: () => number
  #timer: ReturnType<typeof setTimeout> | undefined
  #isWorking = false
  #isTouched = false
  #isStopped = false

  constructor(work: () => Promise<void>, delayMs: () => number) {
    this.#work = work
    this.#delayMs = delayMs
  }

  touch(): void {
    if (this.#isStopped) return
    this.#isTouched = true
    if (this.#isWorking) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#run(), this.#delayMs())
  }

  async #run(): Promise<void> {
    this.#isWorking = true
    this.#isTouched = false
    try {
      await this.#work()
    } finally {
      this.#isWorking = false
      if (this.#isTouched) this.touch()
    }
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}

export type Checked = Output<typeof editsApi.check>
export type Changed = Output<typeof editsApi.changes>
export type Outline = Output<typeof editsApi.outline>

/** What is known of a text at one moment. */
export interface CheckResult<T> {
  readonly value: T
  readonly snapshot: Snapshot
}

/** What the service says of the text that is being edited. */
export interface Checks {
  readonly findings: CheckResult<Checked> | null
  readonly changes: CheckResult<Changed> | null
  readonly outline: CheckResult<Outline> | null
  /** Whether a newer answer is on its way. */
  readonly isBusy: boolean
  /** Why the last question was not answered. */
  readonly error: unknown
}

const nothing: Checks = { findings: null, changes: null, outline: null, isBusy: true, error: null }

/** What is asked of a text. */
export const textOf = (digest: string, { edits }: Snapshot) => ({
  digest,
  edits: edits as Input<typeof editsApi.check>['body']['edits'],
})

/** Whether a text could be parsed. */
export const isReadable = ({ findings }: Checked): boolean => findings.every(({ code }) => code !== 'parser')

/** Larger documents take longer to read: they are asked about less often. */
const delayOf = (characters: number): number => 400 + Math.min(1600, characters / 8000)

/**
 * Has the text checked a moment after each edit: findings first, then its outline and what it changes, as long as nothing is
 * typed meanwhile.
 */
export const useChecks = (editor: DocumentEditor | null, at: VersionRef, digest: () => string) => {
  const [checks, setChecks] = useState<Checks>(nothing)
  const rested = useRef<Rested | null>(null)
  const { tenant, project, version } = at
  useEffect(() => {
    if (editor === null) return
    const params = versionParams({ tenant, project, version })
    const add = (known: Partial<Checks>): void => setChecks((before) => ({ ...before, ...known }))
    const ask = async (): Promise<void> => {
      const snapshot = editor.snapshot()
      const body = textOf(digest(), snapshot)
      try {
        const value = await call(editsApi.check, { params, body })
        editor.markFindings(value.findings, snapshot)
        add({ findings: { value, snapshot }, error: null })
        if (!snapshot.isCurrent()) return
        // Of a text that cannot be read the last outline and changes stay.
        if (!isReadable(value)) return add({ isBusy: false })
        add({ outline: { value: await call(editsApi.outline, { params, body }), snapshot } })
        if (!snapshot.isCurrent()) return
        const changes = await call(editsApi.changes, { params, body })
        editor.markChanges(changes.changes, snapshot)
        add({ changes: { value: changes, snapshot }, isBusy: !snapshot.isCurrent() })
      } catch (error) {
        add({ error, isBusy: false })
      }
    }
    const running = new Rested(ask, () => delayOf(editor.length()))
    rested.current = running
    running.touch()
    return () => running.stop()
  }, [editor, tenant, project, version])
  return {
    checks,
    touch: (): void => {
      setChecks((before) => (before.isBusy ? before : { ...before, isBusy: true }))
      rested.current?.touch()
    },
  }
}
