import { useQuery } from '@tanstack/react-query'
import { CommandHint, CopyButton, svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Facts, Moment, Toolbar } from '../../parts/page.tsx'
import { type VersionRef, versionQuery } from './queries.ts'

const Digest = ({ of }: { of: string }) => (
  <span className="flex items-center gap-1">
    <span className="font-mono text-xs break-all">{of}</span>
    <CopyButton text={of} what="the digest" />
  </span>
)

/** Where a version came from: its source, what read it, and what the reading had to say. */
export const ProvenanceView = ({ at }: { at: VersionRef }) => {
  const version = useQuery(versionQuery(at))
  return (
    <section aria-label="Provenance" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Toolbar>
        <h2 className="font-semibold">Origin</h2>
        <CommandHint command={svcCommand(at.tenant, ['version', 'show', at.project, at.version])} />
      </Toolbar>
      <Read query={version} what="the version">
        {({ provenance: it, digest, size_bytes: size, created_at: created, format }) => (
          <>
            <div className="card p-4">
              <Facts
                facts={[
                  [
                    'Source',
                    <span key="source" className="break-all">
                      {it.source}
                    </span>,
                  ],
                  ['Commit', it.commit === null ? null : <Digest key="commit" of={it.commit} />],
                  ['Source digest', <Digest key="source-digest" of={it.digest} />],
                  [
                    'Importer',
                    <span key="importer" className="font-mono text-xs">
                      {it.importer}
                    </span>,
                  ],
                  ['Imported', <Moment key="imported" at={it.imported_at} exact />],
                  ['Format', `${format.kind} ${format.version}`],
                  ['Size', `${size.toLocaleString()} bytes`],
                  // The source and what is stored are the same bytes unless something was converted or edited.
                  ['Stored digest', digest === it.digest ? null : <Digest key="digest" of={digest} />],
                  ['Version created', <Moment key="made" at={created} exact />],
                ]}
              />
            </div>
            <h2 className="font-semibold">
              {it.warnings.length === 0
                ? 'No information was lost in conversion'
                : count(it.warnings.length, 'conversion warning', 'conversion warnings')}
            </h2>
            {it.warnings.length > 0 ? (
              <ul className="card divide-y">
                {it.warnings.map((warning) => (
                  <li key={warning.code + warning.pointer + warning.message} className="grid gap-0.5 px-4 py-2.5">
                    <span className="font-mono text-xs text-warn">{warning.code}</span>
                    <span>{warning.message}</span>
                    <span className="font-mono text-xs break-all text-soft">
                      {warning.pointer === '' ? 'whole document' : warning.pointer}
                    </span>
                  </li>
                ))}
              </ul>
            ) : null}
          </>
        )}
      </Read>
    </section>
  )
}
