import { useQuery } from '@tanstack/react-query'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { lintApi } from '../../../../src/api/lint.ts'
import { SvcError } from '../../../../src/errors.ts'
import { Grade } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Read } from '../../parts/listing.tsx'
import { Empty } from '../../parts/states.tsx'
import { FindingRow } from '../lint/finding-row.tsx'
import { findingsQuery, serverQuery, type ServerRef } from './queries.ts'
import { shortPrint } from './words.ts'

/** What the definitions of all tools take with each request of a host. */
const toolsWords = (tools: Output<typeof lintApi.mcp>['tools']): string => {
  if (tools === null) return ''
  const { tokens, saved_by_defs: saved } = tools
  const less = saved === 0 ? '' : `, about ${saved.toLocaleString()} less with $defs`
  return `. ${count(tools.count, 'tool takes', 'tools take')} ${tokens.toLocaleString()} tokens${less}.`
}

/** What the style guide finds in what a server offers. */
export const FindingsView = ({ at }: { at: ServerRef }) => {
  const server = useQuery(serverQuery(at))
  const seen = `${server.data?.observed?.fingerprint ?? ''} ${server.data?.declared?.manifest_id ?? ''}`
  const report = useQuery({ ...findingsQuery(at, seen), enabled: server.data !== undefined })
  if (report.error instanceof SvcError && report.error.code === 'mcp-surface-not-found')
    return (
      <Empty title="Nothing to check">
        <p>Neither its manifest nor an observation says which tools, resources or prompts it has.</p>
      </Empty>
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <span className="flex min-w-0 items-center gap-2 text-sm text-soft">
          {report.data ? (
            <>
              <Grade grade={report.data.grade.grade} score={report.data.grade.score} />
              <span className="min-w-0 break-words">
                {count(report.data.findings.length, 'finding', 'findings')} by {report.data.guide} in{' '}
                {shortPrint(report.data.fingerprint)}
                {toolsWords(report.data.tools)}
              </span>
            </>
          ) : null}
        </span>
        <CommandHint command={svcCommand(at.tenant, ['mcp-server', 'lint', at.endpoint])} />
      </div>
      <Read query={report} what="the findings">
        {({ findings }) =>
          findings.length === 0 ? (
            <Empty title="No findings">
              <p>No findings. All rules of the style guide passed.</p>
            </Empty>
          ) : (
            <ul className="card divide-y" aria-label="Findings">
              {findings.map((finding) => (
                <li key={finding.fingerprint}>
                  <FindingRow
                    at={null}
                    finding={finding}
                    excerpt={null}
                    showRule
                    builtin={finding.documentationUrl === null}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </>
  )
}
