import type { Path } from '../document/json.ts'
import { formatPointer } from '../document/pointer.ts'

/** The same over runs and over edits elsewhere: 16 hex digits of the rule, the source and the place. */
export const fingerprintOf = (code: string, source: string, path: Path): string =>
  Bun.hash
    .xxHash64(`${code}\n${source}\n${formatPointer(path)}`)
    .toString(16)
    .padStart(16, '0')
