import type { Json } from '../document/json.ts'

const levels = ['draft', 'alpha', 'beta', 'stable']

/** How much an `x-stability-level` promises: none at all is a stable one, one that nobody knows (-1) promises nothing. */
export const stabilityRank = (level: Json | undefined): number =>
  level === undefined ? 3 : typeof level === 'string' ? levels.indexOf(level) : -1
