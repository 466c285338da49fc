import { useMutation } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { type EditFinding, editsApi } from '../../../../../src/api/edits.ts'
import { versionsApi } from '../../../../../src/api/versions.ts'
import { SvcError } from '../../../../../src/errors.ts'
import { call, replaceText } from '../../../call.ts'
import type { DocumentEditor } from '../../../editor/document.ts'
import { offsetIn } from '../../../editor/rope.ts'
import { queryClient } from '../../../query-client.ts'
import { versionParams, type VersionRef } from '../../catalog/versions.ts'
import { searchTypes } from '../../types/search.ts'
import type { Meeting, Resolution } from './conflict.tsx'
import { digestIn } from '../../../call.ts'
import type { StoredText } from './read-rope.ts'
import { textOf, useChecks } from './use-checks.ts'

const optionTypes: Readonly<Record<string, string>> = { property: 'property', reference: 'type' }

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
        type: optionTypes[kind] ?? 'enum',
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

/** The stored text that the edits start from, and the digest of the last text of someone else that the reader knows of. */
interface Stored {
  readonly text: RefObject<StoredText>
  readonly seen: RefObject<string>
  readonly digest: () => string
}

const useStored = (first: StoredText): Stored => {
  const text = useRef(first)
  const seen = useRef(digestIn(first.etag))
  const digest = useCallback(() => digestIn(text.current.etag), [])
  return { text, seen, digest }
}

interface Draft {
  readonly at: VersionRef
  readonly editor: DocumentEditor | null
  readonly stored: Stored
  readonly setNote: (note: string) => void
}

/** Saves the text in place of the one that was read. */
const useSave = (
  { at, editor, stored: { text, seen, digest }, setNote }: Draft,
  { onConflict, onSaved }: { onConflict: () => void; onSaved: () => void },
) =>
  useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      if (editor === null) return
      setNote('')
      const { blob, saved } = await editor.body(text.current.mediaType)
      try {
        const read = { ...text.current, etag: `"${seen.current}"` }
        const { etag } = await replaceText(versionsApi.putDocument, versionParams(at), read, blob)
        saved()
        text.current = { ...read, etag: etag ?? read.etag }
        seen.current = digest()
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'document-changed') throw error
        return onConflict()
      }
      onSaved()
      setNote('Saved')
      await queryClient.invalidateQueries()
    },
  })

/** Applies the fix of a finding, or with null all fixes that change nothing for clients. */
const useFix = ({ at, editor, stored: { digest }, setNote }: Draft) =>
  useMutation({
    mutationFn: async (finding: EditFinding | null) => {
      if (editor === null) return
      const snapshot = editor.snapshot()
      const visible = finding?.fix?.visible ?? null
      const body = {
        ...textOf(digest(), snapshot),
        ...(finding === null ? {} : { fingerprint: finding.fingerprint }),
        ...(visible === null ? {} : { visible: [visible] }),
      }
      const { edits, fixed } = await call(editsApi.fix, { params: versionParams(at), body })
      editor.apply(edits, snapshot)
      setNote(fixed === 0 ? 'Not fixed: the fix would change what clients see, or has no effect.' : `Fixed ${fixed}`)
    },
  })

/** The draft that is being edited: its editor, its checks, whether it is saved, and a conflict with what others saved. */
export const useDraft = (at: VersionRef, first: StoredText) => {
  const [editor, setEditor] = useState<DocumentEditor | null>(null)
  const [meeting, setMeeting] = useState<Meeting | null>(null)
  const [note, setNote] = useState('')
  const stored = useStored(first)
  const { digest, seen, text } = stored
  const { checks, touch } = useChecks(editor, at, digest)
  const { unsaved, edited, look } = useUnsaved(editor)
  const complete = useCompletion(at, editor, digest)
  const meet = useCallback(() => {
    if (editor !== null) setMeeting({ digest: digest(), snapshot: editor.snapshot() })
  }, [editor, digest])
  const draft = { at, editor, stored, setNote }
  const save = useSave(draft, {
    onConflict: meet,
    onSaved: () => {
      look()
      touch()
    },
  })
  const fix = useFix(draft)
  const resolve = ({ stored: theirs, edits, keepsMine }: Resolution): void => {
    setMeeting(null)
    seen.current = digestIn(theirs.etag)
    if (!keepsMine) {
      text.current = theirs
      editor?.rebase(theirs.rope, edits)
    }
    setNote(keepsMine ? 'Saving replaces what the other user saved.' : 'Review the text, then save.')
  }
  const onEdit = (): void => {
    edited()
    setNote('')
    touch()
  }
  const current = checks.findings?.value.current
  const isOvertaken = current !== undefined && current !== seen.current && current !== digest()
  const conflict = { meeting, meet, resolve, close: () => setMeeting(null), isOvertaken }
  return { editor, setEditor, checks, note, unsaved, onEdit, complete, save, fix, conflict }
}
