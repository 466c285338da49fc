import { useMutation } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, FilePlus2, X } from 'lucide-react'
import { useCallback, useId, useMemo, useState } from 'react'
import type { OverlayPreview } from '../../../../src/api/preflight.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { DocumentField } from '../../parts/document-field.tsx'
import { hintOf } from '../../parts/error-hint.ts'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { SourceFrame } from '../../parts/source-frame.tsx'
import { Notice } from '../../parts/states.tsx'
import { TextLines } from '../../parts/text-lines.ts'
import { count } from '../../parts/text.ts'
import { DropPage } from './drop-page.tsx'
import { FilePick } from './file-pick.tsx'
import { type ChosenOverlay, mostOverlays, moved, pastedOverlay, withMore } from './overlay-files.ts'
import { type FileAt, filesOfDrop, readOverlayFiles } from './read-files.ts'

/** The overlays of an import, and what takes their place. */
export interface OverlayChoice {
  readonly overlays: readonly ChosenOverlay[]
  readonly onOverlays: (overlays: readonly ChosenOverlay[]) => void
}

/** Why an overlay is refused. */
interface Fault {
  readonly code: string
  readonly message: string
}

/** What is wrong with an overlay, where that is why an import would be refused; null where it is not. */
export const overlayFault = (refusal: Fault | null): Fault | null =>
  refusal?.code === 'overlay-invalid' || refusal?.code === 'overlay-failed' ? refusal : null

/** The first place that a message names in a text of this name: "labels.yaml:4:11". */
function placeIn(message: string, name: string): { readonly line: number; readonly character: number } | null {
  const from = message.indexOf(`${name}:`)
  const found = from === -1 ? null : /^:(\d+):(\d+)/.exec(message.slice(from + name.length))
  return found === null ? null : { line: Number(found[1]) - 1, character: Number(found[2]) - 1 }
}

const FaultView = ({ fault, overlay }: { fault: Fault; overlay: ChosenOverlay | null }) => {
  const shown = useMemo(() => {
    const place = overlay === null ? null : placeIn(fault.message, overlay.name)
    if (overlay === null || place === null) return null
    const range = { start: place, end: { ...place, character: place.character + 1 } }
    return { range, excerpt: new TextLines(overlay.text).around(range) }
  }, [overlay, fault])
  return (
    <div role="alert" className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm">
      <p className="font-medium whitespace-pre-line wrap-anywhere text-danger">{fault.message}</p>
      {shown ? <SourceFrame excerpt={shown.excerpt} range={shown.range} /> : null}
      <p className="text-soft">{hintOf(fault.code)}</p>
    </div>
  )
}

type Action = OverlayPreview['actions'][number]

const kindWords = { update: 'updates', copy: 'copies into', remove: 'removes', none: 'does nothing to' } as const

const ActionRow = ({ action }: { action: Action }) => (
  <li>
    <div className="grid gap-0.5">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span>{kindWords[action.kind]}</span>
        {action.matches === 0 ? (
          <Badge tone="warn">no place</Badge>
        ) : (
          <span>{count(action.matches, 'place', 'places')}</span>
        )}
        <code className="min-w-0 font-mono text-xs break-all text-soft">{action.target}</code>
      </span>
      {action.description === null ? null : <span className="wrap-anywhere text-soft">{action.description}</span>}
      {action.matches === 0 ? null : (
        <span className="font-mono text-xs break-all text-soft">
          {action.places.map((it) => (it === '' ? 'whole document' : it)).join(', ')}
          {action.matches > action.places.length ? ', …' : ''}
        </span>
      )}
    </div>
  </li>
)

const Effects = ({ applied }: { applied: OverlayPreview }) => (
  <details className="text-sm" open={applied.actions.length <= 5}>
    <summary className="w-fit cursor-pointer">
      {count(applied.actions_total, 'action', 'actions')}, {count(applied.matches, 'place', 'places')}
      {applied.unmatched.length === 0 ? null : (
        <span className="text-warn">
          , {count(applied.unmatched.length, 'action changes nothing', 'actions change nothing')}
        </span>
      )}
    </summary>
    <ol className="mt-2 grid list-decimal gap-2 pl-6">
      {applied.actions.map((action, index) => (
        <ActionRow key={index} action={action} />
      ))}
    </ol>
    {applied.actions_total > applied.actions.length ? (
      <p className="mt-2 text-soft">The first {applied.actions.length} actions are shown.</p>
    ) : null}
  </details>
)

const Name = ({ name, applied }: { name: string; applied: OverlayPreview | undefined }) => (
  <p className="min-w-0 flex-1 basis-40 wrap-anywhere">
    <span className="font-medium">{name}</span>
    {applied ? <span className="text-soft"> {applied.title}</span> : null}
  </p>
)

/** An overlay that the chosen files name themselves. */
const NamedRow = ({ applied }: { applied: OverlayPreview }) => (
  <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
    <div className="flex flex-wrap items-baseline gap-2">
      <Name name={applied.source} applied={applied} />
      <Badge>named by svc.yaml</Badge>
    </div>
    <Effects applied={applied} />
  </li>
)

