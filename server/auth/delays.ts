/**
 * Delays after failed sign-ins. They grow for anyone who guesses and never lock the owner of an account out: a source that
 * the owner has signed in from is slowed by its own failures only, and any other one waits a minute at most for what
 * others did, and is let in then.
 */
import { and, desc, eq, isNull, lte, or } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { signInDelays } from '../../db/tables.gen.ts'

interface Rule {
  /** As many failures cost nothing. */
  readonly free: number
  /** What the next ones cost: doubled by each. */
  readonly firstMs: number
  readonly longestMs: number
  /** One failure is forgotten in so long, and no more than twelve above the free ones are counted. */
  readonly forgetMs: number
}

const minuteMs = 60_000
/** Failures of one source on one account. */
export const perSource: Rule = { free: 5, firstMs: 30_000, longestMs: 15 * minuteMs, forgetMs: 60 * minuteMs }
/** Failures of one network on all accounts that do not know it. */
export const perNetwork: Rule = { free: 20, firstMs: 1000, longestMs: 15 * minuteMs, forgetMs: 3 * minuteMs }
/** Failures of all unknown sources on one account: how long a new one waits before its first attempt. */
export const perAccount: Rule = { free: 10, firstMs: 1000, longestMs: minuteMs, forgetMs: 10 * minuteMs }

const countedAbove = 12
/** A source that has waited may come as late as this. */
const waitedMs = 15 * minuteMs
/** More rows than this are not kept: the oldest go first, whichever source writes many. */
export const maxRows = 100_000
/** How often a process looks whether there are too many. */
const trimEvery = 1000

/** An account that a password is tried on, and where the attempt comes from. */
export interface Target {
  readonly account: string
  readonly source: string
  /** Whether its owner has signed in from the source. */
  readonly isKnown: boolean
}

type Row = typeof signInDelays.$inferSelect

const failuresOf = (row: Row | undefined, rule: Rule, now: number): number =>
  Math.ceil(Math.max(0, Date.parse(row?.clearAt ?? isoOf(0)) - now) / rule.forgetMs)

/** What so many failures cost. */
export const delayOf = (failures: number, rule: Rule): number =>
  failures < rule.free ? 0 : Math.min(rule.longestMs, rule.firstMs * 2 ** (failures - rule.free))

const isOf = (account: string, source: string) =>
  and(eq(signInDelays.account, account), eq(signInDelays.source, source))

async function find(tx: Transaction, account: string, source: string): Promise<Row | undefined> {
  const [row] = await tx.select().from(signInDelays).where(isOf(account, source))
  return row
}

async function put(tx: Transaction, row: Row): Promise<void> {
  const { clearAt, admitAt } = row
  await tx
    .insert(signInDelays)
    .values(row)
    .onConflictDoUpdate({ target: [signInDelays.account, signInDelays.source], set: { clearAt, admitAt } })
}

/** Counts a failure; `waits` where the row itself says when the next attempt is let in. */
async function count(tx: Transaction, key: Pick<Row, 'account' | 'source'>, rule: Rule, waits: boolean, now: number) {
  const row = await find(tx, key.account, key.source)
  const from = Math.max(now, Date.parse(row?.clearAt ?? isoOf(now)))
  const clearAt = isoOf(Math.min(from + rule.forgetMs, now + (rule.free + countedAbove) * rule.forgetMs))
  const next = { ...key, clearAt, admitAt: null }
  const delay = waits ? delayOf(failuresOf(next, rule, now), rule) : 0
  await put(tx, { ...next, admitAt: delay === 0 ? null : isoOf(now + delay) })
}

/** Takes one failure back. */
async function uncount(tx: Transaction, account: string, source: string, rule: Rule, now: number): Promise<void> {
  const row = await find(tx, account, source)
  if (row === undefined) return
  const clearAt = isoOf(Date.parse(row.clearAt) - rule.forgetMs)
  const failures = failuresOf({ ...row, clearAt }, rule, now)
  await put(tx, { ...row, clearAt, admitAt: failures < rule.free ? null : row.admitAt })
}

const waitOf = (row: Row | undefined, now: number): number => Math.max(0, Date.parse(row?.admitAt ?? isoOf(0)) - now)

