import { defineDue } from '../schedule/door.ts'

/** Removes what gateways recorded and is kept no longer. */
export const retentionKind = defineDue({
  kind: 'gateway.retention',
  longestMs: 10 * 60_000,
  everyMs: 15 * 60_000,
  async run({ deps, signal }) {
    const { removeOldRecords } = await import('./retention.ts')
    await removeOldRecords(deps, signal)
    return null
  },
})
