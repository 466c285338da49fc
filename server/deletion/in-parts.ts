import type { Batches } from '../../db/bin/remove.ts'
import { unschedule } from '../schedule/door.ts'
import type { Deps } from '../kit/door.ts'
import { isBeingDeleted, removeNext } from './remove.ts'

/** Between two parts others write: what waits for the database comes first. */
const pauseMs = 2
/** How long the request that deletes something works at it; due work does what is left. */
const requestMs = 5000

/**
 * Removes what is left of something, part by part, each in a transaction of its own.
 * @param signal ends it before the next part
 * @returns whether nothing is left
 */
export async function removeRest(deps: Pick<Deps, 'db'>, id: string, signal: AbortSignal): Promise<boolean> {
  const batches: Batches = new Map()
  while (await removeNext(deps, id, batches)) {
    await Bun.sleep(pauseMs)
    if (signal.aborted) return false
  }
  return true
}

/** Removes what the first part left, as far as a request may take. Due work goes on with the rest, here or in another process. */
export async function removeInParts(deps: Pick<Deps, 'db'>, id: string): Promise<void> {
  if (!(await isBeingDeleted(deps.db.read, id))) return
  if (await removeRest(deps, id, AbortSignal.timeout(requestMs)))
    await deps.db.inTransaction((tx) => unschedule(tx, 'deletion', id))
}
