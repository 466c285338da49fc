import { diffApi } from '../../src/api/diff.ts'
import html from '../../src/report/formats/html.ts'
import junit from '../../src/report/formats/junit.ts'
import markdown from '../../src/report/formats/markdown.ts'
import sarif from '../../src/report/formats/sarif.ts'
import type { ReportFormat } from '../../src/report/report.ts'
import type { Deps } from '../deps.ts'
import { routesOf, type Route } from '../http/handler.ts'
import { Reply } from '../http/reply.ts'
import { ClassifiedDiffs, ruleOf } from './service.ts'

/** The report that Accept asks for; null for the JSON of the contract. Markdown wins wherever it is named. */
const reportFor = (accept: string): ReportFormat | null => {
  if (/\btext\/(?:markdown|md)\b/.test(accept)) return markdown
  if (/\bapplication\/json\b/.test(accept)) return null
  return [html, sarif, junit].find((it) => accept.includes(it.mediaType)) ?? null
}

const typeOf = ({ mediaType }: ReportFormat): string =>
  mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType

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
    rule: ({ params }) => Promise.resolve(ruleOf(params.rule_id)),
  })
}
