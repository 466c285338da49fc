import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { buttonClass } from '../../parts/button.tsx'
import { CommandHint, CopyButton } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count, Toolbar } from '../../parts/page.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { documentTextQuery, type VersionRef, versionQuery } from './queries.ts'
import { holds, identityQuery } from '../../session.ts'
import { SourceEditor } from './source-editor.tsx'

/** A line longer than this is cut on the screen, never in the copy: minified documents are one line of megabytes. */
const longest = 2000

const Line = ({ text, number, marked }: { text: string; number: number; marked: boolean }) => (
  <div className={`flex gap-4 px-3 font-mono text-xs leading-[22px] ${marked ? 'bg-warn-wash' : ''}`}>
    <span className="w-10 shrink-0 text-right text-soft tabular-nums select-none">{number}</span>
    <span className="min-w-0 break-all whitespace-pre-wrap">
      {text.length > longest
        ? `${text.slice(0, longest)} … ${count(text.length - longest, 'character', 'characters')} more`
        : text}
    </span>
  </div>
)

/** A text line by line; `line` (from 1) is scrolled to and marked. */
export const Lines = ({ label, text, line }: { label: string; text: string; line: number | null }) => {
  const lines = useMemo(() => text.split('\n'), [text])
  return (
    <VirtualList
      label={label}
      total={lines.length}
      estimate={22}
      ruled={false}
      {...(line === null ? {} : { focusIndex: Math.min(line, lines.length) - 1 })}
    >
      {(index) => <Line text={lines[index] ?? ''} number={index + 1} marked={index + 1 === line} />}
    </VirtualList>
  )
}

/** The author's own text; a draft can be edited by whoever may. */
export const SourceView = ({ at, line, editing }: { at: VersionRef; line: number | null; editing: boolean }) => {
  const source = useQuery(documentTextQuery(at))
  const version = useQuery(versionQuery(at))
  const identity = useQuery(identityQuery)
  const may = version.data?.status === 'draft' && holds(identity.data, at.tenant, 'versions:edit')
  const path = [at.tenant, 'projects', at.project, 'versions', at.version].map(encodeURIComponent).join('/')
  return (
    <section aria-label="Source" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Read query={source} what="the document">
        {(document) =>
          editing && may ? (
            <SourceEditor at={at} read={document} line={line} />
          ) : (
            <>
              <Toolbar>
                <p className="flex items-center gap-2 text-sm text-soft">
                  {count(document.text.split('\n').length, 'line', 'lines')}
                  <CopyButton text={document.text} what="the document" />
                  {may ? (
                    <Link
                      to="/t/$tenant/$project/$version/source"
                      params={{ ...at }}
                      search={{ edit: 'yes', ...(line === null ? {} : { line }) }}
                      className={buttonClass()}
                    >
                      Edit the draft
                    </Link>
                  ) : null}
                </p>
                <CommandHint
                  command={`curl --header "X-API-Key: $SVC_API_KEY" ${location.origin}/v1/tenants/${path}/document`}
                />
              </Toolbar>
              {editing && !may ? (
                <p className="text-soft">
                  {version.data && version.data.status !== 'draft'
                    ? 'What is published never changes: make a new draft from it instead.'
                    : 'Editing needs a role that includes it: Editor, Admin or Owner.'}
                </p>
              ) : null}
              <Lines label="Lines of the document" text={document.text} line={line} />
            </>
          )
        }
      </Read>
    </section>
  )
}
