/** Shows events as they arrive. */
import type { SecurityEvent } from '../../src/api/gateway-record-shapes.ts'
import { shortTime } from '../table.ts'

/** One event as a line. */
export function eventLine({
  lastAt,
  action,
  ruleRef,
  method,
  route,
  pathShape,
  count,
  source,
  client,
}: SecurityEvent): string {
  const request = [method, route ?? pathShape].filter((it) => it !== null).join(' ')
  const from = client.network === null ? '' : ` from ${client.network}`
  const times = count === 1 ? '' : ` (${count} requests)`
  return `${shortTime(lastAt)}  ${action.padEnd(10)}  ${ruleRef}  ${request}${from}${times}  ${source}\n`
}

interface Following {
  /** The events with a request at or after an instant, most recent first. */
  readonly list: (since: string) => Promise<readonly SecurityEvent[]>
  readonly print: (text: string) => Promise<void>
  /** Waits until events are to be asked for again. */
  readonly pause: () => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Prints events until the signal is aborted: those since the instant, then each that is new or has more requests than before.
 * @param since as an ISO text in UTC
 */
export async function followEvents({ list, print, pause, signal }: Following, since: string): Promise<void> {
  let shown = new Map<string, number>()
  let from = since
  while (!signal.aborted) {
    const found = (await list(from)).toReversed()
    const fresh = found.filter(({ id, count }) => (shown.get(id) ?? 0) < count)
    if (fresh.length > 0) await print(fresh.map(eventLine).join(''))
    // An event that is alike adds to a row of its minute: those of the newest instant are asked for again.
    shown = new Map([...shown, ...found.map(({ id, count }) => [id, count] as const)].slice(-2000))
    const [last] = found
      .map(({ lastAt }) => lastAt)
      .toSorted()
      .slice(-1)
    if (last !== undefined && last > from) from = last
    await pause()
  }
}
