import type { Json } from '../kernel/json.ts'

const levels = ['draft', 'alpha', 'beta', 'stable']

/** How much an `x-stability-level` guarantees: none at all is a stable one, one that no one knows (-1) guarantees nothing. */
export const stabilityRank = (level: Json | undefined): number =>
  level === undefined ? 3 : typeof level === 'string' ? levels.indexOf(level) : -1
