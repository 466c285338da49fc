import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Excerpt } from '../../../../src/api/excerpt.ts'
import { documentation as pages } from '../../parts/documentation.ts'
import { linkAddress } from '../../parts/openapi-document.ts'
import { Severity } from '../../parts/badge.tsx'
import { Words } from '../../parts/page.tsx'
import { SourceFrame } from '../../parts/source-frame.tsx'
import type { VersionRef } from '../catalog/versions.ts'
import type { Finding } from './queries.ts'

/** The id of a rule as a link to its documentation: builtin rules have a page in this service, others may name one elsewhere. */
export const RuleName = ({
  code,
  builtin,
  documentation,
}: {
  code: string
  builtin: boolean
  documentation: string | null
}) => {
  const address = builtin ? pages.rule(code) : linkAddress(documentation)
  return address ? (
    <a className="link font-mono text-sm break-all" href={address} target="_blank" rel="noreferrer">
      {code}
      <ExternalLink size={12} className="ml-1 inline print:hidden" aria-hidden="true" />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  ) : (
    <span className="font-mono text-sm break-all">{code}</span>
  )
}

const lineOf = ({ range }: Finding): string =>
  `line ${(range.start.line + 1).toLocaleString()}:${(range.start.character + 1).toLocaleString()}`

/** One finding: what is wrong, where, the lines it is about, and how it can be fixed. */
export const FindingRow = ({
  at,
  finding,
  excerpt,
  showRule,
  builtin = false,
  mark,
}: {
  /** The version whose source the line leads to; null for a pasted document. */
  at: VersionRef | null
  finding: Finding
  /** The lines around it; null without source lines. */
  excerpt: Excerpt | null
  showRule: boolean
  /** Whether its rule is a builtin one. */
  builtin?: boolean
  /** Shown next to its severity. */
  mark?: ReactNode
}) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 py-2">
    <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <Severity severity={finding.severity} />
      {mark}
      <p className="min-w-0 grow basis-56 break-words">
        <Words of={finding.message} />
      </p>
      {at ? (
        <Link
          to="/t/$tenant/$project/$version/source"
          params={{ ...at }}
          search={{ line: finding.range.start.line + 1 }}
          className="link text-xs whitespace-nowrap tabular-nums"
        >
          {lineOf(finding)}
        </Link>
      ) : (
        <span className="text-xs whitespace-nowrap text-soft tabular-nums">{lineOf(finding)}</span>
      )}
    </div>
    <p className="flex flex-wrap items-baseline gap-x-2 text-xs text-soft">
      {showRule ? <RuleName code={finding.code} builtin={builtin} documentation={finding.documentationUrl} /> : null}
      <span className="min-w-0 font-mono break-all">{finding.pointer === '' ? 'whole document' : finding.pointer}</span>
    </p>
    {excerpt ? <SourceFrame excerpt={excerpt} range={finding.range} /> : null}
    {finding.fix ? <p className="text-sm text-soft">Fix: {finding.fix.description}</p> : null}
  </div>
)
