import { defineDue } from '../schedule/door.ts'

/** Reads the networks that providers send from, of those that hooks come from. */
export const rangesKind = defineDue({
  kind: 'provider.ranges',
  longestMs: 120_000,
  everyMs: 6 * 3_600_000,
  async run({ deps, signal }) {
    const { refreshRanges } = await import('./ranges.ts')
    await refreshRanges(deps, signal)
    return null
  },
})
