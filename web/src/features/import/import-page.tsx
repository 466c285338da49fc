import { useMutation, useQuery } from '@tanstack/react-query'
import { FileText, FileUp, FolderOpen } from 'lucide-react'
import { useCallback, useId, useMemo, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { bytesWords } from '../../parts/text.ts'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { BulkView } from './bulk-view.tsx'
import { CheckView } from './check-view.tsx'
import { type Chosen, commandOf, mayHoldSeveral, nameOf, sizeOf } from './chosen.ts'
import { DocumentField } from '../../parts/document-field.tsx'
import { Field, Form } from '../../parts/form.tsx'
import { Choices } from '../../parts/choices.tsx'
import { DropPage } from './drop-page.tsx'
import { FilePick } from './file-pick.tsx'
import type { ChosenOverlay } from './overlay-files.ts'
import { type FileAt, filesOfDrop, readFiles } from './read-files.ts'

const sourceEndings = '.json,.yaml,.yml,.zip,.tar,.tgz,.gz'

type Way = 'paste' | 'url' | 'git'
const ways = [
  { value: 'paste', name: 'Paste text' },
  { value: 'url', name: 'URL' },
  { value: 'git', name: 'Git repository' },
] as const

const PasteForm = ({ onChoose }: { onChoose: (chosen: Chosen) => void }) => {
  const [text, setText] = useState('')
  const submit = {
    mutate: () => onChoose({ kind: 'text', name: 'pasted text', text }),
    isPending: false,
    error: null,
  }
  return (
    <Form change={submit} submit="Check" disabled={text.trim() === ''}>
      <DocumentField label="Document" value={text} onChange={setText} />
    </Form>
  )
}

const UrlForm = ({ onChoose }: { onChoose: (chosen: Chosen) => void }) => {
  const [url, setUrl] = useState('')
  const submit = { mutate: () => onChoose({ kind: 'url', url: url.trim() }), isPending: false, error: null }
  return (
    <Form change={submit} submit="Check" disabled={url.trim() === ''}>
      <Field
        label="URL of a document or an archive"
        type="url"
        hint="The service fetches it. Only public addresses are allowed."
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
    </Form>
  )
}

const GitForm = ({ onChoose }: { onChoose: (chosen: Chosen) => void }) => {
  const [values, setValues] = useState({ url: '', ref: '', path: '' })
  const bind = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  })
  const submit = {
    mutate: () => onChoose({ kind: 'git', url: values.url.trim(), ref: values.ref.trim(), path: values.path.trim() }),
    isPending: false,
    error: null,
  }
  return (
    <Form change={submit} submit="Check" disabled={values.url.trim() === ''}>
      <Field label="Clone URL" type="url" hint="A public repository, over https." {...bind('url')} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Branch, tag or commit (optional)" {...bind('ref')} />
        <Field label="File or folder (optional)" hint="The whole repository when empty." {...bind('path')} />
      </div>
    </Form>
  )
}

