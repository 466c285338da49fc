import { compareText } from '../../src/kernel/order.ts'

/** Work that is due, of an organization; null: of the whole service. */
export interface DueWork {
  readonly tenantId: string | null
  /** When it became due: texts that sort by time. */
  readonly since: string
}

/** Organizations whose last turn is remembered; who is not counts as never served. */
const maxRemembered = 10_000

/**
 * How much is under way at once, and whose turn it is. No organization has more than half, so that one whose work takes long never
 * keeps that of others waiting. Work of the whole service is limited by the whole only.
 */
export class Share {
  readonly #capacity: number
  readonly #maxOfTenant: number
  readonly #busy = new Map<string, number>()
  /** The number of the last turn of each organization, in the order of these turns. */
  readonly #served = new Map<string, number>()
  #underWay = 0
  #turn = 0

  /** @param capacity how much is under way at once */
  constructor(capacity: number) {
    this.#capacity = capacity
    this.#maxOfTenant = Math.max(1, Math.ceil(capacity / 2))
  }

  /** How much more may begin. */
  get free(): number {
    return Math.max(0, this.#capacity - this.#underWay)
  }

  /** How much more of an organization may begin, as far as its own part allows it. */
  freeOf(tenantId: string | null): number {
    return tenantId === null ? this.#capacity : Math.max(0, this.#maxOfTenant - (this.#busy.get(tenantId) ?? 0))
  }

  /** The organizations that have used their share: none of their work may begin now. */
  get full(): readonly string[] {
    return [...this.#busy.keys()].filter((tenantId) => this.freeOf(tenantId) === 0)
  }

  /**
   * Notes that a piece of work begins.
   * @returns what notes that it has ended
   */
  begin(tenantId: string | null): () => void {
    this.#underWay += 1
    if (tenantId !== null) {
      this.#busy.set(tenantId, (this.#busy.get(tenantId) ?? 0) + 1)
      this.#serve(tenantId)
    }
    return () => {
      this.#underWay -= 1
      if (tenantId === null) return
      const left = (this.#busy.get(tenantId) ?? 1) - 1
      if (left === 0) this.#busy.delete(tenantId)
      else this.#busy.set(tenantId, left)
    }
  }

  #serve(tenantId: string): void {
    this.#served.delete(tenantId)
    this.#served.set(tenantId, ++this.#turn)
    const [oldest] = this.#served.keys()
    if (this.#served.size > maxRemembered && oldest !== undefined) this.#served.delete(oldest)
  }

  /**
   * Puts what is due in the order in which it is served, without that of organizations that have their part: one piece of each
   * organization in turn, who was served longest ago first, and within an organization what waits longest.
   * @param compare orders what goes before all of that
   */
  order<T extends DueWork>(due: readonly T[], compare: (a: T, b: T) => number = () => 0): T[] {
    const rounds = new Map<string | null, number>()
    return due
      .filter(({ tenantId }) => this.freeOf(tenantId) > 0)
      .toSorted((a, b) => compare(a, b) || bySince(a, b))
      .map((work) => {
        const round = rounds.get(work.tenantId) ?? 0
        rounds.set(work.tenantId, round + 1)
        return { work, round, served: this.#served.get(work.tenantId ?? '') ?? 0 }
      })
      .toSorted(
        (a, b) => compare(a.work, b.work) || a.round - b.round || a.served - b.served || bySince(a.work, b.work),
      )
      .map(({ work }) => work)
  }
}

const bySince = (a: DueWork, b: DueWork): number => compareText(a.since, b.since)
