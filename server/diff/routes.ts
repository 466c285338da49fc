import { diffApi } from '../../src/api/diff.ts'
import type { ReportName } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import { Reply, type Route, routesOf } from '../http/door.ts'
import { ClassifiedDiffs, ruleOf } from './service.ts'

const mediaTypes: Readonly<Record<ReportName, string>> = {
  html: 'text/html',
  junit: 'application/xml',
  markdown: 'text/markdown',
  sarif: 'application/sarif+json',
}

/** The report that Accept asks for; null for the JSON of the contract. Markdown wins wherever it is named. */
const reportFor = (accept: string): ReportName | null => {
  if (/\btext\/(?:markdown|md)\b/.test(accept)) return 'markdown'
  if (/\bapplication\/json\b/.test(accept)) return null
  return (['html', 'sarif', 'junit'] as const).find((it) => accept.includes(mediaTypes[it])) ?? null
}

const typeOf = (name: ReportName): string =>
  mediaTypes[name].startsWith('text/') ? `${mediaTypes[name]}; charset=utf-8` : mediaTypes[name]

/** The routes of the classified diff. */
export function diffRoutes(deps: Deps): Route[] {
  const diffs = new ClassifiedDiffs(deps)
  return routesOf(diffApi, {
    classified: async ({ body }, { grant, accept }) => {
      const format = reportFor(accept)
      const written = await diffs.answer(grant, body, format)
      return new Reply({
        headers: { 'content-type': format === null ? 'application/json' : typeOf(format) },
        body: written,
      })
    },
    pages: async ({ query }, { grant }) => {
      const request = {
        base: { project: query.base_project, version: query.base_version },
        head: { project: query.head_project, version: query.head_version },
        consumers: query.consumers ?? false,
      }
      return new Reply({
        headers: { 'content-type': 'application/json' },
        body: await diffs.page(grant, request, query.page ?? 0),
      })
    },
    rule: ({ params }) => Promise.resolve(ruleOf(params.rule_id)),
  })
}
