import type { Transaction } from '../../db/database.ts'
import type { Deps } from '../kit/door.ts'
import { schedule } from '../schedule/door.ts'
import type { EnvironmentKey } from './release-rows.ts'

/** Asks for a release, in the transaction of the change that it follows from; the change does not wait for it. */
export const askForRelease = (
  deps: Pick<Deps, 'clock'>,
  tx: Transaction,
  { id, tenantId }: EnvironmentKey,
): Promise<void> => schedule(tx, 'gateway.compile', { subjectId: id, tenantId, at: deps.clock.now() })
