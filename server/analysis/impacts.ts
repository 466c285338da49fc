import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { consumers, contractRevisions } from '../../db/tables.gen.ts'
import type { Contract } from '../../src/contracts/contract.ts'
import type { ConsumerImpact } from '../../src/contracts/impact.ts'
import type { Change } from '../../src/diff/change.ts'
import { digestText } from '../../src/document/serialize.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import { contentKey, type Subject } from './subject.ts'

/** A live consumer with its current contract. */
export interface LiveConsumer {
  readonly id: string
  readonly handle: string
  readonly name: string
  readonly revision: number
  readonly versionLabel: string
  readonly contract: Contract
}

/** What a comparison means for the consumers of a project. */
export interface ProjectImpact {
  readonly consumers: readonly (ConsumerImpact & Pick<LiveConsumer, 'name' | 'revision' | 'versionLabel'>)[]
  /** The changes with the handles of the consumers they touch. */
  readonly changes: readonly Change[]
}

// Counted in operations that contracts name, and in consumers and changes of a result.
const cachedOperations = 200_000
const cachedImpacts = 50_000

/** Knows the contracts of projects and what comparisons mean for them; both from memory where they were asked for before. */
export class Impacts {
  // A revision never changes, so that its contract may be kept under its id for as long as there is room.
  readonly #contracts = new SizedCache<Contract>(cachedOperations, 'contracts')
  readonly #impacts = new SizedCache<ProjectImpact>(cachedImpacts, 'impacts')

  /** The live consumers of a project that declared something, by handle. */
  async consumersOf(read: Reader, tenantId: string, projectId: string): Promise<readonly LiveConsumer[]> {
    const rows = await read
      .select({
        id: consumers.id,
        handle: consumers.handle,
        name: consumers.name,
        revisionId: contractRevisions.id,
        revision: contractRevisions.revision,
        versionLabel: contractRevisions.versionLabel,
      })
      .from(consumers)
      .innerJoin(
        contractRevisions,
        inTenant(contractRevisions, tenantId, eq(contractRevisions.id, consumers.revisionId)),
      )
      .where(and(inTenant(consumers, tenantId, eq(consumers.projectId, projectId)), isNull(consumers.retiredAt)))
      .orderBy(asc(consumers.handle))
    const missing = rows.filter((row) => this.#contracts.get(row.revisionId) === undefined).map((row) => row.revisionId)
    const fetched = new Map<string, Contract>()
    for (let from = 0; from < missing.length; from += 500) {
      const wanted = inArray(contractRevisions.id, missing.slice(from, from + 500))
      const found = await read
        .select({ id: contractRevisions.id, contract: contractRevisions.contract })
        .from(contractRevisions)
        .where(inTenant(contractRevisions, tenantId, wanted))
      for (const { id, contract } of found) {
        fetched.set(id, contract)
        this.#contracts.set(id, contract, contract.operations.length + 1)
      }
    }
    return rows.flatMap(({ revisionId, ...row }) => {
      const contract = fetched.get(revisionId) ?? this.#contracts.get(revisionId)
      return contract === undefined ? [] : [{ ...row, contract }]
    })
  }

  /**
   * What a comparison means for consumers, from memory where that was asked before.
   * @param compute finds it out otherwise
   */
  async of(
    asked: {
      readonly base: Subject
      readonly head: Subject
      readonly changes: readonly Change[]
      readonly live: readonly LiveConsumer[]
    },
    compute: () => Promise<ProjectImpact>,
  ): Promise<ProjectImpact> {
    const { base, head, changes, live } = asked
    const key = digestText(
      JSON.stringify([
        contentKey(base),
        contentKey(head),
        changes.map(({ fingerprint, severity, classification }) => [fingerprint, severity, classification]),
        live.map((it) => [it.id, it.revision]),
      ]),
    )
    const known = this.#impacts.get(key)
    if (known) return known
    const impact = await compute()
    // The largest are kept too: a transaction that publishes asks again and must not wait.
    this.#impacts.set(key, impact, Math.min(live.length + changes.length + 1, cachedImpacts / 4))
    return impact
  }
}
