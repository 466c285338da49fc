/** How the baseline of a publication is chosen: the newest published version, none, or the one that is named. */
export const baselineModes = ['auto', 'initial', 'manual'] as const
export type BaselineMode = (typeof baselineModes)[number]
