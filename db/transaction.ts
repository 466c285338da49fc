/** What transactions of both engines share: nesting, savepoints that queue, handles that die, actions after commit. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Transaction } from './database.ts'

/** Runs works one after the other, in the order they came. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}

/** The life of one transaction, shared by all handles made in it. */
export interface Life {
  alive: boolean
  readonly afterCommit: (() => void)[]
}

export const newLife = (): Life => ({ alive: true, afterCommit: [] })

/** Fails when the transaction of a handle has ended: its writes would go into whatever runs on the connection now. */
export function assertAlive(life: Life): void {
  if (!life.alive)
    throw new Error('A transaction handle was used after its transaction ended: await every query in it.')
}

interface Current {
  readonly database: Database
  readonly tx: Transaction
  readonly life: Life
}

const current = new AsyncLocalStorage<Current>()

/** The handle of the transaction on this database that the caller runs in, if there is one and it has not ended. */
export function currentTransaction(database: Database): Transaction | undefined {
  const it = current.getStore()
  return it && it.database === database && it.life.alive ? it.tx : undefined
}

/** Runs work so that `currentTransaction` finds the handle. */
export function runAsCurrent<T>(it: Current, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return current.run(it, () => work(it.tx))
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