/** Where the document comes from: files chosen or dropped anywhere on the page, a pasted text, or an address. */
const SourcePanel = ({ onChoose }: { onChoose: (chosen: Chosen, overlays?: readonly ChosenOverlay[]) => void }) => {
  const [way, setWay] = useState<Way | null>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (files: Promise<readonly FileAt[]>) => readFiles(await files),
    onSuccess: ({ chosen, overlays }) => onChoose(chosen, overlays),
    scope: { id: useId() },
  })
  const onDrop = useCallback((transfer: DataTransfer) => mutate(filesOfDrop(transfer)), [mutate])
  const read = (files: readonly FileAt[]): void => mutate(Promise.resolve(files))
  return (
    <>
      <DropPage words="Drop to import" onDrop={onDrop} />
      <div className="grid justify-items-center gap-4 rounded-xl border-2 border-dashed border-edge bg-surface px-4 py-10 text-center">
        <p className="text-lg font-medium">Drop files, a folder or an archive here</p>
        <div className="flex flex-wrap justify-center gap-2">
          <FilePick label="Choose files" icon={FileUp} look="primary" accept={sourceEndings} onFiles={read} />
          <FilePick label="Choose a folder" icon={FolderOpen} onFiles={read} />
        </div>
        <p className="max-w-prose text-sm text-soft">
          OpenAPI, Swagger, Arazzo or JSON Schema as JSON or YAML; zip or tar; overlays beside a document. Nothing is
          stored before you confirm.
        </p>
        {isPending ? <p role="status">Reading …</p> : null}
        {error ? (
          <p role="alert" className="text-danger">
            {error.message}
          </p>
        ) : null}
      </div>
      <Choices
        label="Other sources"
        value={way}
        choices={ways}
        onChange={(value) => setWay(ways.find((it) => it.value === value)?.value ?? null)}
      />
      {way === 'paste' ? <PasteForm onChoose={onChoose} /> : null}
      {way === 'url' ? <UrlForm onChoose={onChoose} /> : null}
      {way === 'git' ? <GitForm onChoose={onChoose} /> : null}
    </>
  )
}

const ChosenSource = ({ chosen, onRemove }: { chosen: Chosen; onRemove: () => void }) => {
  const size = useMemo(() => sizeOf(chosen), [chosen])
  return (
    <p className="card flex flex-wrap items-center gap-3 px-4 py-2.5">
      <FileText size={17} aria-hidden="true" className="text-soft" />
      <span className="min-w-0 font-medium break-all">{nameOf(chosen)}</span>
      {size === null ? null : <span className="text-sm text-soft">{bytesWords(size)}</span>}
      <span className="grow" />
      <Button onClick={onRemove}>Choose another</Button>
    </p>
  )
}

interface Choice {
  readonly chosen: Chosen | null
  readonly overlays: readonly ChosenOverlay[]
  readonly turn: number
}

const ImportFlow = ({ tenant, project }: { tenant: string; project: string | null }) => {
  const [{ chosen, overlays, turn }, setChoice] = useState<Choice>({ chosen: null, overlays: [], turn: 0 })
  const choose = (next: Chosen | null, beside: readonly ChosenOverlay[] = []): void =>
    setChoice(({ turn: before }) => ({ chosen: next, overlays: beside, turn: before + 1 }))
  const setOverlays = (next: readonly ChosenOverlay[]): void => setChoice((before) => ({ ...before, overlays: next }))
  if (chosen === null) return <SourcePanel onChoose={choose} />
  // The same document, chosen again after it was changed, is checked again.
  const id = String(turn)
  const given = { tenant, id, chosen, project, overlays, onOverlays: setOverlays }
  const command = commandOf(chosen, overlays)
  return (
    <>
      <ChosenSource chosen={chosen} onRemove={() => choose(null)} />
      {mayHoldSeveral(chosen) ? <BulkView key={id} {...given} /> : <CheckView key={id} root={null} {...given} />}
      {command ? (
        <CommandHint
          command={svcCommand(tenant, command.words, { ...command.options, 'project-slug': project ?? '' })}
        />
      ) : null}
    </>
  )
}

/** Imports documents: files, a folder, an archive, a text, a URL or a repository. They are checked before anything is stored. */
export const ImportPage = ({ tenant, project }: { tenant: string; project: string | null }) => {
  const identity = useQuery(identityQuery)
  return (
    <Page
      title={project === null ? 'Import a document' : `Import a version of ${project}`}
      description="The document is checked first: grade, breaking changes, and the project it belongs to."
    >
      <Read query={identity} what="your role">
        {() =>
          holds(identity.data, tenant, 'projects:create') ? (
            <ImportFlow tenant={tenant} project={project} />
          ) : (
            <NoPermission permission="projects:create" />
          )
        }
      </Read>
    </Page>
  )
}
