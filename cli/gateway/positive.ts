/** What the commands about positive security share. */
import type { Static } from '@sinclair/typebox'
import type { gatewayPositiveApi, SecurityNarrowing } from '../../src/api/gateway-positive.ts'
import { positiveChecks, positiveModes, type PositiveCheck, type PositiveMode } from '../../src/gateway/policy/model.ts'
import { plural } from '../../src/plural.ts'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/suggest.ts'
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
export function narrowingText(it: SecurityNarrowing | null): string {
  if (it === null) return ''
  if (it.total === 0) return `No request that ${it.from} accepts is refused by ${it.to}.\n`
  const lines = it.changes
    .slice(0, 20)
    .map(({ message, consumers }) => `  ${message}${consumers.length === 0 ? '' : ` (${consumers.join(', ')})`}\n`)
  const more = it.total > lines.length ? `  and ${it.total - lines.length} more\n` : ''
  const users = it.consumers.length === 0 ? '' : `Consumers that are touched: ${it.consumers.join(', ')}.\n`
  return `${plural(it.total, 'change')} from ${it.from} to ${it.to} ${it.total === 1 ? 'narrows' : 'narrow'} requests:\n${lines.join('')}${more}${users}`
}
