import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { versionsApi } from '../../../../src/api/versions.ts'
import { SvcError } from '../../../../src/errors.ts'
import { replaceText, type Text } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { UnsavedGuard } from '../../parts/unsaved.tsx'
import { queryClient } from '../../query-client.ts'
import { LargeDocument, mostEditable } from './large-document.tsx'
import { documentTextQuery, type VersionRef, versionParams } from './queries.ts'

const lineHeight = 20

/** Another person saved first: their document to continue from, and one's own text to copy from. */
const Conflict = ({ theirs, mine, onContinue }: { theirs: Text; mine: string; onContinue: () => void }) => {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  // It is drawn above a long text, at whose end Save was pressed.
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} role="alert" tabIndex={-1} className="card grid gap-3 border-warn p-4">
      <p className="font-semibold text-warn">Another user changed this document</p>
      <p>
        Your text was not saved. Continue with their document, then copy what you need from your own text: it stays on
        this page.
      </p>
      <label htmlFor={id} className="text-sm font-medium">
        Their document
      </label>
      <textarea id={id} readOnly rows={10} className="field font-mono text-xs" value={theirs.text} />
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" onClick={onContinue}>
          Continue with theirs
        </Button>
        <span className="flex items-center gap-1 text-sm text-soft">
          Copy your text <CopyButton text={mine} what="your text" />
        </span>
        <code className="font-mono text-xs text-soft">document-changed</code>
      </div>
    </div>
  )
}

/** One's own text from before a conflict. */
const KeptText = ({ text }: { text: string }) => (
  <details className="card p-4" open>
    <summary className="cursor-pointer font-medium">Your earlier text</summary>
    <textarea readOnly rows={10} aria-label="Your earlier text" className="field mt-2 font-mono text-xs" value={text} />
  </details>
)

/** Puts the cursor at the beginning of a line, counted from one, and scrolls there. */
const useStartAt = (field: RefObject<HTMLTextAreaElement | null>, line: number | null): void =>
  useEffect(() => {
    const area = field.current
    if (!area) return
    area.focus()
    const start = area.value.split('\n', (line ?? 1) - 1).join('\n').length + (line !== null && line > 1 ? 1 : 0)
    area.setSelectionRange(start, start)
    area.scrollTop = Math.max(0, (line ?? 1) - 6) * lineHeight
  }, [field, line])

/** Saves a text in place of the one that was read; where another user was faster it brings theirs. */
const useSave = (at: VersionRef, onSaved: () => Promise<void>) => {
  const [theirs, setTheirs] = useState<Text | null>(null)
  const mutation = useMutation({
    scope: { id: useId() },
    mutationFn: async ({ base, text }: { base: Text; text: string }) => {
      try {
        await replaceText(versionsApi.putDocument, versionParams(at), base, text)
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'document-changed') throw error
        setTheirs(await queryClient.fetchQuery({ ...documentTextQuery(at), staleTime: 0 }))
        return
      }
      await queryClient.invalidateQueries()
      await onSaved()
    },
  })
  return { mutation, theirs, forgetTheirs: () => setTheirs(null) }
}

const TextEditor = ({
  at,
  read,
  line,
  onDone,
}: {
  at: VersionRef
  read: Text
  line: number | null
  onDone: () => Promise<void>
}) => {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [base, setBase] = useState(read)
  const [text, setText] = useState(read.text)
  const [kept, setKept] = useState<string | null>(null)
  const { mutation, theirs, forgetTheirs } = useSave(at, onDone)
  const { isPending, error } = mutation
  const unsaved = text !== base.text
  useStartAt(field, line)
  const continueWith = (document: Text): void => {
    setKept(text)
    setBase(document)
    setText(document.text)
    forgetTheirs()
    field.current?.focus()
  }
  return (
    <>
      <UnsavedGuard unsaved={unsaved} what="this document" />
      <Form
        change={{ mutate: () => mutation.mutate({ base, text }), isPending, error }}
        submit="Save the draft"
        disabled={!unsaved || theirs !== null}
        onCancel={() => void onDone()}
        note={unsaved ? <span className="text-sm text-soft">Unsaved changes</span> : null}
      >
        {theirs ? <Conflict theirs={theirs} mine={text} onContinue={() => continueWith(theirs)} /> : null}
        <div className="grid gap-1">
          <label htmlFor={id} className="text-sm font-medium">
            Document of the draft
          </label>
          <textarea
            ref={field}
            id={id}
            rows={26}
            wrap="off"
            spellCheck={false}
            autoCapitalize="off"
            className="field font-mono text-xs leading-5"
            // What is typed while it is saved would be lost with the editor.
            readOnly={isPending}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        {kept === null ? null : <KeptText text={kept} />}
      </Form>
    </>
  )
}

/** The draft's document as a text to edit. It is saved only in place of the version of it that was read. */
export const SourceEditor = ({ at, read, line }: { at: VersionRef; read: Text; line: number | null }) => {
  const navigate = useNavigate()
  const leave = (): Promise<void> =>
    navigate({ to: '/t/$tenant/$project/$version/source', params: { ...at }, replace: true, ignoreBlocker: true })
  return read.text.length > mostEditable ? (
    <LargeDocument at={at} read={read} onDone={leave} />
  ) : (
    <TextEditor at={at} read={read} line={line} onDone={leave} />
  )
}
