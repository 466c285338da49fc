import { useQuery } from '@tanstack/react-query'
import type { ReleaseComparison, ReleaseDocuments } from '../../../../../src/api/gateway-releases.ts'
import { useAddress } from '../../../parts/address.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { Read } from '../../../parts/listing.tsx'
import { Section } from '../../../parts/page.tsx'
import { Narrowing } from '../positive/narrowing.tsx'
import type { EnvironmentAt } from '../queries.ts'
import { enforcedNames, enforcedTones } from '../words.ts'
import { releaseComparisonQuery } from './queries.ts'
import { dialectTitle, linesWords } from './words.ts'

type File = ReleaseComparison['files'][number]

const Lines = ({ of: lines, sign }: { of: readonly string[]; sign: '−' | '+' }) =>
  lines.map((text, index) => (
    <li
      key={`${index} ${text}`}
      className={`flex gap-3 px-3 whitespace-pre ${sign === '−' ? 'bg-danger-wash text-danger' : 'bg-ok-wash text-ok'}`}
    >
      <span aria-hidden="true" className="select-none">
        {sign}
      </span>
      <span className="sr-only">{sign === '−' ? 'removed: ' : 'added: '}</span>
      {text === '' ? ' ' : text}
    </li>
  ))

const FileDifference = ({ of: file }: { of: File }) => (
  <details className="card overflow-hidden">
    <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 font-mono text-sm wrap-anywhere">{file.path}</span>
      <span className="text-sm text-soft">{dialectTitle(file.engine)}</span>
      {file.change === 'changed' ? null : <Badge tone={file.change === 'added' ? 'ok' : 'danger'}>{file.change}</Badge>}
      <span className="text-sm text-soft tabular-nums">{linesWords(file)}</span>
    </summary>
    <div
      role="region"
      aria-label={`Differences of ${file.path}`}
      tabIndex={0}
      className="overflow-x-auto border-t py-2"
    >
      <ol className="w-max min-w-full font-mono text-xs leading-5">
        {file.hunks.map((hunk) => (
          <li key={`${hunk.before} ${hunk.after}`}>
            <p className="px-3 text-soft">
              line {hunk.before === hunk.after ? hunk.before : `${hunk.before}, now ${hunk.after}`}
            </p>
            <ol>
              <Lines of={hunk.removed} sign="−" />
              <Lines of={hunk.added} sign="+" />
            </ol>
          </li>
        ))}
      </ol>
      {file.isCut ? <p className="px-3 text-sm text-soft">It has more differences than are shown.</p> : null}
    </div>
  </details>
)

const Settings = ({ of: settings }: { of: ReleaseComparison['settings'] }) => (
  <ul className="card divide-y" aria-label="Settings that are enforced differently">
    {settings.map((entry) => (
      <li
        key={`${entry.engine} ${entry.setting}`}
        className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2 text-sm"
      >
        <span className="font-mono wrap-anywhere">{entry.setting}</span>
        <span className="text-soft">{dialectTitle(entry.engine)}</span>
        <span>
          {entry.before === null ? 'not set' : enforcedNames[entry.before]} →{' '}
          {entry.after === null ? (
            'not set'
          ) : (
            <Badge tone={enforcedTones[entry.after]}>{enforcedNames[entry.after]}</Badge>
          )}
        </span>
        {entry.reason === null ? null : <span className="min-w-0 text-soft">{entry.reason}</span>}
      </li>
    ))}
  </ul>
)

const Documents = ({ of: { from, to, refused, allowed } }: { of: ReleaseDocuments }) => (
  <>
    <p className="text-sm">
      Requests are compared with {to ?? 'no document'} instead of {from ?? 'none'}.
    </p>
    {refused === null ? null : <Narrowing of={refused} />}
    {allowed === null ? null : <Narrowing of={allowed} />}
  </>
)

/** What differs between two releases: documents and settings first, then lines of files. */
export const Comparison = ({ at, from, to }: { at: EnvironmentAt; from: number; to: number }) => {
  const comparison = useQuery(releaseComparisonQuery(at, from, to))
  const { filter } = useAddress()
  return (
    <Section
      title={`From release ${from} to release ${to}`}
      actions={<Button onClick={() => filter({ from: 0, to: 0 })}>Close the comparison</Button>}
    >
      <Read query={comparison} what="the comparison">
        {(found) =>
          found === null || (found.files.length === 0 && found.settings.length === 0 && found.documents === null) ? (
            <p className="card px-4 py-3">The two releases have the same files.</p>
          ) : (
            <>
              <p className="text-sm text-soft">{linesWords(found)}</p>
              {found.documents === null ? null : <Documents of={found.documents} />}
              {found.settings.length === 0 ? null : <Settings of={found.settings} />}
              {found.files.map((it) => (
                <FileDifference key={`${it.engine} ${it.path}`} of={it} />
              ))}
            </>
          )
        }
      </Read>
    </Section>
  )
}
