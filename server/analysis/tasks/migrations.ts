import { proposeMigrations } from '../../../src/migration/propose.ts'
import { both, type Desk } from '../desk.ts'

/** The migration rules that two documents suggest, by class. */
export function run(_: object, desk: Desk) {
  const [from, to] = both(desk)
  return [...proposeMigrations(desk.engine.document(from), desk.engine.document(to))]
}
