import type { VersionRecord } from '../../../../src/api/versions.ts'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/count.ts'
import { Facts, Moment, Section } from '../../parts/page.tsx'
import type { VersionRef } from './queries.ts'

const Digest = ({ of }: { of: string }) => (
  <span className="flex items-start gap-1">
    <span className="font-mono text-xs break-all">{of}</span>
    <CopyButton text={of} what="the digest" />
  </span>
)

type Warning = VersionRecord['provenance']['warnings'][number]

const Warnings = ({ warnings }: { warnings: readonly Warning[] }) => (
  <details className="text-sm">
    <summary className="w-fit cursor-pointer font-medium">
      {count(warnings.length, 'conversion warning', 'conversion warnings')}
    </summary>
    <ul className="mt-2 grid gap-2">
      {warnings.map((warning) => (
        <li key={warning.code + warning.pointer + warning.message} className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
          <span className="font-mono text-xs text-warn">{warning.code}</span>
          <span className="wrap-anywhere">{warning.message}</span>
          <span className="font-mono text-xs break-all text-soft">
            {warning.pointer === '' ? 'whole document' : warning.pointer}
          </span>
        </li>
      ))}
    </ul>
  </details>
)

/** Where a version came from: its source, what read it, and what reading it could not keep. */
export const OriginSection = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const { provenance: it, digest, size_bytes: size, created_at: created, format } = record
  return (
    <div id="origin" className="scroll-mt-20">
      <Section title="Origin">
        <div className="card grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
          <Facts
            facts={[
              [
                'Source',
                <span key="source" className="break-all">
                  {it.source}
                </span>,
              ],
              ['Commit', it.commit === null ? null : <Digest key="commit" of={it.commit} />],
              ['Digest', <Digest key="source-digest" of={it.digest} />],
              // The source and what is stored are the same bytes unless something was converted or edited.
              ['Stored digest', digest === it.digest ? null : <Digest key="digest" of={digest} />],
              [
                'Importer',
                <span key="importer" className="font-mono text-xs">
                  {it.importer}
                </span>,
              ],
              ['Imported', <Moment key="imported" at={it.imported_at} />],
              ['Format', `${format.kind} ${format.version}`],
              ['Size', `${size.toLocaleString()} bytes`],
              ['Created', <Moment key="made" at={created} />],
            ]}
          />
          {it.warnings.length === 0 ? (
            <p className="text-sm text-soft">No information was lost in conversion.</p>
          ) : (
            <Warnings warnings={it.warnings} />
          )}
          <CommandHint command={svcCommand(at.tenant, ['version', 'show', at.project, at.version])} />
        </div>
      </Section>
    </div>
  )
}
