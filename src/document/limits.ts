/** What a text may cost before anything walks it. */
export interface Limits {
  /** How deep arrays and objects may nest. */
  readonly maxDepth: number
  /** How many nodes a YAML document may have once its aliases are replaced by their targets. */
  readonly maxExpandedNodes: number
  /** How many times more nodes that may be than are written, once they are more than a hundred thousand. */
  readonly maxExpansion: number
}

/** Far above what real documents have, far below what harms: the deepest public ones nest some 40 levels. */
export const defaultLimits: Limits = { maxDepth: 512, maxExpandedNodes: 5_000_000, maxExpansion: 100 }
