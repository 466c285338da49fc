import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Cursor } from '../../../editor/document.ts'
import type { Rope } from '../../../editor/rope.ts'
import { UnsavedGuard } from '../../../parts/dialog.tsx'
import { Read } from '../../../parts/listing.tsx'
import { Page, useTitle } from '../../../parts/page.tsx'
import { Empty, Failure, Loading, needs } from '../../../parts/states.tsx'
import { count } from '../../../parts/text.ts'
import { holds, identityQuery } from '../../../session.ts'
import { type VersionRef, versionQuery } from '../../catalog/versions.ts'
import { ConflictWindow } from './conflict.tsx'
import { DocumentPane } from './document-pane.tsx'
import { EditorBar } from './editor-bar.tsx'
import { readStored, type StoredText, syntaxOf } from './read-rope.ts'
import { SidePanel } from './side-panel.tsx'
import type { Checks } from './use-checks.ts'
import { useDraft } from './use-draft.ts'

const checkedWords = ({ error, isBusy }: Checks): string => {
  if (error) return `Not checked: ${error instanceof Error ? error.message : 'no answer'}`
  return isBusy ? 'Checking …' : 'Checked'
}

/** Below the editor: where the cursor is, how the text is written, and whether it is checked. */
const StatusLine = ({
  cursor,
  lineBreak,
  mediaType,
  checks,
  note,
}: {
  cursor: Cursor
  lineBreak: Rope['lineBreak']
  mediaType: string
  checks: Checks
  note: string
}) => (
  <footer className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1 text-xs text-soft">
    <span className="tabular-nums">
      Line {cursor.line.toLocaleString()}, column {cursor.column.toLocaleString()}
    </span>
    <span>{count(cursor.lines, 'line', 'lines')}</span>
    <span>{syntaxOf(mediaType).toUpperCase()}</span>
    <span>{lineBreak === '\n' ? 'LF' : 'CRLF'}</span>
    <span role="status">{note === '' ? checkedWords(checks) : note}</span>
    <span className="ml-auto max-sm:hidden">Ctrl F finds · F8 next finding · Ctrl Space completes · Tab leaves</span>
  </footer>
)

const Editing = ({ at, first, line }: { at: VersionRef; first: StoredText; line: number | null }) => {
  const navigate = useNavigate()
  const [cursor, setCursor] = useState<Cursor>({ line: line ?? 1, column: 1, lines: first.rope.doc.lines })
  const [isPanelOpen, setPanelOpen] = useState(false)
  const version = useQuery(versionQuery(at))
  const { editor, setEditor, checks, note, unsaved, onEdit, complete, save, fix, conflict } = useDraft(at, first)
  useEffect(() => {
    if (line === null) editor?.focus()
    else editor?.reveal(line, true)
  }, [editor])
  const error = save.error ?? fix.error
  return (
    <div className="flex h-[calc(100dvh-3rem)] min-h-[26rem] flex-col bg-surface">
      <UnsavedGuard unsaved={unsaved} what="this document" />
      <EditorBar
        at={at}
        record={version.data ?? null}
        checks={checks}
        unsaved={unsaved}
        isSaving={save.isPending}
        isOvertaken={conflict.isOvertaken}
        isPanelOpen={isPanelOpen}
        editor={editor}
        mediaType={first.mediaType}
        onPanel={() => setPanelOpen(!isPanelOpen)}
        onSave={() => save.mutate()}
        onMeet={conflict.meet}
        // Who changed something looks at what it means next.
        onClose={() =>
          void navigate({
            to: `/t/$tenant/$project/$version/${(checks.changes?.value.total ?? 0) > 0 ? 'changes' : 'source'}`,
            params: { ...at },
          })
        }
      />
      {error ? <Failure error={error} /> : null}
      <div className="grid min-h-0 grow grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] border-y lg:grid-cols-[minmax(0,1fr)_22rem]">
        <DocumentPane
          stored={first.rope}
          syntax={syntaxOf(first.mediaType)}
          label="Document of the draft"
          readOnly={false}
          complete={complete}
          onOpen={setEditor}
          onEdit={onEdit}
          onSave={() => {
            if (!save.isPending) save.mutate()
          }}
          onCursor={setCursor}
          onLine={(number) => editor?.reveal(number, true)}
          onFix={(finding) => fix.mutate(finding)}
        />
        <aside
          aria-label="Outline, findings and changes"
          className={`${isPanelOpen ? 'grid' : 'hidden'} min-h-0 border-t max-lg:max-h-[50dvh] lg:grid lg:border-t-0 lg:border-l`}
        >
          <SidePanel
            checks={checks}
            onGo={(snapshot, place) => editor?.revealIn(snapshot, place)}
            onFix={(finding) => fix.mutate(finding)}
          />
        </aside>
      </div>
      <StatusLine
        cursor={cursor}
        lineBreak={first.rope.lineBreak}
        mediaType={first.mediaType}
        checks={checks}
        note={note}
      />
      <ConflictWindow at={at} meeting={conflict.meeting} onResolve={conflict.resolve} onClose={conflict.close} />
    </div>
  )
}

/** The document of a draft in a page of its own. It is saved only in place of the version of it that was read. */
const DraftEditor = ({ at, line }: { at: VersionRef; line: number | null }) => {
  const [read, setRead] = useState<StoredText | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [turn, setTurn] = useState(0)
  const { tenant, project, version } = at
  useTitle(`Edit ${project} ${version}`)
  useEffect(() => {
    let isGone = false
    setError(null)
    readStored({ tenant, project, version }).then(
      (text) => (isGone ? undefined : setRead(text)),
      (caught: unknown) => (isGone ? undefined : setError(caught)),
    )
    return () => {
      isGone = true
    }
  }, [tenant, project, version, turn])
  if (error) return <Failure error={error} onRetry={() => setTurn(turn + 1)} />
  return read === null ? <Loading what="the document" /> : <Editing at={at} first={read} line={line} />
}

const NotEditable = ({ at, isDraft }: { at: VersionRef; isDraft: boolean }) => (
  <Empty title="Not editable">
    <p>
      {isDraft
        ? needs('versions:edit', 'Editing')
        : 'Published versions cannot be edited. Create a draft from this version instead.'}
    </p>
    <Link to="/t/$tenant/$project/$version/source" params={{ ...at }} className="link">
      Read the source
    </Link>
  </Empty>
)

/** The editor of a draft, or why this version cannot be edited. */
export const DraftPage = ({ at, line }: { at: VersionRef; line: number | null }) => {
  const version = useQuery(versionQuery(at))
  const identity = useQuery(identityQuery)
  return (
    <Read query={version} what="the version">
      {({ status, title, label }) => {
        const isDraft = status === 'draft'
        if (isDraft && holds(identity.data, at.tenant, 'versions:edit')) return <DraftEditor at={at} line={line} />
        if (identity.data === undefined) return null
        return (
          <Page title={`${title} ${label}`}>
            <NotEditable at={at} isDraft={isDraft} />
          </Page>
        )
      }}
    </Read>
  )
}
