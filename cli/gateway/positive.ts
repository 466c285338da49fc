/** What the commands about positive security share. */
import type { Static } from '@sinclair/typebox'
import type { gatewayPositiveApi, SecurityNarrowing } from '../../src/api/gateway-positive.ts'
import { type PositiveCheck, positiveChecks, type PositiveMode, positiveModes } from '../../src/gateway-policy/door.ts'
import { plural } from '../../src/kernel/plural.ts'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { renderFacts, renderTable } from '../table.ts'

/**
 * "body=log" as requests have it.
 * @throws SvcError `usage`
 */
export function checksOf(texts: readonly string[]): Partial<Record<PositiveCheck, PositiveMode>> {
  const found = texts.map((text) => {
    const [name = '', word = ''] = text.split('=')
    const check = positiveChecks.find((it) => it === name)
    const mode = positiveModes.find((it) => it === word)
    if (check !== undefined && mode !== undefined) return [check, mode] as const
    const near = check === undefined ? suggest(name, positiveChecks) : null
    const also = near === null ? '.' : `; did you mean ${near}?`
    throw new SvcError('usage', {
      reason: `--check is CHECK=MODE, as "body=log", not "${text}"${also} The checks are ${positiveChecks.join(', ')}; the modes are ${positiveModes.join(', ')}`,
    })
  })
  return Object.fromEntries(found)
}

type Shown = Pick<
  Static<typeof gatewayPositiveApi.positive.response>,
  'positive' | 'effective' | 'projectSlug' | 'bound' | 'problem'
>

/** A binding with what its checks come to. */
export function positiveText({ positive, effective, projectSlug, bound, problem }: Shown): string {
  if (positive === null || effective === null) return 'Requests are compared with no document.\n'
  const facts = renderFacts([
    ['project', projectSlug ?? positive.projectId],
    [
      'version',
      bound === null || bound.label === positive.version ? positive.version : `${positive.version} (${bound.label})`,
    ],
    ['operations', bound === null ? null : String(bound.operations)],
    ['mode', positive.mode],
    ['prefix', positive.stripPrefix],
    ['problem', problem],
  ])
  const rows = positiveChecks.map((it) => [it, positive.checks[it], effective[it]])
  return `${facts}\n${renderTable(['CHECK', 'SET TO', 'IN EFFECT'], rows)}`
}

/** Which requests another version refuses. */
export function narrowingText(narrowing: SecurityNarrowing | null): string {
  if (narrowing === null) return ''
  if (narrowing.total === 0) return `No request that ${narrowing.from} accepts is refused by ${narrowing.to}.\n`
  const lines = narrowing.changes
    .slice(0, 20)
    .map(({ message, consumers }) => `  ${message}${consumers.length === 0 ? '' : ` (${consumers.join(', ')})`}\n`)
  const more = narrowing.total > lines.length ? `  and ${narrowing.total - lines.length} more\n` : ''
  const users =
    narrowing.consumers.length === 0 ? '' : `Consumers that are touched: ${narrowing.consumers.join(', ')}.\n`
  return `${plural(narrowing.total, 'change')} from ${narrowing.from} to ${narrowing.to} ${narrowing.total === 1 ? 'narrows' : 'narrow'} requests:\n${lines.join('')}${more}${users}`
}
