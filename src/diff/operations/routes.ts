import type { Context } from '../context.ts'
import { compareBody } from '../content/body.ts'
import type { Fact } from '../fact.ts'
import type { Operation } from '../model/api.ts'
import { titleOf } from '../model/openapi.ts'
import { compareParameters } from '../parameters/compare.ts'
import { compareAnswers } from '../responses/compare.ts'
import { SecurityComparer } from '../security/compare.ts'
import type { Side } from '../side.ts'
import { Overlaps } from './overlaps.ts'
import { fullPathsOf } from './paths.ts'

/** What it means for clients that another operation answers at their URLs. */
export interface Rerouted {
  /** What breaks, or may break. */
  readonly facts: readonly Fact[]
  readonly worst: 'safe' | 'unknown' | 'breaking'
  readonly remark: string
  /** There are more templates than could be looked at. */
  readonly isExhausted: boolean
}

const nowhere: Rerouted = { facts: [], worst: 'safe', remark: '', isExhausted: false }
const exhausted: Rerouted = { ...nowhere, worst: 'unknown', isExhausted: true }
const ambiguous = 'several paths match the URL, and which of them answers is up to the service'

const worstOf = (facts: readonly Fact[]): Rerouted['worst'] => {
  if (facts.some((it) => it.verdict === 'breaking')) return 'breaking'
  return facts.some((it) => it.verdict === 'unknown') ? 'unknown' : 'safe'
}

/**
 * What answers at a URL although its path is only in one of the documents: "concrete (non-templated) paths would be matched
 * before their templated counterparts" (Paths Object). Requests are matched by method and path.
 */
export class Routes {
  private readonly context: Context
  private readonly known = new Map<Side, Overlaps>()

  constructor(context: Context) {
    this.context = context
  }

  private overlapsIn(side: Side): Overlaps {
    const known = this.known.get(side) ?? new Overlaps(this.context, side)
    this.known.set(side, known)
    return known
  }

  /** What a new operation changes at URLs that templates of the base answered. */
  before(b: Operation): Rerouted {
    const { base, head } = this.context
    const overlaps = this.overlapsIn(base).at(b, fullPathsOf(head, b.template))
    if (overlaps === null) return exhausted
    const stance = this.context.profile.stances['crossing-path-added']
    const facts = overlaps.flatMap(({ answering, asked, isSure }) => {
      if (!isSure && stance === 'safe') return []
      const remark = `${titleOf(answering)} answered this URL before`
      const found = this.alarms(answering, asked, titleOf(b))
      return found.map((fact): Fact => {
        if (isSure) return { ...fact, remark }
        const verdict = stance === 'breaking' ? stance : 'unknown'
        const policy = verdict === 'breaking' ? { policy: 'crossing-path-added' } : {}
        return { ...fact, verdict, witness: null, reason: `${remark}; ${ambiguous}`, ...policy }
      })
    })
    return { ...nowhere, facts, worst: worstOf(facts) }
  }

  /** What a template of the head answers at the URLs of an operation that is gone; null where none answers at all of them. */
  after(a: Operation): Rerouted | null {
    const { base, head } = this.context
    const overlaps = this.overlapsIn(head).at(a, fullPathsOf(base, a.template))
    const [only, other] = overlaps ?? []
    if (only === undefined || other !== undefined || !only.isSure) return null
    const facts = this.alarms(only.asked, only.answering, titleOf(a))
    const worst = worstOf(facts)
    const remark = `${titleOf(only.answering)} answers its URL${worst === 'safe' ? '' : ', in another way'}`
    return { ...nowhere, facts, worst, remark }
  }

  /** What breaks for a client of one operation that reaches the other. */
  private alarms(a: Operation, b: Operation, title: string): readonly Fact[] {
    const context = this.context.apart()
    new SecurityComparer(context).compare(title, a, b)
    compareParameters(context, title, a, b, false)
    compareBody(context, title, a, b, false)
    compareAnswers(context, title, a, b, false)
    context.schemas.settle()
    return context.collector
      .finish()
      .map(({ fact }) => fact)
      .filter(({ verdict }) => verdict === 'breaking' || verdict === 'unknown')
  }
}
