import { defineDue } from '../schedule/define.ts'

/** Reads a repository that something was pushed to. */
export const pushKind = defineDue({
  kind: 'repository.push',
  longestMs: 300_000,
  async run({ subjectId, tenantId, deps, signal }) {
    const { followPush } = await import('../repositories/sync.ts')
    await followPush(deps, tenantId ?? '', subjectId, signal)
    return null
  },
})

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
