import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { versionsApi } from '../../../../src/api/versions.ts'
import { SvcError } from '../../../../src/errors.ts'
import { replaceText, type Text } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Form, useChange } from '../../parts/form.tsx'
import { UnsavedGuard } from '../../parts/unsaved.tsx'
import { documentTextQuery, type VersionRef, versionParams } from './queries.ts'
import { queryClient } from '../../query-client.ts'

const lineHeight = 20

/** Somebody was faster: their document, to go on from, and one's own text to take over from it. */
const Conflict = ({ theirs, mine, onGoOn }: { theirs: Text; mine: string; onGoOn: () => void }) => {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  // It stands above a long text, whose end is where saving was pressed.
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} role="alert" tabIndex={-1} className="card grid gap-3 border-warn p-4">
      <p className="font-semibold text-warn">Somebody else changed this document meanwhile</p>
      <p>
        Nothing was saved, and nothing of theirs is lost. Go on from their document, and take over what you need from
        your own text, which stays here until then.
      </p>
      <label htmlFor={id} className="text-sm font-medium">
        Their document
      </label>
      <textarea id={id} readOnly rows={10} className="field font-mono text-xs" value={theirs.text} />
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" onClick={onGoOn}>
          Go on from theirs
        </Button>
        <span className="flex items-center gap-1 text-sm text-soft">
          Copy your text <CopyButton text={mine} what="your text" />
        </span>
        <code className="font-mono text-xs text-soft">document-changed</code>
      </div>
    </div>
  )
}

/** The draft's document as a text to edit. It is saved only in place of the very document that was read. */
export const SourceEditor = ({ at, read, line }: { at: VersionRef; read: Text; line: number | null }) => {
  const navigate = useNavigate()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [base, setBase] = useState(read)
  const [text, setText] = useState(read.text)
  const [kept, setKept] = useState<string | null>(null)
  const [theirs, setTheirs] = useState<Text | null>(null)
  const unsaved = text !== base.text
  const leave = (): Promise<void> =>
    navigate({ to: '/t/$tenant/$project/$version/source', params: { ...at }, replace: true, ignoreBlocker: true })
  const save = useChange(async () => {
    try {
      await replaceText(versionsApi.putDocument, versionParams(at), base, text)
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'document-changed') throw error
      setTheirs(await queryClient.fetchQuery({ ...documentTextQuery(at), staleTime: 0 }))
      return
    }
    await queryClient.invalidateQueries()
    await leave()
  })
  useEffect(() => {
    const area = field.current
    if (!area) return
    area.focus()
    const start = area.value.split('\n', (line ?? 1) - 1).join('\n').length + (line !== null && line > 1 ? 1 : 0)
    area.setSelectionRange(start, start)
    area.scrollTop = Math.max(0, (line ?? 1) - 6) * lineHeight
  }, [line])
  return (
    <>
      <UnsavedGuard unsaved={unsaved} what="this document" />
      <Form
        change={save}
        submit="Save the draft"
        disabled={!unsaved || theirs !== null}
        onCancel={() => void leave()}
        note={unsaved ? <span className="text-sm text-soft">not saved yet</span> : null}
      >
        {theirs ? (
          <Conflict
            theirs={theirs}
            mine={text}
            onGoOn={() => {
              setKept(text)
              setBase(theirs)
              setText(theirs.text)
              setTheirs(null)
              field.current?.focus()
            }}
          />
        ) : null}
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
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        {kept === null ? null : (
          <details className="card p-4" open>
            <summary className="cursor-pointer font-medium">Your text from before</summary>
            <textarea
              readOnly
              rows={10}
              aria-label="Your text from before"
              className="field mt-2 font-mono text-xs"
              value={kept}
            />
          </details>
        )}
      </Form>
    </>
  )
}
