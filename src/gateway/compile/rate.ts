/** The rate limit of the presets. No engine counts requests, but the proxies can: what they need is written to files of their own. */
import type { Policy } from '../../gateway-policy/door.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { ReleaseFile } from '../release/file.ts'
import type { Setting } from './model.ts'

/** @returns files for the proxy, and what the setting comes to: nothing, until the proxy includes them */
export function compileRate(
  { presets: { rate } }: Policy,
  dialect: Dialect,
): { readonly files: readonly ReleaseFile[]; readonly settings: readonly Setting[] } {
  if (rate === null) return { files: [], settings: [] }
  const { files, use } = dialect.rateLimit(rate)
  const reason = `The engine does not count requests over time. ${use}`
  return { files, settings: [{ setting: 'rate', state: 'not-enforced', reason }] }
}
