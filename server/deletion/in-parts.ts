import { unschedule } from '../schedule/door.ts'
import type { Deps } from '../kit/door.ts'
import { removeNext } from './remove.ts'

/** Between two parts others write: what waits for the database comes first. */
const pauseMs = 2

/**
 * Removes what the first part left, part by part, each in a transaction of its own. Where the process ends meanwhile, due work goes on.
 * @param signal ends it before the next part
 */
export async function removeInParts(deps: Pick<Deps, 'db'>, id: string, signal?: AbortSignal): Promise<void> {
  let parts = 0
  while (await removeNext(deps, id)) {
    parts += 1
    await Bun.sleep(pauseMs)
    if (signal?.aborted === true) return
  }
  if (parts > 0 && signal === undefined) await deps.db.inTransaction((tx) => unschedule(tx, 'deletion', id))
}
