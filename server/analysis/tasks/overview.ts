import { overviewOf } from '../../../src/spec/overview.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** What a document is as a whole. */
export function run(_: object, desk: Desk): ReturnType<typeof overviewOf> {
  return overviewOf(desk.engine.trusted(onlyOne(desk)).value)
}
