import { useSyncExternalStore } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { keep, kept, onForget } from '../../parts/kept.ts'
import { guideParams, type GuideRef } from '../lint/queries.ts'

export type ImpactRow = Output<typeof styleGuidesApi.impact>['items'][number]
export type Which = 'latest' | 'all'

/** The impact of a guide, as it was calculated. */
export interface Impact {
  /** What it depended on: the service says another one as soon as that changed. */
  readonly stamp: string
  readonly at: string
  readonly rows: readonly ImpactRow[]
}

export type ImpactState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly done: number; readonly total: number; readonly rows: readonly ImpactRow[] }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'done'; readonly impact: Impact }

const none: ImpactState = { kind: 'none' }
const states = new Map<string, ImpactState>()
const running = new Map<string, AbortController>()
const listeners = new Set<() => void>()

const set = (key: string, state: ImpactState): void => {
  states.set(key, state)
  for (const listener of listeners) listener()
}

const keyOf = ({ tenant, guide }: GuideRef, which: Which): string => `impact ${tenant} ${guide} ${which}`

const stateOf = (key: string): ImpactState => {
  const state = states.get(key)
  if (state !== undefined) return state
  const impact = kept(key) as Impact | null
  const read: ImpactState = impact === null ? none : { kind: 'done', impact }
  states.set(key, read)
  return read
}

onForget(() => {
  for (const controller of running.values()) controller.abort()
  running.clear()
  states.clear()
})

/** What is known of the impact of a guide at present. */
export const impactNow = (at: GuideRef, which: Which): ImpactState => stateOf(keyOf(at, which))

/** The same for a page, which follows it; the calculation continues while other pages are read. */
export const useImpact = (at: GuideRef, which: Which): ImpactState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => impactNow(at, which),
  )

const atOnce = 20

/** Lints all versions that the guide would apply to, some at a time, until it ends or is cancelled. */
export async function calculateImpact(at: GuideRef, which: Which): Promise<void> {
  const key = keyOf(at, which)
  if (running.has(key)) return
  const controller = new AbortController()
  running.set(key, controller)
  const rows: ImpactRow[] = []
  try {
    let stamp: string | null = null
    set(key, { kind: 'running', done: 0, total: 0, rows: [] })
    for (let offset = 0, total = 1; offset < total; offset += atOnce) {
      const query = { versions: which, limit: atOnce, offset }
      const part = await call(styleGuidesApi.impact, { params: guideParams(at), query })
      if (controller.signal.aborted) return
      // What changes while it runs makes the whole outdated: the first stamp counts.
      stamp ??= part.stamp
      ;({ total } = part)
      rows.push(...part.items)
      set(key, { kind: 'running', done: Math.min(total, offset + atOnce), total, rows: [...rows] })
    }
    const impact: Impact = { stamp: stamp ?? '', at: new Date().toISOString(), rows }
    keep(key, impact)
    set(key, { kind: 'done', impact })
  } catch (error) {
    if (!controller.signal.aborted) set(key, { kind: 'failed', error })
  } finally {
    if (running.get(key) === controller) running.delete(key)
  }
}

/** Ends the calculation; what was calculated before is shown again. */
export const cancelImpact = (at: GuideRef, which: Which): void => {
  const key = keyOf(at, which)
  running.get(key)?.abort()
  running.delete(key)
  states.delete(key)
  set(key, stateOf(key))
}