const OverlayRow = ({
  index,
  choice: { overlays, onOverlays },
  applied,
  fault,
}: {
  index: number
  choice: OverlayChoice
  applied: OverlayPreview | undefined
  fault: Fault | null
}) => {
  const overlay = overlays[index]
  if (overlay === undefined) return null
  const { name } = overlay
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <Name name={name} applied={applied} />
        <span className="flex gap-1">
          <Button
            look="quiet"
            aria-label={`Apply ${name} earlier`}
            disabled={index === 0}
            onClick={() => onOverlays(moved(overlays, index, -1))}
          >
            <ArrowUp size={16} aria-hidden="true" />
          </Button>
          <Button
            look="quiet"
            aria-label={`Apply ${name} later`}
            disabled={index === overlays.length - 1}
            onClick={() => onOverlays(moved(overlays, index, 1))}
          >
            <ArrowDown size={16} aria-hidden="true" />
          </Button>
          <Button
            look="quiet"
            aria-label={`Remove ${name}`}
            onClick={() => onOverlays(overlays.filter((it) => it !== overlay))}
          >
            <X size={16} aria-hidden="true" />
          </Button>
        </span>
      </div>
      {fault ? <FaultView fault={fault} overlay={overlay} /> : null}
      {applied && fault === null ? <Effects applied={applied} /> : null}
    </li>
  )
}

const PasteOverlay = ({ onAdd, onCancel }: { onAdd: (text: string) => void; onCancel: () => void }) => {
  const [text, setText] = useState('')
  const submit = { mutate: () => onAdd(text), isPending: false, error: null }
  return (
    <Form change={submit} submit="Apply the overlay" disabled={text.trim() === ''} onCancel={onCancel}>
      <DocumentField label="Overlay" value={text} onChange={setText} />
    </Form>
  )
}

const AddOverlays = ({ overlays, onOverlays }: OverlayChoice) => {
  const [pastes, setPastes] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (files: Promise<readonly FileAt[]>) => readOverlayFiles(await files, overlays.length),
    onSuccess: (more) => onOverlays(withMore(overlays, more)),
    scope: { id: useId() },
  })
  const onDrop = useCallback((transfer: DataTransfer) => mutate(filesOfDrop(transfer)), [mutate])
  const isFull = overlays.length >= mostOverlays
  return (
    <>
      <DropPage words="Drop to add overlays" onDrop={onDrop} />
      <div className="flex flex-wrap items-center gap-2">
        <FilePick
          label="Add overlays"
          icon={FilePlus2}
          accept=".json,.yaml,.yml"
          onFiles={(files) => mutate(Promise.resolve(files))}
        />
        <Button disabled={isFull} aria-expanded={pastes} onClick={() => setPastes(!pastes)}>
          Paste an overlay
        </Button>
        {isPending ? <span role="status">Reading …</span> : null}
      </div>
      {error ? (
        <p role="alert" className="text-danger">
          {error.message}
        </p>
      ) : null}
      {pastes && !isFull ? (
        <PasteOverlay
          onCancel={() => setPastes(false)}
          onAdd={(text) => {
            setPastes(false)
            onOverlays(withMore(overlays, [pastedOverlay(text)]))
          }}
        />
      ) : null}
    </>
  )
}

/** The overlays that are applied to a document before it is stored: their order, what each changes, and why one is refused. */
export const OverlaysSection = ({
  overlays,
  onOverlays,
  applied,
  fault,
}: OverlayChoice & {
  /** What the service made of them; null before it answered. */
  applied: readonly OverlayPreview[] | null
  fault: Fault | null
}) => {
  const names = new Set(overlays.map(({ name }) => name))
  const named = (applied ?? []).filter(({ source }) => !names.has(source))
  const faulty = fault === null ? undefined : overlays.find(({ name }) => fault.message.startsWith(name))
  return (
    <Section
      title="Overlays"
      description="They change the document before it is stored, one after another. The version keeps the document, each overlay and what came of them."
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {fault !== null && faulty === undefined ? <FaultView fault={fault} overlay={null} /> : null}
        {named.length + overlays.length === 0 ? null : (
          <ol aria-label="Overlays in their order" className="card divide-y">
            {named.map((it) => (
              <NamedRow key={it.source} applied={it} />
            ))}
            {overlays.map((overlay, index) => (
              <OverlayRow
                key={overlay.id}
                index={index}
                choice={{ overlays, onOverlays }}
                applied={applied?.findLast(({ source }) => source === overlay.name)}
                fault={overlay === faulty ? fault : null}
              />
            ))}
          </ol>
        )}
        <AddOverlays overlays={overlays} onOverlays={onOverlays} />
      </div>
    </Section>
  )
}

/** Said where several documents are imported: overlays that were chosen beside them are for one. */
export const OverlaysLeftOut = ({ overlays }: Pick<OverlayChoice, 'overlays'>) => (
  <Notice tone="warn" title={`${count(overlays.length, 'overlay is', 'overlays are')} not applied`}>
    <p className="wrap-anywhere">
      {overlays.map(({ name }) => name).join(', ')}: an overlay is for one document. Choose the document alone with it,
      or name the overlay for its document in a svc.yaml among the files.
    </p>
  </Notice>
)
