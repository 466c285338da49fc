import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { linkAddress } from '../../parts/openapi-document.ts'
import { Severity } from '../../parts/badge.tsx'
import { Words } from '../../parts/page.tsx'
import { SourceFrame } from '../../parts/source-frame.tsx'
import type { VersionRef } from '../versions/queries.ts'
import type { Finding } from './queries.ts'

/** The id of a rule, leading to where it is explained if that is known. */
export const RuleName = ({ code, documentation }: { code: string; documentation: string | null }) => {
  const address = linkAddress(documentation)
  return address ? (
    <a className="link font-mono text-sm break-all" href={address}>
      {code}
    </a>
  ) : (
    <span className="font-mono text-sm break-all">{code}</span>
  )
}

const lineOf = ({ range }: Finding): string =>
  `line ${(range.start.line + 1).toLocaleString()}:${(range.start.character + 1).toLocaleString()}`

/** One finding: what is wrong, where, the lines it is about, and what would mend it. */
export const FindingRow = ({
  at,
  finding,
  lines,
  showRule,
  mark,
}: {
  /** The version whose source the place leads to; null where the text is no version. */
  at: VersionRef | null
  finding: Finding
  /** The text of the document; null where no frame is wanted, or none can be. */
  lines: readonly string[] | null
  showRule: boolean
  /** What is to be said of it beside its severity. */
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
      {showRule ? <RuleName code={finding.code} documentation={finding.documentationUrl} /> : null}
      <span className="min-w-0 font-mono break-all">
        {finding.pointer === '' ? 'the whole document' : finding.pointer}
      </span>
    </p>
    {lines ? <SourceFrame lines={lines} range={finding.range} /> : null}
    {finding.fix ? <p className="text-sm text-soft">Fix: {finding.fix.description}</p> : null}
  </div>
)
