/** What the command about coverage shows. */
import type { SecurityCoverage } from '../../src/api/gateway-events.ts'
import { plural } from '../../src/kernel/plural.ts'
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
export function coverageText(coverage: SecurityCoverage, isAll: boolean): string {
  if (coverage.documents.length === 0)
    return 'No API description is bound to this gateway: bind the policy ("svc gateway positive update"), or give the environment projects.\n'
  const documents = coverage.documents.map(({ project, version }) => `${project} ${version}`).join(', ')
  const called = coverage.operations.length - coverage.neverSeen
  const head = `${documents}: ${called} of ${plural(coverage.operations.length, 'operation')} called in ${plural(coverage.days, 'day')}.\n`
  const shown = coverage.operations.filter(({ count }) => isAll || count === 0)
  const operations =
    shown.length === 0
      ? ''
      : renderTable(
          ['METHOD', 'PATH', 'CALLS', 'FIRST', 'LAST'],
          shown.map((one) => [one.method, one.path, String(one.count), time(one.firstAt), time(one.lastAt)]),
        )
  const undeclared =
    coverage.undeclared.length === 0
      ? 'Everything that was called is declared.\n'
      : `Called and not declared:\n${renderTable(
          ['METHOD', 'PATH', 'CALLS', 'FIRST', 'LAST', 'WHY'],
          coverage.undeclared.map((one) => [
            one.method,
            one.path,
            String(one.count),
            time(one.firstAt),
            time(one.lastAt),
            kinds[one.kind],
          ]),
        )}`
  const more =
    coverage.undeclaredTotal > coverage.undeclared.length
      ? `and ${coverage.undeclaredTotal - coverage.undeclared.length} more\n`
      : ''
  const others =
    coverage.otherCalls === 0 ? '' : `${plural(coverage.otherCalls, 'call')} of further paths, counted together.\n`
  return `${head}${operations}${operations === '' ? '' : '\n'}${undeclared}${more}${others}`
}
