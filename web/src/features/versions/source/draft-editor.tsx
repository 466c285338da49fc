import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { type EditFinding, editsApi } from '../../../../../src/api/edits.ts'
import { versionsApi } from '../../../../../src/api/versions.ts'
import { SvcError } from '../../../../../src/errors.ts'
import { call, replaceText } from '../../../call.ts'
import type { Cursor, DocumentEditor } from '../../../editor/document.ts'
import { offsetIn } from '../../../editor/rope.ts'
import { useTitle } from '../../../parts/page.tsx'
import { Failure, Loading } from '../../../parts/states.tsx'
import { UnsavedGuard } from '../../../parts/unsaved.tsx'
import { queryClient } from '../../../query-client.ts'
import { searchTypes } from '../../types/search.ts'
import { type VersionRef, versionParams, versionQuery } from '../queries.ts'
import { ConflictWindow, type Meeting, type Resolution } from './conflict.tsx'
import { DocumentPane } from './document-pane.tsx'
import { EditorBar } from './editor-bar.tsx'
import { digestIn, readStored, type StoredText, syntaxOf } from './read-rope.ts'
import { SidePanel } from './side-panel.tsx'
import { StatusLine } from './status-line.tsx'
import { textOf, useChecks } from './use-checks.ts'

/** What can be written at an offset, asked of the service: of the registry of types behind "svc:", of the format elsewhere. */
const useCompletion = (at: VersionRef, editor: DocumentEditor | null, digest: () => string) => {
  const params = versionParams(at)
  return async (offset: number) => {
    if (editor === null) return null
    const snapshot = editor.snapshot()
    const line = snapshot.doc.lineAt(offset)
    const typed = /svc:[^\s"'`]*$/.exec(line.text.slice(0, offset - line.from))?.[0]
    if (typed !== undefined) {
      const found = await searchTypes(at.tenant, typed)
      const options = found.map(({ ref, description }) => ({
        label: ref,
        detail: description.slice(0, 60),
        type: 'type',
      }))
      return { from: offset - typed.length, to: offset, options }
    }
    const position = { line: line.number - 1, character: offset - line.from }
    const body = { ...textOf(digest(), snapshot), position }
    const { start, end, proposals } = await call(editsApi.complete, { params, body })
    return {
      from: offsetIn(snapshot.doc, start),
      to: offsetIn(snapshot.doc, end),
      options: proposals.map(({ label, detail, text, kind }) => ({
        label,
        detail,
        apply: text,
        type: kind === 'property' ? 'property' : kind === 'reference' ? 'type' : 'enum',
      })),
    }
  }
}

/** Whether the text differs from the stored one: known at once after an edit, and exactly once typing rests. */
const useUnsaved = (editor: DocumentEditor | null) => {
  const [unsaved, setUnsaved] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const look = useCallback(() => setUnsaved(editor?.isChanged() ?? false), [editor])
  const edited = (): void => {
    setUnsaved(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(look, 300)
  }
  return { unsaved, edited, look }
}

const Editing = ({ at, first, line }: { at: VersionRef; first: StoredText; line: number | null }) => {
  const navigate = useNavigate()
  const [editor, setEditor] = useState<DocumentEditor | null>(null)
  const [cursor, setCursor] = useState<Cursor>({
    line: line ?? 1,
    column: 1,
    lines: first.rope.doc.lines,
  })
  const [meeting, setMeeting] = useState<Meeting | null>(null)
  const [note, setNote] = useState('')
  const [isPanelOpen, setPanelOpen] = useState(false)
  const stored = useRef(first)
  /** The last text of someone else that the reader knows of. */
  const seen = useRef(digestIn(first.etag))
  const digest = useCallback(() => digestIn(stored.current.etag), [])
  const version = useQuery(versionQuery(at))
  const params = versionParams(at)
  const { checks, touch } = useChecks(editor, at, digest)
  const { unsaved, edited, look } = useUnsaved(editor)
  const complete = useCompletion(at, editor, digest)
  useEffect(() => {
    if (line === null) editor?.focus()
    else editor?.reveal(line, true)
  }, [editor])
  const meet = useCallback(() => {
    if (editor !== null) setMeeting({ digest: digest(), snapshot: editor.snapshot() })
  }, [editor, digest])
  const save = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      if (editor === null) return
      setNote('')
      const { blob, saved } = await editor.body(stored.current.mediaType)
      try {
        const read = { ...stored.current, etag: `"${seen.current}"` }
        const { etag } = await replaceText(versionsApi.putDocument, params, read, blob)
        saved()
        stored.current = { ...read, etag: etag ?? read.etag }
        seen.current = digest()
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'document-changed') throw error
        return meet()
      }
      look()
      setNote('Saved')
      touch()
      await queryClient.invalidateQueries()
    },
  })
  const fix = useMutation({
    mutationFn: async (finding: EditFinding | null) => {
      if (editor === null) return
      const snapshot = editor.snapshot()
      const visible = finding?.fix?.visible ?? null
      const body = {
        ...textOf(digest(), snapshot),
        ...(finding === null ? {} : { fingerprint: finding.fingerprint }),
        ...(visible === null ? {} : { visible: [visible] }),
      }
      const { edits, fixed } = await call(editsApi.fix, { params, body })
      editor.apply(edits, snapshot)
      setNote(fixed === 0 ? 'Not fixed: it would change what clients see, or help nothing.' : `Fixed ${fixed}`)
    },
  })
  const resolve = ({ stored: theirs, edits, keepsMine }: Resolution): void => {
    setMeeting(null)
    seen.current = digestIn(theirs.etag)
    if (!keepsMine) {
      stored.current = theirs
      editor?.rebase(theirs.rope, edits)
    }
    setNote(keepsMine ? 'Saving replaces what the other user saved.' : 'Review the text, then save.')
  }
  const current = checks.findings?.value.current
  const isOvertaken = current !== undefined && current !== seen.current && current !== digest()
  const error = save.error ?? fix.error
  return (
    <div className="flex h-[calc(100dvh-3.0625rem)] min-h-[26rem] flex-col bg-surface">
      <UnsavedGuard unsaved={unsaved} what="this document" />
      <EditorBar
        at={at}
        record={version.data ?? null}
        checks={checks}
        unsaved={unsaved}
        isSaving={save.isPending}
        isOvertaken={isOvertaken}
        isPanelOpen={isPanelOpen}
        editor={editor}
        mediaType={first.mediaType}
        onPanel={() => setPanelOpen(!isPanelOpen)}
        onSave={() => save.mutate()}
        onMeet={meet}
        onClose={() => void navigate({ to: '/t/$tenant/$project/$version/source', params: { ...at } })}
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
          onEdit={() => {
            edited()
            setNote('')
            touch()
          }}
          onSave={() => {
            if (!save.isPending) save.mutate()
          }}
          onCursor={setCursor}
          onLine={(it) => editor?.reveal(it, true)}
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
      <ConflictWindow at={at} meeting={meeting} onResolve={resolve} onClose={() => setMeeting(null)} />
    </div>
  )
}

/** The document of a draft in a page of its own. It is saved only in place of the version of it that was read. */
export const DraftEditor = ({ at, line }: { at: VersionRef; line: number | null }) => {
  const [read, setRead] = useState<StoredText | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [turn, setTurn] = useState(0)
  const { tenant, project, version } = at
  useTitle(`Edit ${project} ${version}`)
  useEffect(() => {
    let isGone = false
    setError(null)
    readStored({ tenant, project, version }).then(
      (it) => (isGone ? undefined : setRead(it)),
      (caught: unknown) => (isGone ? undefined : setError(caught)),
    )
    return () => {
      isGone = true
    }
  }, [tenant, project, version, turn])
  if (error) return <Failure error={error} onRetry={() => setTurn(turn + 1)} />
  return read === null ? <Loading what="the document" /> : <Editing at={at} first={read} line={line} />
}
