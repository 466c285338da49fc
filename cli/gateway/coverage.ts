/** What the command about coverage shows. */
import type { SecurityCoverage } from '../../src/api/gateway-events.ts'
import { plural } from '../../src/plural.ts'
import { SvcError } from '../../src/errors.ts'
import { renderTable, shortTime } from '../table.ts'

/**
 * "GET /toys/{id}" as requests have it.
 * @throws SvcError `usage`
 */
export function additionOf(text: string): { readonly method: string; readonly path: string } {
  const [, method = '', path = ''] = /^([A-Za-z]+)\s+(\/\S*)$/.exec(text.trim()) ?? []
  if (path === '')
    throw new SvcError('usage', { reason: `--add is a method and a path, as "GET /toys/{id}", not "${text}"` })
  return { method, path }
}

const time = (at: string | null): string => (at === null ? '' : shortTime(at))
const kinds = { path: 'not in a document', method: 'method not declared', outside: 'outside of the prefix' } as const

/** Operations that were never called (or all), and what no document declares. */
export function coverageText(it: SecurityCoverage, isAll: boolean): string {
  if (it.documents.length === 0)
    return 'No document is behind this gateway: bind the policy ("svc gateway positive set"), or give the environment projects.\n'
  const documents = it.documents.map(({ project, version }) => `${project} ${version}`).join(', ')
  const called = it.operations.length - it.neverSeen
  const head = `${documents}: ${called} of ${plural(it.operations.length, 'operation')} called in ${plural(it.days, 'day')}.\n`
  const shown = it.operations.filter(({ count }) => isAll || count === 0)
  const operations =
    shown.length === 0
      ? ''
      : renderTable(
          ['METHOD', 'PATH', 'CALLS', 'FIRST', 'LAST'],
          shown.map((one) => [one.method, one.path, String(one.count), time(one.firstAt), time(one.lastAt)]),
        )
  const undeclared =
    it.undeclared.length === 0
      ? 'Everything that was called is declared.\n'
      : `Called and not declared:\n${renderTable(
          ['METHOD', 'PATH', 'CALLS', 'FIRST', 'LAST', 'WHY'],
          it.undeclared.map((one) => [
            one.method,
            one.path,
            String(one.count),
            time(one.firstAt),
            time(one.lastAt),
            kinds[one.kind],
          ]),
        )}`
  const more =
    it.undeclaredTotal > it.undeclared.length ? `and ${it.undeclaredTotal - it.undeclared.length} more\n` : ''
  const others = it.otherCalls === 0 ? '' : `${plural(it.otherCalls, 'call')} of further paths, counted together.\n`
  return `${head}${operations}${operations === '' ? '' : '\n'}${undeclared}${more}${others}`
}