/** How long a target has to wait; 0 lets it in. A new source gets a time once, and let in when it is over. */
async function judge(tx: Transaction, target: Target, network: Row | undefined, now: number): Promise<number> {
  const own = await find(tx, target.account, target.source)
  const wait = Math.max(waitOf(own, now), target.isKnown ? 0 : waitOf(network, now))
  if (wait > 0 || target.isKnown || (own?.admitAt ?? null) !== null) return wait
  const entry = delayOf(failuresOf(await find(tx, target.account, ''), perAccount, now), perAccount)
  if (entry === 0) return 0
  const { account, source } = target
  await put(tx, { account, source, clearAt: own?.clearAt ?? isoOf(now), admitAt: isoOf(now + entry) })
  return entry
}

/** What a process has counted since it last looked for too many rows. */
let counted = 0

/**
 * Which of the accounts an attempt may be tried on now. Each of them counts it as failed beforehand, so that attempts
 * made at once count too; `forgive` takes it back.
 * @returns their names, and the time until the first of the others may be tried
 */
export async function admit(
  db: Database,
  targets: readonly Target[],
  network: string,
  now: number,
): Promise<{ readonly admitted: ReadonlySet<string>; readonly waitMs: number }> {
  return db.inTransaction(async (tx) => {
    // In one order everywhere, so that no two attempts wait for each other.
    for (const account of targets.map((it) => it.account).toSorted()) await tx.lock(`sign-in:${account}`)
    let networkRow: Row | undefined
    if (targets.some((it) => !it.isKnown)) {
      await tx.lock(`sign-in:${network}`)
      networkRow = await find(tx, '', network)
    }
    const admitted = new Set<string>()
    const waits: number[] = []
    for (const target of targets) {
      const wait = await judge(tx, target, networkRow, now)
      if (wait > 0) waits.push(wait)
      else admitted.add(target.account)
    }
    const tried = targets.filter((it) => admitted.has(it.account))
    for (const { account, source, isKnown } of tried) {
      await count(tx, { account, source }, perSource, true, now)
      if (!isKnown) await count(tx, { account, source: '' }, perAccount, false, now)
    }
    if (tried.some((it) => !it.isKnown)) await count(tx, { account: '', source: network }, perNetwork, true, now)
    if (++counted % trimEvery === 0) await trimDelays(tx)
    return { admitted, waitMs: Math.min(...waits) }
  })
}

/**
 * Takes back what a successful attempt counted. Other accounts that it was tried on keep theirs: it was a guess at them.
 * @param target the account that the password opened
 */
export async function forgive(
  tx: Transaction,
  target: Target,
  facts: { readonly network: string; readonly isOnly: boolean; readonly now: number },
): Promise<void> {
  const { account, source, isKnown } = target
  await tx.delete(signInDelays).where(isOf(account, source))
  if (isKnown) return
  await uncount(tx, account, '', perAccount, facts.now)
  if (facts.isOnly) await uncount(tx, '', facts.network, perNetwork, facts.now)
}

/** Forgets every failure on an account: the operator gave it a new password. */
export const forgiveAccount = (tx: Transaction, account: string): Promise<unknown> =>
  tx.delete(signInDelays).where(eq(signInDelays.account, account))

/** Removes the rows that would be forgotten first, where there are more than `keep`. */
export async function trimDelays(tx: Transaction, keep = maxRows): Promise<void> {
  const order = [desc(signInDelays.clearAt), desc(signInDelays.account), desc(signInDelays.source)] as const
  const [first] = await tx
    .select()
    .from(signInDelays)
    .orderBy(...order)
    .limit(1)
    .offset(keep)
  if (first !== undefined) await tx.delete(signInDelays).where(lte(signInDelays.clearAt, first.clearAt))
}

/** Removes what is forgotten, and what is too much. */
export async function sweepDelays(tx: Transaction, now: number): Promise<void> {
  const hasCome = or(isNull(signInDelays.admitAt), lte(signInDelays.admitAt, isoOf(now - waitedMs)))
  await tx.delete(signInDelays).where(and(lte(signInDelays.clearAt, isoOf(now)), hasCome))
  await trimDelays(tx)
}
